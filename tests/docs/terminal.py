"""`Terminal`: a program at a terminal of its own, of which somebody reads the screen and presses keys."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

_KEPT: Final = 8192
_KEYS_THAT_LEAVE: Final = (b"q", b"q", b"\x03")  # most programs know one of them: q, Ctrl-C
_BETWEEN_KEYS_SECONDS: Final = 3.0
_TRIES: Final = 10
_PATIENCE_SECONDS: Final = 60.0


def _sit_down() -> None:
    """Make the terminal that of the program, so that Ctrl-C reaches it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """Reads what a program shows for as long as it runs."""

    def __init__(self, command: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> None:
        """Start the program."""
        self._own, others = pty.openpty()
        self._shown = b""
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**environment, "TERM": "xterm-256color", "LINES": "40"},
            stdin=others,
            stdout=others,
            stderr=others,
            start_new_session=True,
            preexec_fn=_sit_down,
        )
        os.close(others)

    def shows(self, wanted: bytes, patience_seconds: float) -> bool:
        """Wait until it shows something, and the text that is wanted; False if it ends or takes too long."""
        until = time.monotonic() + patience_seconds
        while time.monotonic() < until:
            if not self._read(0.5) and self._process.poll() is not None:
                return self._process.returncode == 0 and wanted in self._shown
            if self._shown and wanted in self._shown:
                return True
        return False

    def stays(self, seconds: float) -> bool:
        """Say whether it is still there after so long, whether it shows anything or not."""
        return not self._waits(seconds)

    def end(self) -> int:
        """Leave the program by the keys it knows and return its exit code; one that knows none is killed."""
        # A busy machine takes a while until a program listens, so every key is pressed more than once.
        for key in _KEYS_THAT_LEAVE * _TRIES:
            if self._waits(_BETWEEN_KEYS_SECONDS):
                break
            with suppress(OSError):
                os.write(self._own, key)
        if not self._waits(_PATIENCE_SECONDS):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        os.close(self._own)
        return code

    def told(self) -> str:
        """Return the end of what it has shown."""
        return self._shown[-_KEPT:].decode(errors="replace")

    def _waits(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._process.poll() is None:
            self._read(0.2)
        return self._process.poll() is not None

    def _read(self, seconds: float) -> bool:
        """Take what is shown within so many seconds; False where nothing was."""
        if not select.select([self._own], [], [], seconds)[0]:
            return False
        try:
            self._shown += os.read(self._own, 65536)
        except OSError:  # the other end is closed
            time.sleep(0.05)
            return False
        return True
