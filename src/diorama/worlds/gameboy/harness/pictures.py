"""Shades as a PNG file, without an image library."""

import struct
import zlib
from typing import Final

import numpy as np

from diorama.contracts.values import U8
from diorama.worlds.gameboy.oracle import GRAYS

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_GRAY_8_BIT: Final = b"\x08\x00\x00\x00\x00"


def png_of(shades: U8) -> bytes:
    """Encode a picture of shades 0 to 3 in the viewer's grays; what is no shade comes out mid-gray."""
    table = np.full(256, 128, np.uint8)
    table[: len(GRAYS)] = GRAYS
    rows = table[shades]
    scanlines = b"".join(b"\0" + row.tobytes() for row in rows)
    size = struct.pack(">II", rows.shape[1], rows.shape[0])
    return (
        _SIGNATURE
        + _chunk(b"IHDR", size + _GRAY_8_BIT)
        + _chunk(b"IDAT", zlib.compress(scanlines, 9))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
