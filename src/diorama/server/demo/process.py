"""`DemoProcess`: makes demo data beside the server, so that pages are up at once."""

import subprocess
import sys
from pathlib import Path
from typing import Final, Self

_GRACE_SECONDS: Final = 10


class DemoProcess:
    """Runs while the block runs; a process that is not done is asked to stop, and leaves whole runs behind."""

    def __init__(self, runs_root: Path) -> None:
        """Start nothing yet."""
        self._runs_root = runs_root
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start."""
        # A session of its own: an interrupt at the terminal reaches the server, which then ends this in its own order.
        self._process = subprocess.Popen(
            [sys.executable, "-m", __package__, str(self._runs_root)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
