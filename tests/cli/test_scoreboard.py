"""`diorama scoreboard`: the table, the document, and what it refuses."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.contracts.errors import UnknownName
from diorama.engine.venue import open_venue
from diorama.runs import champions
from diorama.training.scoreboard import board as boards
from tests.cli.invoking import invoke
from tests.refusals import refused


@pytest.fixture(autouse=True)
def short_episodes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)
    monkeypatch.setattr(boards, "open_foreign_venue", lambda world, *_, **__: open_venue(world, {"time_max": 60.0}))


def test_scripts_are_ranked_on_the_same_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["scoreboard", "prospector", "--episodes", "2", "--run-root", str(tmp_path)]

    report = tmp_path / "report.json"
    assert run([*arguments, "--json", str(report)]) == 0
    ranked = json.loads(report.read_text())
    profits = [row["result"]["scores"]["net_profit"]["value"] for row in ranked["rows"]]
    assert ranked["seeds"] == [7_000_000, 7_000_001]
    assert profits == sorted(profits, reverse=True)
    assert run(arguments) == 0
    assert "2 held-out episodes each" in capsys.readouterr().out


def test_known_lets_nobody_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scoreboard", "prospector", "--known", "--run-root", str(tmp_path)]) == 0

    assert "has not played" in capsys.readouterr().out
    assert not (tmp_path / ".scoreboard").exists()


def test_a_metric_that_is_no_headline_is_refused(tmp_path: Path) -> None:
    with refused(UnknownName, "unknown_headline_metric", name="luck"):
        invoke("scoreboard", "prospector", "--sort", "luck", "--known", "--run-root", str(tmp_path))
