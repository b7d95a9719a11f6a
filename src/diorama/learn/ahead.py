"""`Ahead`: gathers the next rollout while the last one is learned from."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from diorama.learn.parts import Gathered
from diorama.learn.workers import use_one_thread


class Ahead:
    """A thread that gathers, so that copies step and the device decides while learning is asked for and told of."""

    def __init__(self) -> None:
        """Start the thread."""
        self._thread = ThreadPoolExecutor(1, "diorama-ahead", initializer=use_one_thread)

    @contextmanager
    def gathering(self, gather: Callable[[], Gathered]) -> Iterator[Future[Gathered]]:
        """Gather during the block; it is not left before that is done."""
        gathered = self._thread.submit(gather)
        try:
            yield gathered
        finally:
            wait([gathered])

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()
