"""A training that is interrupted, as a process or while it imitates; `tests/campaigns/training.py` kills some."""

import signal
import time
from pathlib import Path

import pytest

from diorama.runs.checkpoints.files import checkpoint_paths, clone_path, read_checkpoint_header
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.training.callbacks.progress import NoProgress
from tests.processes import diorama, running, steps_of
from tests.runs.kept_policies import kept_tensors
from tests.training.small_runs import (
    SMALL_MATCHES,
    AfterChecks,
    assert_same_training,
    resume_small,
    small_plan,
    train_small,
)

ARGUMENTS = (
    *("--run-id", "run-a", "--preset", "quick", "--steps", "50000000", "--window-env-steps", "2500"),
    *("--eval-replays-per-window", "1", "--eval-max-steps-per-episode", "8", "--closing-episodes", "0"),
)


@pytest.mark.e2e
def test_an_interrupt_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    with running(log, "train", "prospector", "--run-root", str(tmp_path), *ARGUMENTS) as process:
        while steps_of(tmp_path, "run-a") == 0:
            assert process.poll() is None, log.read_text()
            time.sleep(0.01)

        process.send_signal(signal.SIGINT)

        assert process.wait() == 0, log.read_text()
    metadata = open_run(tmp_path, "run-a").metadata()
    assert metadata.status is RunStatus.STOPPED
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.env_steps_total == metadata.env_steps_total


IMITATING = (
    *("--run-id", "run-a", "--preset", "imitate", "--steps", "4096", "--closing-episodes", "0"),
    *("--eval-replays-per-window", "0", "--set", "cloning.decisions=30000", "--set", "cloning.rounds=1"),
    *("--policy", "mlp-32x32-tanh-v1"),
)


@pytest.mark.e2e
def test_an_interrupt_while_imitating_says_so_and_leaves_a_checkpoint_to_resume_from(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    with running(log, "train", "prospector", "--run-root", str(tmp_path), *IMITATING) as process:
        while "learning from prudent_hauler" not in log.read_text():
            assert process.poll() is None, log.read_text()
            time.sleep(0.01)

        process.send_signal(signal.SIGINT)
        began = time.monotonic()

        assert process.wait() == 0, log.read_text()
    # The checkpoint and the end of Python are in it.
    assert time.monotonic() - began < 5.0
    assert "stopping: the imitation is not finished" in log.read_text()
    metadata = open_run(tmp_path, "run-a").metadata()
    assert metadata.status is RunStatus.STOPPED
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.env_steps_total == 0

    resumed = diorama("train", "prospector", "--run-root", str(tmp_path), "--resume", "run-a")

    assert resumed.returncode == 0, resumed.stderr
    assert "imitated" in resumed.stderr
    assert open_run(tmp_path, "run-a").metadata().status is RunStatus.COMPLETED


class Lines(NoProgress):
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.stages: list[str | None] = []

    def log(self, line: str) -> None:
        self.lines.append(line)

    def stage(self, text: str | None) -> None:
        self.stages.append(text)


BOT = {"bot": "prudent_hauler", "decisions": 512, "copies": 8, "epochs": 2, "rounds": 2, "minibatch_rows": 128}


@pytest.mark.parametrize(
    "checks",
    [
        pytest.param(0, id="before-it-begins"),
        pytest.param(20, id="recording"),
        pytest.param(66, id="pretraining"),
        pytest.param(100, id="second-round"),
        pytest.param(146, id="pretraining-again"),
    ],
)
def test_a_run_stopped_while_imitating_comes_out_as_one_never_stopped(tmp_path: Path, checks: int) -> None:
    plan = small_plan(cloning=BOT, steps=1024, windows={"env_steps": 500}, checkpoints={"keep_clone": True})
    whole = train_small(tmp_path, "whole", plan).layout
    progress = Lines()

    parts = train_small(tmp_path, "parts", plan, progress=progress, stop=AfterChecks(checks))

    assert parts.status is RunStatus.STOPPED
    assert progress.stages[-1] is None
    assert any(line.startswith("stopping: the imitation is not finished") for line in progress.lines)
    assert [read_checkpoint_header(path).env_steps_total for path in checkpoint_paths(parts.layout)] == [0]
    assert not clone_path(parts.layout).exists()

    resume_small(tmp_path, "parts", plan)

    assert_same_training(whole, parts.layout)
    ours, theirs = (kept_tensors(clone_path(layout)) for layout in (whole, parts.layout))
    assert all(ours[name].equal(theirs[name]) for name in ours | theirs)


def test_a_run_with_opponents_stopped_while_imitating_comes_out_as_one_never_stopped(tmp_path: Path) -> None:
    cloning = {"bot": "hunter", "decisions": 64, "copies": 2, "epochs": 1, "minibatch_rows": 32}
    plan = small_plan(SMALL_MATCHES, cloning=cloning, steps=256)
    whole = train_small(tmp_path, "whole", plan).layout

    parts = train_small(tmp_path, "parts", plan, stop=AfterChecks(5))
    resume_small(tmp_path, "parts", plan)

    assert parts.env_steps_total == 0
    assert_same_training(whole, parts.layout)
