"""A training run in a process of its own, and how fast it goes."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.runs.run import Run, open_run, run_ids

_LOOK_SECONDS: Final = 0.05
_GRACE_SECONDS: Final = 60
_FIRST_WINDOW_SECONDS: Final = 120.0
_ENDLESS: Final = "1000000000000"


class TrainingDied(DioramaError):
    """A training process ended before it was told to; the message has its last words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingProcess:
    """A run that is training.

    Attributes:
        run: Its directory.
        process: Its process.
    """

    run: Run
    process: subprocess.Popen[bytes]

    def windows(self) -> int:
        """Return how many windows are closed."""
        return len(self.run.windows())

    def rate_since(self, first: int) -> float:
        """Return env steps per second over the windows that closed after the window of this number.

        Raises:
            TrainingDied: There are fewer than two.
        """
        rows = self.run.windows()[first:]
        if len(rows) < 2:
            raise TrainingDied(f"{self.run.run_id} closed {len(rows)} windows meanwhile; give it more seconds")
        spent = datetime.fromisoformat(rows[-1]["created_at"]) - datetime.fromisoformat(rows[0]["created_at"])
        steps: int = rows[-1]["env_steps_total"] - rows[0]["env_steps_total"]
        return steps / spent.total_seconds()


@contextmanager
def training(
    run_root: Path, run_id: str, world: str, preset: str, *, log: Path, more: Sequence[str] = ()
) -> Iterator[TrainingProcess]:
    """Train until the block ends, with further options; it begins once two windows are closed.

    Raises:
        TrainingDied: The process ends by itself, or closes no window.
    """
    command = [sys.executable, "-m", "diorama", "train", world, "--preset", preset, "--steps", _ENDLESS]
    command += ["--run-root", str(run_root), "--run-id", run_id, *more]
    with log.open("ab") as words:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=words, stderr=words)
    try:
        _await_run(process, run_root, run_id, log)
        yield TrainingProcess(run=open_run(run_root, run_id), process=process)
        if process.poll() is not None:
            raise TrainingDied(f"the training ended by itself: {_last_words(log)}")
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_run(process: subprocess.Popen[bytes], run_root: Path, run_id: str, log: Path) -> None:
    deadline = time.monotonic() + _FIRST_WINDOW_SECONDS
    while run_id not in run_ids(run_root) or len(open_run(run_root, run_id).windows()) < 2:
        if process.poll() is not None:
            raise TrainingDied(f"the training did not start: {_last_words(log)}")
        if time.monotonic() > deadline:
            raise TrainingDied(f"the training closed no window in {_FIRST_WINDOW_SECONDS:.0f} s")
        time.sleep(_LOOK_SECONDS)


def _last_words(log: Path) -> str:
    return log.read_text(encoding="utf-8")[-400:]
