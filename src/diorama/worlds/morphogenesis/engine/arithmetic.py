"""The arithmetic that hosts are trained with, whatever the process uses elsewhere."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import torch


@contextmanager
def plain_arithmetic() -> Iterator[None]:
    """Compute on one thread and with whole binary32 inside the block.

    Sums split among threads depend on how many there are, and hosts as small as these gain nothing from more of them.
    A graphics card would shorten the factors of convolutions unasked, and those of products where a policy's trainer
    has asked for it; the two engines would then no longer be the same world.
    """
    threads = torch.get_num_threads()  # every thread has a number of its own
    torch.set_num_threads(1)
    _WHOLE_PRECISION.enter()
    try:
        yield
    finally:
        _WHOLE_PRECISION.leave()
        torch.set_num_threads(threads)


class _WholePrecision:
    """Precision belongs to the process: the first block that is open changes it, and the last one restores it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_blocks = 0
        self._has_card = False
        self._restoring = ExitStack()

    def enter(self) -> None:
        with self._lock:
            if self._open_blocks == 0:
                self._restoring.callback(torch.set_float32_matmul_precision, torch.get_float32_matmul_precision())
                torch.set_float32_matmul_precision("highest")
            if not self._has_card and torch.cuda.is_initialized():
                self._has_card = True
                convolutions = torch.backends.cudnn.flags(enabled=True, deterministic=True, allow_tf32=False)
                self._restoring.enter_context(convolutions)
            self._open_blocks += 1

    def leave(self) -> None:
        with self._lock:
            self._open_blocks -= 1
            if self._open_blocks == 0:
                self._has_card = False
                self._restoring.close()


_WHOLE_PRECISION: Final = _WholePrecision()
