"""A training process that is interrupted; `tests/campaigns/training.py` kills some."""

import signal
import time
from pathlib import Path

import pytest

from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from tests.processes import running, steps_of

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
