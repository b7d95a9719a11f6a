"""The arithmetic that hosts are trained with, whatever the process uses elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import torch


@contextmanager
def plain_arithmetic() -> Iterator[None]:
    """Compute on one thread and with whole binary32 inside the block.

    Sums split among threads depend on how many there are, and hosts as small as these gain nothing from more of them.
    A graphics card would shorten the factors of convolutions unasked, and those of products where a policy's trainer
    has asked for it; the two engines would then no longer be the same world.
    """
    threads, precision = torch.get_num_threads(), torch.get_float32_matmul_precision()
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("highest")
    has_card = torch.cuda.is_initialized()
    convolutions = torch.backends.cudnn.flags(enabled=True, deterministic=True, allow_tf32=False)
    try:
        with convolutions if has_card else nullcontext():
            yield
    finally:
        torch.set_float32_matmul_precision(precision)
        torch.set_num_threads(threads)
