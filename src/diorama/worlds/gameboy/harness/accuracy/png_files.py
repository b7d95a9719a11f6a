"""Reference pictures: PNG files of 160 by 144 pixels, read as shades."""

import struct
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.values import U8
from diorama.storage.artifact_files import read_named
from diorama.worlds.gameboy.oracle import GRAYS

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_PALETTE: Final = 3
_SIZE: Final = (160, 144)
_MAX_BYTES: Final = 1 << 20
_DEPTHS: Final = (1, 2, 4, 8)
_AVERAGE, _PAETH = 3, 4


def read_shades(path: Path) -> U8:
    """Read a picture as shades 0 to 3, shape (144, 160): each pixel becomes the nearest of the four grays.

    Raises:
        DocumentError: If the file is no PNG of that size, or of a kind that is not read (16 bits, interlaced).
    """
    try:
        gray = _grays(read_named(path, most_bytes=_MAX_BYTES))
    except (UnknownName, DocumentError, ValueError, KeyError, IndexError, struct.error, zlib.error) as error:
        raise DocumentError(f"{path}: is no reference picture ({error})") from None
    distances = np.abs(gray[..., None].astype(np.int16) - np.array(GRAYS, np.int16))
    shades: U8 = distances.argmin(axis=2).astype(np.uint8)
    return shades


def _grays(data: bytes) -> U8:
    if data[:8] != _SIGNATURE:
        raise ValueError("it does not begin like a PNG file")
    palette, packed, position = b"", b"", 8
    width = height = depth = kind = interlaced = 0
    while position < len(data):
        length, name = struct.unpack_from(">I4s", data, position)
        body = data[position + 8 : position + 8 + length]
        position += 12 + length
        if name == b"IHDR":
            width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif name == b"PLTE":
            palette = body
        elif name == b"IDAT":
            packed += body
    if (width, height) != _SIZE or depth not in _DEPTHS or interlaced:
        raise ValueError(
            f"{width} by {height} pixels of {depth} bits; 160 by 144 of at most 8 are read, not interlaced"
        )
    channels = _CHANNELS[kind]
    stride = (width * depth * channels + 7) // 8
    rows = _unfiltered(_unpacked(packed, height * (stride + 1)), height, stride, max(1, channels))
    values = _samples(rows, depth, width * channels).reshape(height, width, channels)
    if kind == _PALETTE:
        greens: U8 = np.frombuffer(palette, np.uint8).reshape(-1, 3)[:, 1]
        return greens[values[..., 0]]
    scaled = values.astype(np.uint16) * 255 // ((1 << depth) - 1)
    # Gray pictures have one channel besides alpha; in color ones the four grays have the same green as red and blue.
    return scaled[..., 1 if channels >= 3 else 0].astype(np.uint8)


def _unpacked(packed: bytes, most_bytes: int) -> bytes:
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(packed, most_bytes)
    if unpacker.unconsumed_tail:
        raise ValueError(f"its pixels unpack to more than the {most_bytes} bytes of a picture")
    return data


def _samples(rows: U8, depth: int, count: int) -> U8:
    if depth == 8:
        return rows[:, :count]
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    split = (rows[:, :, None] >> shifts) & ((1 << depth) - 1)
    return split.reshape(len(rows), -1)[:, :count].astype(np.uint8)


def _unfiltered(data: bytes, height: int, stride: int, pixel_bytes: int) -> U8:
    rows = np.zeros((height, stride), np.uint8)
    above = bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        kind, line = data[start], bytearray(data[start + 1 : start + 1 + stride])
        for column in range(stride):
            left = line[column - pixel_bytes] if column >= pixel_bytes else 0
            corner = above[column - pixel_bytes] if column >= pixel_bytes else 0
            line[column] = (line[column] + _predicted(kind, left, above[column], corner)) & 0xFF
        rows[row] = line
        above = line
    return rows


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == _AVERAGE:
        return (left + up) // 2
    if kind == _PAETH:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up)[kind]
