"""Compiled and Triton kernels, and whether they can be used for a tensor; torch operations are the fallback."""

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
    """Whether the compiled module can be imported."""
    try:
        load_native()
    except TierUnavailable:
        return False
    return True


def can_use_native(tensor: torch.Tensor) -> bool:
    """Whether compiled kernels can read this tensor: it is on the CPU and not being traced."""
    from torch.compiler import is_compiling

    return tensor.device.type == "cpu" and is_compiled() and not is_compiling()


@lru_cache(maxsize=64)
def head_kernel(layout: HeadLayout, exploration: tuple[float, ...]) -> _native.HeadKernel:
    """Return the compiled sampling and scoring of a layout of heads."""
    kernel = load_native().HeadKernel(list(layout.sizes), list(layout.noops), list(exploration))
    return cast("_native.HeadKernel", kernel)


def shuffled_range(seed: int, stream: int, size: int) -> U64:
    """Return 0..size-1 in the order of `Pcg32.from_seed(seed, stream).shuffle`."""
    return cast("U64", load_native().pcg32_shuffle(seed, stream, size))


@cache
def triton_is_installed() -> bool:
    """Whether Triton is installed."""
    return find_spec("triton") is not None


def can_use_triton(tensor: torch.Tensor) -> bool:
    """Whether Triton kernels can read this tensor: it is on a GPU, or Triton's interpreter is on."""
    from torch.compiler import is_compiling

    is_supported = tensor.device.type == "cuda" or os.environ.get("TRITON_INTERPRET") == "1"
    return is_supported and triton_is_installed() and not is_compiling()
