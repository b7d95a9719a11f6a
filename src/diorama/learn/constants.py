"""Small fixed tensors, made once per device: sending them anew would wait for the device, and cannot be recorded."""

from functools import lru_cache

import torch


def constant(numbers: tuple[float, ...], dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Return these numbers as a tensor that nobody writes to."""
    # What is traced for a graph is no memory that could be kept.
    if torch.compiler.is_compiling():
        return torch.tensor(numbers, dtype=dtype, device=device)
    return _kept(numbers, dtype, device)


@lru_cache(maxsize=256)
def _kept(numbers: tuple[float, ...], dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    with torch.inference_mode(False):
        return torch.tensor(numbers, dtype=dtype, device=device)
