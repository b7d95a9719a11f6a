"""The dashboards in a terminal without a screen, on a real run and on a real live server."""

import asyncio
from pathlib import Path

import pytest
from textual.widgets import DataTable, Static

from diorama.cli.app import run
from diorama.cli.dashboard.live import LiveDashboard, find_world
from diorama.cli.dashboard.texts import bar, curve, number
from diorama.cli.dashboard.training import RunDashboard
from diorama.contracts.errors import ConfigError
from diorama.runs.run import open_run
from tests.runs.factories import FakeClock
from tests.runs.random_training import RandomTraining
from tests.server.live.stage import on_stage

PATIENCE = 600


def text(widget: Static) -> str:
    return str(widget.render())


def test_a_run_is_told_with_its_windows(tmp_path: Path) -> None:
    training = RandomTraining.start(tmp_path, "run-a", FakeClock())
    training.run(12)
    training.close()

    async def look() -> None:
        app = RunDashboard(open_run(tmp_path, "run-a"))
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            assert text(app.query_one("#standing", Static)).startswith("prospector · ")
            assert app.query_one("#windows", DataTable).row_count > 0

    asyncio.run(look())


def test_a_live_town_is_told_while_it_lives(tmp_path: Path) -> None:
    with on_stage(tmp_path, speed="10x", world={"population": 3}) as stage:

        async def look() -> None:
            app = LiveDashboard(stage.base_url, find_world(stage.base_url))
            async with app.run_test(size=(120, 30)) as pilot:
                table = app.query_one("#state", DataTable)
                for _ in range(PATIENCE):
                    await pilot.pause(0.05)
                    if table.row_count == 3 and app.state.tick > 2:
                        break
                assert table.row_count == 3
                assert "tick" in text(app.query_one("#moment", Static))
                await pilot.press("p")
                held = text(app.query_one("#moment", Static))
                await pilot.pause(0.3)
                assert text(app.query_one("#moment", Static)) == held

        asyncio.run(look())


def test_who_does_not_answer_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="no live world answers"):
        find_world("http://127.0.0.1:9")
    assert run(["watch", "http://127.0.0.1:9"]) == 2
    assert "diorama live WORLD" in capsys.readouterr().err


def test_an_unknown_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "nowhere", "--run-root", str(tmp_path)]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_numbers_bars_and_curves() -> None:
    assert [number(value) for value in (3, 12_345, 0.5, 12_345.6, None, True)] == [
        "3",
        "12,345",
        "0.5",
        "12,346",
        "-",
        "-",
    ]
    assert bar(0.5, 4) == "██░░"
    assert curve([0.0, 1.0, 2.0]) == "▁▅█"
