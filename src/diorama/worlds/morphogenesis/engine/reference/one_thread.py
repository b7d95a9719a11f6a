"""Arithmetic on one thread, whatever the process uses elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread inside the block.

    Sums split among threads depend on how many there are, and hosts as small as these gain nothing from more of them.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
