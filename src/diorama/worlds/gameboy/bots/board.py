"""Reads the board of our games off a half picture: which tile stands where."""

from functools import cache
from typing import Final

import numpy as np

from diorama.contracts.values import U8
from diorama.worlds.gameboy.envs.pixels import HALF_PIXELS, HALF_SHAPE, halve
from diorama.worlds.gameboy.roms.tasks.game import tile_bytes

_SIDE: Final = 4  # pixels of a tile in a half picture
_TILE_BYTES: Final = 16


def newest_picture(obs_u8: U8) -> U8 | None:
    """The newest half picture of an observation row; None where it has no such shades."""
    picture = obs_u8[: len(obs_u8) // HALF_PIXELS * HALF_PIXELS][-HALF_PIXELS:]
    return picture.reshape(HALF_SHAPE) if len(picture) and picture.max() <= 3 else None


def read_board(picture: U8) -> U8:
    """Number of the tile at every place of the screen, (18, 20); 255 for one that is no tile of the games."""
    rows, columns = HALF_SHAPE[0] // _SIDE, HALF_SHAPE[1] // _SIDE
    places = picture.reshape(rows, _SIDE, columns, _SIDE).swapaxes(1, 2).reshape(rows, columns, 1, -1)
    is_tile = (places == _tiles().reshape(1, 1, -1, _SIDE * _SIDE)).all(axis=-1)
    return np.where(is_tile.any(axis=-1), is_tile.argmax(axis=-1), 255).astype(np.uint8)


@cache
def _tiles() -> U8:
    """The games' tiles as half pictures, (tiles, 4, 4); their palette leaves numbers as they are."""
    data = np.frombuffer(tile_bytes(), np.uint8).reshape(-1, _TILE_BYTES // 2, 2)
    bits = np.unpackbits(data[..., None], axis=-1)
    return halve(bits[:, :, 0] | bits[:, :, 1] << np.uint8(1))
