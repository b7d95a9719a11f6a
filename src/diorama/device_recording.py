"""`Recording`: work on fixed tensors that is recorded the second time it is done and played back from then on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import torch

if TYPE_CHECKING:
    from torch.cuda import _POOL_HANDLE

_ONE_AT_A_TIME: Final = threading.Lock()  # a recording begins by waiting for the whole device


def side_stream(device: torch.device, *, is_urgent: bool) -> torch.cuda.Stream | None:
    """Return a stream of its own on a GPU; elsewhere there are none and work is done where it is asked for."""
    return torch.cuda.Stream(device, priority=-1 if is_urgent else 0) if device.type == "cuda" else None


@contextmanager
def apart(stream: torch.cuda.Stream | None) -> Iterator[None]:
    """Ask for work on a stream inside the block: after what was asked for before it, and before what comes after it."""
    if stream is None:
        yield
        return
    outside = torch.cuda.current_stream(stream.device)
    stream.wait_stream(outside)
    with torch.cuda.stream(stream):
        yield
    outside.wait_stream(stream)


class Recording:
    """Work that reads and writes the same tensors every time; on a device without graphs it is simply done.

    The first time warms up, so that nothing is compiled or allocated while recording. Recording does nothing else, so
    every call does the work exactly once.
    """

    def __init__(
        self,
        work: Callable[[], None],
        stream: torch.cuda.Stream | None,
        *,
        is_recorded: bool | Callable[[], bool] = True,
        pool: _POOL_HANDLE | None = None,
        on_refusal: Callable[[RuntimeError], None] | None = None,
    ) -> None:
        """Take the work.

        Args:
            work: What is done; it must not wait for the device nor send anything to it.
            stream: Where it is done; None does it at once.
            is_recorded: Whether it is recorded at all; otherwise it is asked for piece by piece every time. Where it is
                asked every time, what was recorded is let go of once it no longer is.
            pool: Memory shared with recordings that never run at the same time.
            on_refusal: Told why the work cannot be recorded; it is then asked for piece by piece. None raises.
        """
        self._work = work
        self._stream = stream
        self._is_recorded = is_recorded if callable(is_recorded) else lambda: is_recorded
        self._pool = pool
        self._on_refusal = on_refusal
        self._graph: torch.cuda.CUDAGraph | None = None
        self._done_for: Hashable = None
        self._has_run = False

    def run(self, given: Hashable = None) -> None:
        """Do the work; numbers it depends on besides tensors are `given`, and others mean another recording."""
        if self._stream is None:
            self._work()
            return
        with torch.cuda.stream(self._stream):
            if not self._is_recorded() or not self._has_run or given != self._done_for:
                self._graph, self._done_for, self._has_run = None, given, True
                self._work()
                return
            if self._graph is None:
                self._graph = self._attempt(self._stream)
            if self._graph is None:
                self._work()
            else:
                self._graph.replay()

    def _attempt(self, stream: torch.cuda.Stream) -> torch.cuda.CUDAGraph | None:
        try:
            return self._record(stream)
        except RuntimeError as refusal:
            if self._on_refusal is None:
                raise
            self._is_recorded = lambda: False
            self._on_refusal(refusal)
            return None

    def _record(self, stream: torch.cuda.Stream) -> torch.cuda.CUDAGraph:
        graph = torch.cuda.CUDAGraph()
        # Other threads may go on: they lead slices of their own.
        with _ONE_AT_A_TIME, torch.cuda.graph(graph, pool=self._pool, stream=stream, capture_error_mode="thread_local"):
            self._work()
        return graph
