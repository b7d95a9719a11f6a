"""The dashboards in a terminal without a screen, on real runs and on a real live server."""

import asyncio
import shutil
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, Static

from diorama.cli.app import run
from diorama.cli.console.client import ConsoleFailure
from diorama.cli.dashboard import admission
from diorama.cli.dashboard.addresses import as_address, find_place
from diorama.cli.dashboard.admission import enter
from diorama.cli.dashboard.live import LiveDashboard
from diorama.cli.dashboard.run_texts import standing
from diorama.cli.dashboard.training import RunDashboard
from diorama.contracts.errors import DioramaError
from diorama.runs.run import open_run
from tests.runs.factories import FakeClock
from tests.runs.random_training import RandomTraining
from tests.server.live.stage import AUTH, VIEWER_TOKEN, on_stage

PATIENCE = 600


def text(app: LiveDashboard | RunDashboard, name: str) -> str:
    return str(app.query_one(f"#{name}", Static).render())


def cells(app: LiveDashboard | RunDashboard, name: str) -> list[list[str]]:
    table: DataTable[object] = app.query_one(f"#{name}", DataTable)
    return [[str(cell) for cell in table.get_row_at(row)] for row in range(table.row_count)]


async def until_it_says(pilot: Pilot[None], app: LiveDashboard, words: str) -> None:
    for _ in range(PATIENCE):
        if words in text(app, "moment"):
            return
        await pilot.pause(0.05)
    raise AssertionError(f"{words!r} is not in {text(app, 'moment')!r}")


def random_run(root: Path) -> None:
    training = RandomTraining.start(root, "run-a", FakeClock())
    training.run(12)
    training.close()


def test_a_run_is_told_with_its_windows_and_a_run_that_is_gone_is_told_too(tmp_path: Path) -> None:
    random_run(tmp_path)

    async def look() -> None:
        app = RunDashboard(open_run(tmp_path, "run-a"))
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            assert text(app, "standing").startswith("prospector · ")
            assert len(cells(app, "windows")) > 0
            assert "credits" in [row[0] for row in cells(app, "metrics")]
            shutil.rmtree(tmp_path / "run-a")
            app._read()
            assert "cannot be read any more" in text(app, "standing")
            assert len(cells(app, "windows")) > 0

    asyncio.run(look())


def test_a_run_that_is_silent_for_long_is_suspected(tmp_path: Path) -> None:
    RandomTraining.start(tmp_path, "run-a", FakeClock()).run(3)
    metadata = open_run(tmp_path, "run-a").metadata()
    last = datetime.fromisoformat(metadata.updated_at)

    assert "may have been killed" in standing(metadata, [], last.astimezone(UTC) + timedelta(hours=2, minutes=3))
    assert "2 h 3 min" in standing(metadata, [], last + timedelta(hours=2, minutes=3))
    assert "running, about" in standing(metadata, [{"steps_per_sec": 2.0}], None)


def test_a_live_town_is_told_held_and_missed_when_its_server_stops(tmp_path: Path) -> None:
    async def look() -> None:
        with ExitStack() as server:
            stage = server.enter_context(on_stage(tmp_path, speed="10x", world={"population": 3}))
            app = LiveDashboard(find_place(stage.base_url))
            async with app.run_test(size=(120, 40)) as pilot:
                await until_it_says(pilot, app, "day 1, ")
                assert {row[0] for row in cells(app, "seats")} == {"Ada", "Bram", "Cleo"}
                assert ["power", "on"] in cells(app, "figures")
                assert "Relationship coverage" in text(app, "kpis")
                assert "release    scripted" in text(app, "alerts")

                await pilot.press("p")
                assert "the world goes on" in text(app, "moment")
                await pilot.press("p")
                await until_it_says(pilot, app, "day 1, ")

                await asyncio.to_thread(server.close)
                await until_it_says(pilot, app, f"what is shown is of tick {app.state.tick}")
                assert "next try in" in text(app, "moment")
                assert app.query_one("#page").has_class("old")

    asyncio.run(look())


@pytest.mark.slow
def test_a_world_that_shows_itself_to_few_needs_a_token(tmp_path: Path) -> None:
    with on_stage(tmp_path, console_auth={**AUTH, "require_auth_for_viewer": True}) as stage:
        with pytest.raises(DioramaError, match="token"):
            find_place(stage.base_url)
        place = find_place(f"{stage.base_url}/operate", VIEWER_TOKEN)

        async def look(token: str, words: str) -> None:
            app = LiveDashboard(place, token)
            async with app.run_test(size=(120, 40)) as pilot:
                await until_it_says(pilot, app, words)

        asyncio.run(look(VIEWER_TOKEN, "speed pause"))
        asyncio.run(look("a-token-that-is-none-0123", "the server refuses"))


@pytest.mark.slow
def test_the_operators_token_is_shown_only_where_one_is_needed_and_to_whom_it_belongs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", VIEWER_TOKEN)
    with on_stage(tmp_path / "open") as stage:
        assert enter(stage.base_url, None)[1] is None
        assert enter(stage.base_url, "DIORAMA_CONSOLE_TOKEN")[1] == VIEWER_TOKEN
        monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", "of-another-server-0123456")
        assert enter(stage.base_url, None)[1] is None, "whoever has another token may watch, too"
        monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", VIEWER_TOKEN)
    with on_stage(tmp_path / "closed", console_auth={**AUTH, "require_auth_for_viewer": True}) as stage:
        assert enter(stage.base_url, None)[1] == VIEWER_TOKEN
        monkeypatch.setattr(admission, "is_this_machine", lambda _: False)
        with pytest.raises(ConsoleFailure, match="--token-env"):
            enter(stage.base_url, None)
        monkeypatch.setenv("DIORAMA_LIVE_URL", stage.base_url)
        assert enter(stage.base_url, None)[1] == VIEWER_TOKEN


@pytest.mark.parametrize(
    ("target", "words"),
    [
        pytest.param("http://127.0.0.1:9", "diorama live WORLD", id="nobody"),
        pytest.param("127.0.0.1:9", "diorama live WORLD", id="without-a-scheme"),
        pytest.param("http://127.0.0.1:port", "is no address", id="no-port"),
        pytest.param("nowhere", "there is no run 'nowhere'", id="no-run"),
    ],
)
def test_what_cannot_be_watched_is_named_in_one_line(
    target: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["watch", target, "--run-root", str(tmp_path)]) == 2

    told = capsys.readouterr().err.strip()
    assert words in told
    assert "\n" not in told


def test_where_there_is_no_terminal_a_run_is_not_drawn_but_told_how_to_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random_run(tmp_path)

    assert run(["watch", "run-a", "--run-root", str(tmp_path)]) == 2

    told = capsys.readouterr().err.strip()
    assert f"needs a terminal, and this is none; {tmp_path / 'run-a' / 'metrics' / 'windows.jsonl'} has" in told
    assert "\n" not in told


def test_where_there_is_no_terminal_a_live_world_is_not_drawn_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with on_stage(tmp_path) as stage:
        assert run(["watch", stage.base_url]) == 2

    assert "needs a terminal, and this is none; 'diorama events --url http://127.0.0.1:" in capsys.readouterr().err


def test_names_of_runs_are_no_addresses() -> None:
    assert as_address("20261115T145508Z-108416c") is None
    assert as_address("example.com:8001/townlet") == "http://example.com:8001/townlet"
