"""`ExportProcess`: exports one policy beside the server, which would stand still meanwhile."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from diorama.server.errors import NotAvailable
from diorama.server.exports.ending import TOLD
from diorama.server.exports.errors import ExportFailed, ExportRefused

# It gives way to everything else: what takes ten seconds of a processor takes minutes on a busy machine.
_PATIENCE_SECONDS: Final = 900
_GRACE_SECONDS: Final = 10


class ExportProcess:
    """Runs one export at a time; `close` ends the one under way, and there are no more."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def run(self, runs_root: Path, run_id: str, checkpoint: Path, folders: Sequence[Path] = ()) -> None:
        """Export a policy of a run, whose configuration may name files in some folders, and wait for it.

        Raises:
            ExportRefused: The process says why.
            ExportFailed: It broke down.
            NotAvailable: It took too long, or the server stops.
        """
        with self._lock:
            if self._is_closed:
                raise NotAvailable("the server stops")
            # A session of its own: an interrupt at the terminal reaches the server, which then ends this.
            process = self._process = subprocess.Popen(
                [sys.executable, "-m", __package__, str(runs_root), run_id, str(checkpoint), *map(str, folders)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,  # and its errors go where those of the server go
                start_new_session=True,
                text=True,
            )
        try:
            said, _ = process.communicate(timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            _end(process)
            raise NotAvailable(
                f"run {run_id!r} was not exported within {_PATIENCE_SECONDS} s: the machine is busy; try again later"
            ) from None
        if self._is_closed:
            raise NotAvailable("the server stops")
        if process.returncode == TOLD and said.strip():
            raise ExportRefused(said.strip().splitlines()[-1])
        if process.returncode != 0:
            raise ExportFailed(f"run {run_id!r} could not be exported; the server's log says why")

    def close(self) -> None:
        """End what is under way."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.terminate()


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
