"""Counts and times the questions that reach a tracker."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from diorama.server.models.wandb import OperationFigures, TrackerOperations


class Operation(StrEnum):
    """Kinds of questions."""

    LIST_RUNS = "list_runs"
    RUN_SUMMARY = "run_summary"
    RUN_HISTORY = "run_history"


@dataclass(slots=True)
class _Counts:
    calls: int = 0
    errors: int = 0
    milliseconds: float = 0.0


class OperationMeter:
    """Figures of every operation. May be used by several threads."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        """Begin at nothing; `seconds` is a clock that never goes back."""
        self._seconds = seconds
        self._lock = Lock()
        self._counts = {operation: _Counts() for operation in Operation}

    @contextmanager
    def one(self, operation: Operation) -> Iterator[None]:
        """Count and time what the block does."""
        began, failed = self._seconds(), True
        try:
            yield
            failed = False
        finally:
            with self._lock:
                counts = self._counts[operation]
                counts.calls += 1
                counts.errors += failed
                counts.milliseconds += (self._seconds() - began) * 1000.0

    def figures(self) -> TrackerOperations:
        """Return everything counted so far."""
        with self._lock:
            return TrackerOperations(**{name.value: _figures(counts) for name, counts in self._counts.items()})

    def failing(self) -> list[str]:
        """Return the operations that have failed, with how often."""
        with self._lock:
            return [
                f"{name.value} failed {counts.errors} of {counts.calls} times"
                for name, counts in self._counts.items()
                if counts.errors
            ]


def _figures(counts: _Counts) -> OperationFigures:
    return OperationFigures(
        calls=counts.calls,
        errors=counts.errors,
        latency_ms_total=counts.milliseconds,
        latency_ms_avg=counts.milliseconds / counts.calls if counts.calls else 0.0,
    )
