"""`diorama backup`, `restore` and `prune` as they are typed."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.operate.backups.manifest import FILES
from tests.runs.test_retention import make_run


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a command."""

    exit_code: int
    output: str
    stderr: str


Typed = Callable[..., Ended]


@pytest.fixture
def diorama(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types a command."""

    def typed(*arguments: str) -> Ended:
        code = run(arguments)
        told = capsys.readouterr()
        return Ended(code, told.out, told.err)

    return typed


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for number in range(3):
        make_run(tmp_path / "runs", f"r{number}", days_old=float(number))
    return tmp_path / "runs"


def test_runs_are_backed_up_checked_and_restored(diorama: Typed, runs: Path, tmp_path: Path) -> None:
    made = diorama("backup", str(runs), str(tmp_path / "backup"), "--run", "r1", "--run", "r0")
    checked = diorama("restore", str(tmp_path / "backup"), "--check")
    restored = diorama("restore", str(tmp_path / "backup"), str(tmp_path / "again"))

    assert (made.exit_code, checked.exit_code, restored.exit_code) == (0, 0, 0), made.output
    assert "2 runs; 6 files" in made.output
    assert "is whole" in checked.output
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == ["r0", "r1"]


def test_what_goes_wrong_is_one_line(diorama: Typed, runs: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup"
    assert diorama("backup", str(runs), str(target)).exit_code == 0
    (target / FILES / "r0" / "config.json").write_text("{}")

    wrong = [
        diorama("backup", str(runs), str(target)),
        diorama("backup", str(tmp_path / "none"), str(tmp_path / "other")),
        diorama("backup", str(runs), str(tmp_path / "other"), "--run", "r9"),
        diorama("restore", str(target), "--check"),
        diorama("restore", str(target)),
        diorama("restore", str(runs), str(tmp_path / "other")),
        diorama("prune", str(runs)),
    ]

    assert [ended.exit_code for ended in wrong] == [2] * len(wrong)
    assert all(ended.stderr.count("\n") == 1 for ended in wrong), [ended.stderr for ended in wrong]
    assert not (tmp_path / "other").exists()


def test_a_dry_run_removes_nothing_and_shows_the_same(diorama: Typed, runs: Path) -> None:
    wanted = ("prune", str(runs), "--keep-newest", "1", "--keep", "r2", "--format", "json")

    dry = json.loads(diorama(*wanted, "--dry-run").output)
    left = sorted(path.name for path in runs.iterdir())
    done = json.loads(diorama(*wanted).output)

    assert left == ["r0", "r1", "r2"]
    assert sorted(path.name for path in runs.iterdir()) == ["r0", "r2"]
    assert [(run["run_id"], run["reason"], run["removed"]) for run in done["runs"]] == [
        ("r0", None, False),
        ("r1", "beyond the newest 1", True),
        ("r2", None, False),
    ]
    assert [{**run, "removed": False} for run in done["runs"]] == dry["runs"]


def test_prune_tells_people_what_becomes_of_every_run(diorama: Typed, runs: Path) -> None:
    told = diorama("prune", str(runs), "--older-than-days", "0", "--keep", "r0", "--dry-run")

    assert told.exit_code == 0
    assert "stays: named by --keep" in told.output
    assert "2 runs would be removed" in told.output
