"""A disk that fills up while a run trains: the run says so, stays readable and continues once there is room."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from tests.operate.training.runs_to_compare import assert_same_policies, assert_same_training

# A checkpoint takes 0.24 MB and the state to resume from 1.8 MB, so that the second does not fit beside the first.
SMALL_DISK = "3m"
LARGE_DISK = "64m"
ARGUMENTS = (
    *("--preset", "quick", "--steps", "12288", "--window-env-steps", "2048", "--checkpoint-every-windows", "1"),
    *("--policy", "mlp-128x128-tanh-v1", "--eval-replays-per-window", "0", "--closing-episodes", "0"),
)


def mount(directory: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(directory)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, with little room."""
    directory = tmp_path / "disk"
    directory.mkdir()
    mounted = mount(directory, f"size={SMALL_DISK}")
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield directory
    subprocess.run(["umount", str(directory)], check=True)


def train(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "diorama.cli", "train", "prospector", "--run-root", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.e2e
def test_a_run_survives_a_full_disk(disk: Path, tmp_path: Path) -> None:
    refused = train(disk, "--run-id", "full", *ARGUMENTS)

    (complaint,) = [line for line in refused.stderr.splitlines() if line.startswith("diorama: ")]
    assert refused.returncode == 2
    assert "No space left on device" in complaint
    assert "Traceback" not in refused.stderr
    metadata = open_run(disk, "full").metadata()
    assert metadata.status is RunStatus.FAILED
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.window_id == 0

    assert mount(disk, "remount", f"size={LARGE_DISK}").returncode == 0
    assert train(disk, "--resume", "full").returncode == 0
    assert train(tmp_path, "--run-id", "roomy", *ARGUMENTS).returncode == 0

    full, roomy = open_run(disk, "full").layout, open_run(tmp_path, "roomy").layout
    assert_same_training(full, roomy)
    assert_same_policies(full, roomy)
