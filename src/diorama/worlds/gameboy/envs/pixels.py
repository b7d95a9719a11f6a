"""Pictures on the host: halving, four pixels a byte, distances of bytes. `pixels_on_device.py` is the twin in torch."""

from functools import cache
from typing import Final

import numpy as np

from diorama.contracts.values import I32, U8

FULL_SHAPE: Final = (144, 160)
HALF_SHAPE: Final = (72, 80)
PACKED_SHAPE: Final = (72, 20)
SHADES: Final = 4
PIXELS_PER_BYTE: Final = 4
HALF_PIXELS: Final = HALF_SHAPE[0] * HALF_SHAPE[1]
_SHIFTS: Final = np.array([0, 2, 4, 6], np.uint8)
_GROUP_WORDS: Final = 80  # 80 pixels of at most 3 stay below 256, so that eight sums fit a word without a carry


def halve(full: U8) -> U8:
    """Every second pixel of every second row; the last two axes are rows and columns."""
    return full[..., ::2, ::2]


def double(half: U8) -> U8:
    """Every pixel four times: a half picture as large as a full one."""
    return half.repeat(2, axis=-2).repeat(2, axis=-1)


def pack(shades: U8) -> U8:
    """Four pixels a byte, the leftmost in the lowest bits; the last axis must be a multiple of four."""
    quads = shades.reshape(*shades.shape[:-1], -1, PIXELS_PER_BYTE)
    packed: U8 = np.bitwise_or.reduce(quads << _SHIFTS, axis=-1)
    return packed


def unpack(packed: U8) -> U8:
    """Shades of packed pictures; the last axis becomes four times as long."""
    return unpack_table()[packed].reshape(*packed.shape[:-1], -1)


@cache
def unpack_table() -> U8:
    """The four shades of every byte, (256, 4)."""
    table: U8 = (np.arange(256, dtype=np.uint8)[:, None] >> _SHIFTS) & np.uint8(SHADES - 1)
    table.flags.writeable = False
    return table


@cache
def distance_table() -> U8:
    """Sum of the distances of the four pixels of two bytes, (256, 256)."""
    shades = unpack_table().astype(np.int16)
    table: U8 = np.abs(shades[:, None] - shades[None]).sum(axis=-1).astype(np.uint8)
    table.flags.writeable = False
    return table


def shade_distance(pictures: U8, goal: U8) -> I32:
    """Sum of |pixel - goal| of each picture: (n, ...) against (...), or against one goal each; shades 0 to 3."""
    difference = np.maximum(pictures, goal) - np.minimum(pictures, goal)
    words = difference.reshape(len(pictures), -1, _GROUP_WORDS * 8).view(np.uint64)
    total: I32 = words.sum(axis=-1).view(np.uint8).sum(axis=-1, dtype=np.int32)
    return total


def packed_distance(pictures: U8, goal: U8) -> I32:
    """The same sum for packed pictures, byte by byte from the table."""
    pairs = pictures.reshape(len(pictures), -1).astype(np.intp) << 8
    total: I32 = distance_table().ravel()[pairs | goal.reshape(-1, pairs.shape[1])].sum(axis=-1, dtype=np.int32)
    return total
