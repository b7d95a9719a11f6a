"""The compiled inner loops, where they load; everything they do also exists in torch."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

from diorama.contracts.errors import TierUnavailable
from diorama.native import load_native

if TYPE_CHECKING:
    import torch

    from diorama import _native
    from diorama.contracts.values import U64
    from diorama.learn.heads.layout import HeadLayout


@cache
def is_compiled() -> bool:
    """Whether the compiled module loads here."""
    try:
        load_native()
    except TierUnavailable:
        return False
    return True


def serves(tensor: torch.Tensor) -> bool:
    """Whether compiled loops can work on this tensor's memory; what is traced for a graph has none."""
    from torch.compiler import is_compiling

    return tensor.device.type == "cpu" and is_compiled() and not is_compiling()


@lru_cache(maxsize=64)
def head_kernel(layout: HeadLayout, exploration: tuple[float, ...]) -> _native.HeadKernel:
    """Return the compiled choices over a layout of heads."""
    kernel = load_native().HeadKernel(list(layout.sizes), list(layout.noops), list(exploration))
    return cast("_native.HeadKernel", kernel)


def shuffled(seed: int, stream: int, size: int) -> U64:
    """Return what `Pcg32.from_seed(seed, stream).shuffle` makes of a range."""
    return cast("U64", load_native().pcg32_shuffle(seed, stream, size))
