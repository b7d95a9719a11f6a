"""The torch side of `arrays.py`, and the seeds of `seeds.py` computed where the lanes are."""

from typing import Final

import torch

from diorama.rng.mixing import GOLDEN, MIX_FIRST, MIX_SECOND
from diorama.worlds.gameboy.envs.arrays import Library

_TYPES: Final = {"bool": torch.bool, "int16": torch.int16, "int32": torch.int32, "float32": torch.float32}
_SIGN: Final = 1 << 64


def library_on(device: torch.device) -> Library:
    """Return the calls for tensors of a device."""
    return Library(
        zeros=lambda shape, dtype: torch.zeros(shape, dtype=_TYPES[dtype], device=device),
        cast=lambda array, dtype: array.to(_TYPES[dtype]),
        constant=lambda values, dtype: torch.tensor(values, dtype=_TYPES[dtype], device=device),
        where=torch.where,
        arange=lambda count: torch.arange(count, device=device),
    )


def noop_steps_each(seeds: torch.Tensor, episodes: torch.Tensor, noop_start_max: int) -> torch.Tensor:
    """`seeds.noop_steps_each` for 64-bit words held in int64 tensors."""
    return _modulo(_mix64(seeds + episodes), noop_start_max + 1)


def start_slot_each(seeds: torch.Tensor, episodes: torch.Tensor, slots: int) -> torch.Tensor:
    """`seeds.start_slot_each` for 64-bit words held in int64 tensors."""
    return _modulo(_mix64(seeds ^ (episodes * _signed(GOLDEN))), slots)


def episode_seed_each(bases: torch.Tensor, indexes: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """`seeds.episode_seed_each` for 64-bit words held in int64 tensors."""
    return _mix64(bases ^ _mix64((indexes << 32) + counts))


def words_on(values: list[int], device: torch.device) -> torch.Tensor:
    """64-bit words as an int64 tensor."""
    return torch.tensor([_signed(value) for value in values], dtype=torch.int64, device=device)


def _mix64(words: torch.Tensor) -> torch.Tensor:
    z = words + _signed(GOLDEN)
    z = (z ^ _shifted(z, 30)) * _signed(MIX_FIRST)
    z = (z ^ _shifted(z, 27)) * _signed(MIX_SECOND)
    return z ^ _shifted(z, 31)


def _shifted(words: torch.Tensor, by: int) -> torch.Tensor:
    """Shift right without drawing the sign along."""
    return (words >> by) & ((1 << (64 - by)) - 1)


def _modulo(words: torch.Tensor, divisor: int) -> torch.Tensor:
    """Remainder of words taken as numbers of 0 to 2^64 - 1."""
    return ((_shifted(words, 1) % divisor) * 2 + (words & 1)) % divisor


def _signed(word: int) -> int:
    return word - _SIGN if word >> 63 else word
