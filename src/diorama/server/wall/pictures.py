"""`LanePictures`: the picture of every copy, small, out of the byte observations of a batch."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import ObservationField, WorldSpec
from diorama.contracts.values import U8
from diorama.server.play.describing import picture_fields

PACKED: Final = "packed2"  # name of a field that holds four pixels of four shades a byte
_SHADES: Final = 3.0
_PIXELS_PER_BYTE: Final = 4
_LARGEST_SIDE: Final = 100  # a larger picture is halved


@dataclass(frozen=True, slots=True, kw_only=True)
class LanePictures:
    """How pictures are taken from rows of byte observations.

    Attributes:
        field: Where they lie; the newest of several is last.
        rows: Height of what is sent.
        columns: Width of it.
        bits: 2 for four shades, four pixels a byte, the leftmost in the lowest bits; 8 for brightness.
        step: Every how manieth row and column is sent.
    """

    field: ObservationField
    rows: int
    columns: int
    bits: int
    step: int

    @classmethod
    def of(cls, spec: WorldSpec) -> "LanePictures":
        """Find the pictures of a world.

        Raises:
            ConfigError: In this configuration it sends none.
        """
        fields = picture_fields(spec)
        if not fields:
            raise ConfigError(f"{spec.world!r} sends no pictures in this configuration; a wall shows pictures")
        field = fields[0]
        rows, columns = field.shape[-2:]
        if field.name == PACKED:
            return cls(field=field, rows=rows, columns=columns * _PIXELS_PER_BYTE, bits=2, step=1)
        step = 2 if max(rows, columns) > _LARGEST_SIDE else 1
        rows, columns = -(-rows // step), -(-columns // step)
        is_shades = field.high <= _SHADES and columns % _PIXELS_PER_BYTE == 0
        return cls(field=field, rows=rows, columns=columns, bits=2 if is_shades else 8, step=step)

    def take(self, obs_u8: U8) -> U8:
        """Return one row of bytes for every row of observations."""
        shape = self.field.shape
        newest = obs_u8[:, self.field.start : self.field.stop].reshape(len(obs_u8), -1, *shape[-2:])[:, -1]
        if self.field.name == PACKED:
            return newest.reshape(len(newest), -1)
        pixels = newest[:, :: self.step, :: self.step]
        if self.bits == 2:
            a, b, c, d = (pixels[..., place::_PIXELS_PER_BYTE] for place in range(_PIXELS_PER_BYTE))
            pixels = (a | (b << 2) | (c << 4) | (d << 6)).astype(np.uint8, copy=False)
        return np.ascontiguousarray(pixels).reshape(len(pixels), -1)
