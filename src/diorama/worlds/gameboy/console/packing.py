"""Four pixels of two bits in a byte, the leftmost in the lowest bits."""

from typing import Final

import numpy as np

from diorama.contracts.values import U8

PIXELS_PER_BYTE: Final = 4
TILE_SIDE: Final = 8
_TILE_BYTES: Final = 16
_TILES_PER_ROW: Final = 16


def pack_shades(shades: U8) -> U8:
    """Pack an array of shades 0..3 along its last axis, whose length is a multiple of 4."""
    a, b, c, d = (shades[..., place::PIXELS_PER_BYTE] for place in range(PIXELS_PER_BYTE))
    return (a | (b << 2) | (c << 4) | (d << 6)).astype(np.uint8, copy=False)


def tile_sheet(tiles: bytes) -> U8:
    """Lay out tile memory as a sheet of color numbers, 16 tiles in a row."""
    planes = np.frombuffer(tiles, np.uint8).reshape(-1, TILE_SIDE, 2)
    low, high = (np.unpackbits(planes[:, :, plane, None], axis=2) for plane in range(2))
    colors = low | (high << 1)
    rows = len(tiles) // (_TILE_BYTES * _TILES_PER_ROW)
    sheet = colors.reshape(rows, _TILES_PER_ROW, TILE_SIDE, TILE_SIDE).swapaxes(1, 2).reshape(rows * TILE_SIDE, -1)
    return sheet.astype(np.uint8, copy=False)
