"""Pictures on a device: the calls of `pixels.py` for torch tensors, with the same results."""

from functools import lru_cache

import torch

from diorama.worlds.gameboy.envs.pixels import PIXELS_PER_BYTE, distance_table, unpack_table


def pack(shades: torch.Tensor) -> torch.Tensor:
    """Four pixels a byte, the leftmost in the lowest bits; the last axis must be a multiple of four."""
    quads = shades.reshape(*shades.shape[:-1], -1, PIXELS_PER_BYTE)
    return quads[..., 0] | quads[..., 1] << 2 | quads[..., 2] << 4 | quads[..., 3] << 6


def unpack(packed: torch.Tensor) -> torch.Tensor:
    """Shades of packed pictures; the last axis becomes four times as long."""
    return _unpack_table(packed.device)[packed.to(torch.int32)].flatten(-2)


def shade_distance(pictures: torch.Tensor, goals: torch.Tensor) -> torch.Tensor:
    """Sum of |pixel - goal| of each picture, (n, ...) against one goal or one each, as int32."""
    difference = torch.maximum(pictures, goals) - torch.minimum(pictures, goals)
    return difference.flatten(1).sum(dim=1, dtype=torch.int32)


def packed_distance(pictures: torch.Tensor, goals: torch.Tensor) -> torch.Tensor:
    """The same sum for packed pictures, byte by byte from the table."""
    pairs = (pictures.to(torch.int32) << 8 | goals.to(torch.int32)).flatten(1)
    return _distance_table(pictures.device)[pairs].sum(dim=1, dtype=torch.int32)


@lru_cache(maxsize=8)
def _unpack_table(device: torch.device) -> torch.Tensor:
    return torch.from_numpy(unpack_table().copy()).to(device)


@lru_cache(maxsize=8)
def _distance_table(device: torch.device) -> torch.Tensor:
    return torch.from_numpy(distance_table().ravel().copy()).to(device)
