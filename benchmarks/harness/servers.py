"""Real servers in processes of their own: one as users start it, one that can tell what is on its heap."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from diorama.contracts.errors import DioramaError

_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
_GRACE_SECONDS: Final = 10
_URL: Final = re.compile(r"http://\S+")
_TRACED: Final = Path(__file__).with_name("traced_server.py")
_TIMED: Final = Path(__file__).with_name("timed_live.py")


class ServerDied(DioramaError):
    """A server ended before it answered; the message has its last words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """A server that answers.

    Attributes:
        base_url: Where.
        pid: Of its process.
        listening_seconds: From the start of its process until it said where it listens.
        healthy_seconds: From the start of its process until `/health` answered.
    """

    base_url: str
    pid: int
    listening_seconds: float
    healthy_seconds: float

    @property
    def ws_url(self) -> str:
        """Where its WebSockets answer."""
        return self.base_url.replace("http", "ws", 1)

    def connect(self) -> HTTPConnection:
        """Open a connection that can be used for many requests."""
        parts = urlsplit(self.base_url)
        assert parts.hostname is not None
        return HTTPConnection(parts.hostname, parts.port, timeout=60)

    def resident_bytes(self) -> int:
        """Return how much memory the process has in RAM."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE_BYTES

    def cpu_seconds(self) -> float:
        """Return the processor time the process has used."""
        # The name of the command stands in parentheses before the numbers and may hold spaces.
        numbers = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / _TICKS_PER_SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedServer:
    """A server under `tracemalloc`, which makes it slow: for counting, never for timing."""

    running: RunningServer
    _questions: IO[str]
    _answers: IO[str]

    def heap_bytes(self) -> int:
        """Return what is on its heap after a collection."""
        self._questions.write("heap\n")
        self._questions.flush()
        return int(self._answers.readline())


@contextmanager
def serving(run_root: Path, *, log: Path) -> Iterator[RunningServer]:
    """Start `diorama serve` over a root and yield it once it answers.

    Args:
        run_root: Directory of the runs.
        log: Gets what it writes to its standard error.
    """
    command = [sys.executable, "-m", "diorama", "serve", "--no-demo", "--port", "0", "--run-root", str(run_root)]
    with _started(command, log) as (_, running):
        yield running


@contextmanager
def serving_traced(run_root: Path, *, log: Path) -> Iterator[TracedServer]:
    """Start a server that traces its memory; see `serving`."""
    with _started([sys.executable, str(_TRACED), str(run_root)], log) as (process, running):
        assert process.stdin is not None
        assert process.stdout is not None
        yield TracedServer(running=running, _questions=process.stdin, _answers=process.stdout)


@contextmanager
def living(folder: Path, world: str, *, log: Path) -> Iterator[RunningServer]:
    """Start `diorama live` at a world's own speed and yield it once it answers; see `serving`."""
    command = [sys.executable, "-m", "diorama", "live", world, "--port", "0", "--root", str(folder)]
    with _started(command, log) as (_, running):
        yield running


@contextmanager
def serving_live(folder: Path, times: Path, *, log: Path) -> Iterator[RunningServer]:
    """Start a live town at its ordinary speed and yield it once it answers.

    Args:
        folder: Where it keeps what it keeps.
        times: Gets a line for every tick, as `timed_live.py` says.
        log: Gets what it writes to its standard error.
    """
    with _started([sys.executable, str(_TIMED), str(folder), str(times)], log) as (_, running):
        yield running


@contextmanager
def _started(command: Sequence[str], log: Path) -> Iterator[tuple[subprocess.Popen[str], RunningServer]]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("DIORAMA_", "WANDB_"))}
    began = time.perf_counter()
    with log.open("a", encoding="utf-8") as words:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
            text=True,
            env={**inherited, "PYTHONUNBUFFERED": "1"},
        )
    try:
        base_url = _announced(process, log)
        listening = time.perf_counter() - began
        running = RunningServer(
            base_url=base_url,
            pid=process.pid,
            listening_seconds=listening,
            healthy_seconds=_healthy(base_url, began),
        )
        yield process, running
    finally:
        process.terminate()
        try:
            process.communicate(timeout=_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _announced(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = _URL.search(line)
        if found is not None:
            return found[0]
    raise ServerDied(f"the server did not start: {log.read_text(encoding='utf-8')[-500:]}")


def _healthy(base_url: str, began: float) -> float:
    # The address listens before it is announced, so this waits for the first answer and needs no second try.
    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=60)
    connection.request("GET", "/health")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise ServerDied(f"/health answers {answer.status}")
    return time.perf_counter() - began
