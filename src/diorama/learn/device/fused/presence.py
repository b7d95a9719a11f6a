"""Whether the fused kernels can run."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


@cache
def is_installed() -> bool:
    """Whether Triton, which compiles the kernels, is here."""
    return find_spec("triton") is not None


def serve(tensor: torch.Tensor) -> bool:
    """Whether fused kernels can work on this tensor's memory; Triton's interpreter also works on the CPU's."""
    from torch.compiler import is_compiling

    is_reachable = tensor.device.type == "cuda" or os.environ.get("TRITON_INTERPRET") == "1"
    return is_reachable and is_installed() and not is_compiling()
