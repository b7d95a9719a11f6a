"""`Readiness`: whether a server can do what it is for: save, play, keep up."""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.server.models.health import Check, Readiness

Checker = Callable[[], Awaitable[str | None]]
"""Returns what is wrong, None where nothing is."""

_PATIENCE_SECONDS: Final = 2.0
_KEPT_SECONDS: Final = 2.0
_PROBE: Final = b"ready?"


class LoopLag:
    """How late the event loop is with what is due; measured while `watched` runs."""

    _EVERY_SECONDS: Final = 0.25
    _REMEMBERED: Final = 40  # ten seconds

    def __init__(self) -> None:
        """Measure nothing yet."""
        self._lags: list[float] = [0.0]

    @property
    def seconds(self) -> float:
        """The longest delay of the last ten seconds."""
        return max(self._lags)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Measure until the block ends."""
        measuring = asyncio.create_task(self._measure())
        try:
            yield
        finally:
            measuring.cancel()
            with suppress(asyncio.CancelledError):
                await measuring

    async def _measure(self) -> None:
        while True:
            due = time.monotonic() + self._EVERY_SECONDS
            await asyncio.sleep(self._EVERY_SECONDS)
            self._lags = [*self._lags[1 - self._REMEMBERED :], max(0.0, time.monotonic() - due)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskCheck:
    """Whether files can be written to folders, which are made where they do not exist.

    Attributes:
        folders: Where.
        least_free_bytes: Free room below which something is wrong.
    """

    folders: Sequence[Path]
    least_free_bytes: int

    async def __call__(self) -> str | None:
        """Write a file, and return what is wrong."""
        return await asyncio.to_thread(self._problem)

    def _problem(self) -> str | None:
        for folder in self.folders:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=folder) as file:
                    file.write(_PROBE)
                    file.flush()
                    os.fsync(file.fileno())
                space = os.statvfs(folder)
            except OSError as error:
                return f"{folder.name}: {(error.strerror or str(error)).lower()}"
            free = space.f_bavail * space.f_frsize
            if free < self.least_free_bytes:
                return f"{folder.name}: {free} bytes are free, fewer than {self.least_free_bytes}"
        return None


class ReadyService:
    """Asks all checks at once; an answer is kept for a moment, so that asking costs little.

    Attributes:
        lag: How late the event loop is.
    """

    def __init__(self, checks: Mapping[str, Checker], *, behind_seconds: float) -> None:
        """Take checks by the name that the answer gives them, and how late the event loop may be."""
        self.lag = LoopLag()
        self._behind_seconds = behind_seconds
        self._checks = {**checks, "keep_up": self._keeps_up}
        self._kept: tuple[float, Readiness] | None = None
        self._lock = asyncio.Lock()

    async def look(self) -> Readiness:
        """Return whether everything is well, and which check fails."""
        async with self._lock:
            if self._kept is None or time.monotonic() - self._kept[0] >= _KEPT_SECONDS:
                problems = await asyncio.gather(*map(_asked, self._checks.values()))
                checks = [
                    Check(name=name, ok=problem is None, problem=problem)
                    for name, problem in zip(self._checks, problems, strict=True)
                ]
                is_ready = all(check.ok for check in checks)
                answer = Readiness(status="ready" if is_ready else "not_ready", checks=checks)
                self._kept = time.monotonic(), answer
            return self._kept[1]

    async def _keeps_up(self) -> str | None:
        lag, allowed = self.lag.seconds, self._behind_seconds
        return f"requests waited {lag:.1f} s, more than {allowed:g} s" if lag > allowed else None


async def _asked(check: Checker) -> str | None:
    try:
        return await asyncio.wait_for(check(), _PATIENCE_SECONDS)
    except DioramaError as error:
        return str(error)
    except TimeoutError:
        return f"no answer within {_PATIENCE_SECONDS:g} s"
