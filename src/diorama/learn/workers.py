"""A thread pool whose results do not depend on the number of threads."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import torch

from diorama.engine.system_facts import usable_cores

T = TypeVar("T")


class Workers:
    """A fixed number of threads, each using torch single-threaded.

    torch's own threads share out a product in ways that depend on their number, and with it the last bits of the
    result. Here the portions are fixed by the caller and every portion is computed by one thread alone.
    """

    def __init__(self, threads: int | None) -> None:
        """Start the threads; None takes one per usable core. With one thread the caller works itself."""
        self.threads = usable_cores() if threads is None else threads
        self._pool = None
        if self.threads > 1:
            self._pool = ThreadPoolExecutor(self.threads, "diorama-learn", initializer=use_one_thread)

    def run(self, tasks: Sequence[Callable[[], T]]) -> list[T]:
        """Run all tasks and return their results in order."""
        if self._pool is None or len(tasks) == 1:
            return [task() for task in tasks]
        return [future.result() for future in [self._pool.submit(task) for task in tasks]]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def use_one_thread() -> None:
    """Keep torch to the thread that calls this; for threads that have just begun."""
    torch.set_num_threads(1)


@contextmanager
def single_threaded_torch() -> Iterator[None]:
    """Keep torch to the calling thread; what was set before is set again afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
