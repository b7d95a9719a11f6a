"""Training that is killed at random moments, and training on a disk that is too small."""

import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.metadata import RunMetadata, RunStatus
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import open_run
from tests.campaigns.disks import small_disk
from tests.processes import diorama, kill, running, steps_of
from tests.training.small_runs import assert_same_policies, assert_same_training

STEPS = 49_152
# Most moments lie some windows after the last checkpoint: a run that is resumed must drop those windows.
KILLED = (
    *("--preset", "quick", "--steps", str(STEPS), "--window-env-steps", "2500", "--checkpoint-every-windows", "4"),
    *("--eval-replays-per-window", "1", "--eval-max-steps-per-episode", "8", "--closing-episodes", "0"),
)
# A checkpoint takes 0.24 MB and the state to resume from 1.8 MB, so that the second does not fit beside the first.
FULL = (
    *("--preset", "quick", "--steps", "12288", "--window-env-steps", "2048", "--checkpoint-every-windows", "1"),
    *("--policy", "mlp-128x128-tanh-v1", "--eval-replays-per-window", "0", "--closing-episodes", "0"),
)
LONGEST_DELAY_SECONDS = 0.25


def killed_training(directory: Path, *, rounds: int, seed: int) -> dict[str, Any]:
    """Kill a run again and again, a random moment after it has come so far; resumed, it equals one never killed."""
    directory.mkdir(parents=True)
    chance = random.Random(seed)
    assert diorama("train", "prospector", "--run-root", str(directory), "--run-id", "whole", *KILLED).returncode == 0
    again: tuple[str, ...] = ("--run-id", "killed", *KILLED)
    kills: list[dict[str, Any]] = []
    for number in range(rounds):
        goal = STEPS * number // (rounds + 1)
        must_drop = number == rounds // 2
        delay = 0.0 if must_drop else chance.uniform(0.0, LONGEST_DELAY_SECONDS)
        log = directory / "killed.log"
        with running(log, "train", "prospector", "--run-root", str(directory), *again) as process:
            while steps_of(directory, "killed") <= goal or (must_drop and not _is_past_a_checkpoint(directory)):
                assert process.poll() is None, log.read_text()
                time.sleep(0.005)
            time.sleep(delay)
            kill(process)
        assert process.returncode == -signal.SIGKILL, log.read_text()
        kills.append({"delay_s": round(delay, 3), **_check_files(directory)})
        # Killed before its first checkpoint, a run has nothing to go on from and is begun anew.
        is_resumable = open_run(directory, "killed").metadata().checkpoints_written > 0
        assert not must_drop or (is_resumable and kills[-1]["windows_to_drop"] > 0), kills
        again = ("--resume", "killed")
        if not is_resumable:
            shutil.rmtree(directory / "killed")
            again = ("--run-id", "killed", *KILLED)
    assert len(kills) == rounds
    last = diorama("train", "prospector", "--run-root", str(directory), *again)
    assert last.returncode == 0, last.stderr
    whole, killed = open_run(directory, "whole"), open_run(directory, "killed")
    assert_same_training(whole.layout, killed.layout)
    assert_same_policies(whole.layout, killed.layout)
    assert _counts(killed.metadata()) == _counts(whole.metadata())
    assert killed.metadata().status is RunStatus.COMPLETED
    return {"kills": kills, "env_steps": STEPS, "equal_to_a_run_never_killed": True}


def full_disk_training(directory: Path) -> dict[str, Any]:
    """Fill the disk of a run: it says so in one line, stays readable, and continues once there is room."""
    with small_disk(directory / "disk", "3m") as disk:
        refused = diorama("train", "prospector", "--run-root", str(disk.directory), "--run-id", "full", *FULL)
        complaint = _only_complaint(refused)
        assert refused.returncode == 2
        metadata = open_run(disk.directory, "full").metadata()
        assert metadata.status is RunStatus.FAILED
        assert metadata.latest_checkpoint is not None
        assert metadata.latest_checkpoint.window_id == 0
        disk.resize("64m")
        resumed = diorama("train", "prospector", "--run-root", str(disk.directory), "--resume", "full")
        assert resumed.returncode == 0, resumed.stderr
        roomy = diorama("train", "prospector", "--run-root", str(directory), "--run-id", "roomy", *FULL)
        assert roomy.returncode == 0, roomy.stderr
        full = open_run(disk.directory, "full")
        assert_same_training(full.layout, open_run(directory, "roomy").layout)
        assert_same_policies(full.layout, open_run(directory, "roomy").layout)
        leftovers = [path.name for path in full.layout.directory.rglob(".*unfinished*")]
        assert leftovers == []
    return {"complaint": complaint.replace(str(directory), ""), "equal_to_a_run_with_room": True}


def _only_complaint(ended: "subprocess.CompletedProcess[str]") -> str:
    (complaint,) = [line for line in ended.stderr.splitlines() if line.startswith("diorama: ")]
    assert "No space left on device" in complaint
    assert "Traceback" not in ended.stderr
    return complaint


def _is_past_a_checkpoint(root: Path) -> bool:
    """Whether the run says that it has closed a window since its last checkpoint."""
    metadata = open_run(root, "killed").metadata()
    window, checkpoint = metadata.latest_window, metadata.latest_checkpoint
    return window is not None and checkpoint is not None and window.env_steps_total > checkpoint.env_steps_total


def _counts(metadata: RunMetadata) -> list[int]:
    return [
        metadata.env_steps_total,
        metadata.ticks_total,
        metadata.episodes_total,
        metadata.windows_emitted,
        metadata.policy_updates,
        metadata.checkpoints_written,
        metadata.replays_written,
    ]


def _check_files(root: Path) -> dict[str, int]:
    """Read everything a killed process left; replays must be whole and come out again."""
    run = open_run(root, "killed")
    metadata, windows, index = run.metadata(), run.windows(), run.replay_index()
    assert [row["window_id"] for row in windows] == list(range(len(windows)))
    for entry in index.entries[-2:]:
        assert verify_replay(open_replay(run.layout, entry.replay_id)).is_faithful
    kept = newest_resume_point(run.layout).header.env_steps_total if metadata.checkpoints_written else 0
    return {
        "env_steps": metadata.env_steps_total,
        "windows": len(windows),
        "windows_to_drop": sum(row["env_steps_total"] > kept for row in windows),
        "replays": len(index.entries),
    }
