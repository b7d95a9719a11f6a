"""Rehearsals against real live towns: they pass, and they fail where something is wrong."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.operate.rehearsals.console import rehearse_console
from diorama.operate.rehearsals.drills import Drill, drills_of
from diorama.operate.rehearsals.rehearsal import Rehearsal, StepFailed
from diorama.operate.rehearsals.theater import Theater
from tests.operate.live.runtimes import open_live_world


def _rehearse(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    code = run(["townlet", "rehearse", *words, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["console", "demo"])
def test_a_rehearsal_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _rehearse(capsys, name)

    assert (code, report["passed"]) == (0, True), report


NURSERY_DRILLS = (
    Drill("status"),
    Drill("env", (0,)),
    Drill("slot", (0, "r0c1")),
    Drill("control", (0, "human")),
    Drill("op", (0, "GERMINATE", "r0c1"), {"blueprint": "norm"}),
    Drill("snapshot", (0,)),
    Drill("inject", (0, "spike")),
    Drill("rollback", (0,)),
)


@pytest.mark.parametrize(
    ("world", "script", "own"),
    [
        ("prospector", "idle", ()),
        pytest.param("tidebreak", "drifter", (), marks=pytest.mark.slow),
        pytest.param("gameboy", "noop", (), marks=pytest.mark.slow),
        pytest.param("morphogenesis", "wait", NURSERY_DRILLS, marks=pytest.mark.slow),
    ],
)
def test_every_world_answers_its_commands(world: str, script: str, own: tuple[Drill, ...], tmp_path: Path) -> None:
    rehearsal = Rehearsal("console")

    with Theater(open_live_world(tmp_path, world, seed=3)) as theater:
        rehearse_console(rehearsal, theater, drills_of(own, script=script))

    assert rehearsal.has_passed
    assert len(rehearsal.steps) > 2 * 20


def test_a_promotion_goes_there_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _rehearse(capsys, "promotion", "--policy", "scripted")

    assert code == 0, report
    assert isinstance(report["steps"], list)
    steps = {step["name"]: step["tick"] for step in report["steps"]}
    assert steps["window 2 passes"] - steps["window 1 passes"] == 120
    assert list(steps)[-3:] == ["rollback_policy", "first release decides again", "history tells both"]


def test_a_candidate_that_fails_its_window_ends_the_rehearsal(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _rehearse(capsys, "promotion", "--policy", "idle", "--window", "400")

    assert code == 1
    assert isinstance(report["steps"], list)
    assert report["steps"][-1]["name"] == "window 1 passes"
    assert "the gate is" in report["steps"][-1]["detail"]


def test_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "something").touch()

    for words in (["waltz"], ["console", "--root", str(tmp_path)]):
        assert run(["townlet", "rehearse", *words]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_first_failure_ends_it() -> None:
    rehearsal = Rehearsal("nothing")

    rehearsal.check("one", True)
    with pytest.raises(StepFailed, match="two: no"):
        rehearsal.check("two", False, detail="no")

    assert not rehearsal.has_passed
    assert [step["has_passed"] for step in rehearsal.report()["steps"]] == [True, False]  # type: ignore[union-attr,index,call-overload]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["promotion", "anneal"])
def test_policies_are_trained_for_real(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _rehearse(capsys, name)

    assert (code, report["passed"]) == (0, True), report
