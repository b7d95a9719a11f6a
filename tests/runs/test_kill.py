import subprocess
import sys
from pathlib import Path

import pytest


def kill_writers(runs_root: Path, rounds: int) -> str:
    command = [sys.executable, "-m", "tests.runs.kill_rounds", str(runs_root), str(rounds)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_writers_killed_at_random_moments_leave_whole_documents(tmp_path: Path) -> None:
    assert kill_writers(tmp_path, rounds=40) == "40 rounds, 30 of them beyond a checkpoint\n"


@pytest.mark.slow
def test_many_more_writers_killed_at_random_moments_leave_whole_documents(tmp_path: Path) -> None:
    kill_writers(tmp_path, rounds=500)
