"""`diorama gameboy goal`: a captured goal, found again by the same keys."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from diorama.worlds.gameboy.errors import GoalTemplateMismatch
from tests.cli.invoking import invoke

SHORT = ("-c", "frames_per_step=4", "-c", "release_after_frames=2")
WAY = "[5]\n[5]\n[7]\n[7]\n[7]\n[7]\n"


def call(*arguments: str) -> Result:
    return invoke("gameboy", "goal", *arguments)


@pytest.fixture
def way(tmp_path: Path) -> str:
    path = tmp_path / "way.jsonl"
    path.write_text(WAY)
    return str(path)


def test_a_captured_goal_passes_its_gate(tmp_path: Path, way: str) -> None:
    goal, longer = str(tmp_path / "goal"), tmp_path / "longer.jsonl"
    longer.write_text(WAY + "[0]\n")

    captured = call("capture", goal, "--actions", way, *SHORT)
    passed = call("gate", goal, "--actions", str(longer), "--calibrate", *SHORT)

    assert (captured.exit_code, passed.exit_code) == (0, 0)
    line, _, calibration = passed.stdout.partition("\n")
    assert line == "the goal is found at step 6; 7 steps, last distance 0.0000"
    assert json.loads(calibration)["recommended_tau"] == pytest.approx(0.01)


def test_a_missed_goal_exits_with_1_and_leaves_evidence(tmp_path: Path, way: str) -> None:
    goal, idle = str(tmp_path / "goal"), tmp_path / "idle.jsonl"
    idle.write_text("[0]\n")
    call("capture", goal, "--actions", way, *SHORT)

    missed = call("gate", goal, "--actions", str(idle), "--failure-dir", str(tmp_path / "why"), *SHORT)

    assert missed.exit_code == 1
    assert sorted(path.name for path in (tmp_path / "why").iterdir()) == ["distances.json", "last_picture.npy"]
    with pytest.raises(GoalTemplateMismatch, match="frames_per_step is 4; expected 24"):
        call("gate", goal, "--actions", way)
