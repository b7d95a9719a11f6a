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

    torch's own threads split a matrix product depending on their number, which changes the last bits of the result.
    Here the caller splits the work into tasks, and one thread computes each task.
    """

    def __init__(self, threads: int | None) -> None:
        """Start the threads, by default one per usable core; with one thread, tasks run in the caller's thread."""
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
    """Make torch single-threaded in the calling thread."""
    torch.set_num_threads(1)


@contextmanager
def single_threaded_torch() -> Iterator[None]:
    """Make torch single-threaded while the block runs."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
