"""Compiled inner loops, and whether they can work on a tensor; torch operations replace them where they cannot."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from diorama.contracts.errors import TierUnavailable
from diorama.native import load_native

if TYPE_CHECKING:
    import torch

    from diorama import _native
    from diorama.contracts.values import U64
    from diorama.learn.policies.head_plan import HeadLayout


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


@cache
def triton_is_installed() -> bool:
    """Whether Triton, which compiles the kernels, is here."""
    return find_spec("triton") is not None


def triton_serves(tensor: torch.Tensor) -> bool:
    """Whether fused kernels can work on this tensor's memory; Triton's interpreter also works on the CPU's."""
    from torch.compiler import is_compiling

    is_reachable = tensor.device.type == "cuda" or os.environ.get("TRITON_INTERPRET") == "1"
    return is_reachable and triton_is_installed() and not is_compiling()
