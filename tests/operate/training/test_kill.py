"""A killed training process: whatever the moment, the run is readable and continues as if nothing had happened."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diorama.contracts.errors import UnknownName
from diorama.runs.metadata import RunMetadata
from diorama.runs.run import Run, open_run
from tests.operate.training.runs_to_compare import assert_same_policies, assert_same_training

STEPS = 24_576
ARGUMENTS = (
    *("--preset", "quick", "--steps", str(STEPS), "--eval-replays-per-window", "1", "--closing-episodes", "0"),
    *("--eval-max-steps-per-episode", "8", "--window-env-steps", "2500", "--checkpoint-every-windows", "2"),
)


def start(root: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "diorama.cli", "train", "prospector", "--run-root", str(root), *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def metadata_of(root: Path, run_id: str) -> RunMetadata | None:
    try:
        return open_run(root, run_id).metadata()
    except UnknownName:
        return None


def kill_after(process: "subprocess.Popen[bytes]", root: Path, run_id: str, *, env_steps: int, delay_s: float) -> None:
    """Kill the process a moment after the run is known to have come so far; reading must succeed all the while."""
    while process.poll() is None:
        metadata = metadata_of(root, run_id)
        if metadata is not None and metadata.env_steps_total >= env_steps:
            time.sleep(delay_s)
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.005)
    process.wait()


@pytest.mark.slow
@pytest.mark.e2e
def test_a_run_killed_at_random_moments_equals_one_that_never_was(tmp_path: Path) -> None:
    chance = random.Random(20_261_115)
    assert start(tmp_path, "--run-id", "whole", *ARGUMENTS).wait() == 0
    process = start(tmp_path, "--run-id", "killed", *ARGUMENTS)
    targets = sorted(chance.randrange(STEPS // 2) for _ in range(2))

    for target in targets:
        kill_after(process, tmp_path, "killed", env_steps=target, delay_s=chance.random() * 0.1)
        assert process.returncode == -signal.SIGKILL
        Run(open_run(tmp_path, "killed").layout).windows()
        process = start(tmp_path, "--resume", "killed")

    assert process.wait() == 0
    whole, killed = open_run(tmp_path, "whole").layout, open_run(tmp_path, "killed").layout
    assert_same_training(whole, killed)
    assert_same_policies(whole, killed)
    counters = ("env_steps_total", "ticks_total", "episodes_total", "windows_emitted", "policy_updates")
    files = ("checkpoints_written", "replays_written", "status")
    one, other = Run(whole).metadata(), Run(killed).metadata()
    assert [getattr(one, name) for name in (*counters, *files)] == [
        getattr(other, name) for name in (*counters, *files)
    ]


@pytest.mark.e2e
def test_an_interrupt_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    process = start(tmp_path, "--run-id", "run-a", *ARGUMENTS, "--steps", "50000000")
    while (metadata := metadata_of(tmp_path, "run-a")) is None or metadata.env_steps_total == 0:
        assert process.poll() is None
        time.sleep(0.01)

    process.send_signal(signal.SIGINT)

    assert process.wait() == 0
    metadata = open_run(tmp_path, "run-a").metadata()
    assert metadata.status.value == "stopped"
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.env_steps_total == metadata.env_steps_total
