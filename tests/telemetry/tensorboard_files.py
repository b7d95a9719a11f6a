"""Reads what TensorBoard would read."""

import struct
from collections.abc import Iterator
from pathlib import Path

from tensorboardX.proto.event_pb2 import Event as TensorboardEvent

_LENGTH = struct.Struct("<Q")
_CHECKSUM_BYTES = 4


def read_events(path: Path) -> Iterator[TensorboardEvent]:
    """Yield the events of a file, record by record."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size + _CHECKSUM_BYTES
        yield TensorboardEvent.FromString(data[at : at + length])
        at += length + _CHECKSUM_BYTES


def scalars(directory: Path) -> dict[tuple[str, int], float]:
    """Return the values of all files of a directory by tag and step."""
    return {
        (value.tag, event.step): value.simple_value
        for file in sorted(directory.iterdir())
        for event in read_events(file)
        for value in event.summary.value
    }
