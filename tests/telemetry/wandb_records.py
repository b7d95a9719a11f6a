"""Reads what Weights & Biases wrote offline: a LevelDB log of protobuf records behind a header of seven bytes."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wandb.proto import wandb_internal_pb2 as proto

_FILE_HEADER_BYTES = 7
_BLOCK_BYTES = 32768
_CHUNK_HEADER = struct.Struct("<IHB")
_FULL, _LAST = 1, 4


def read_records(path: Path) -> Iterator[Any]:
    """Yield every record of a `.wandb` file."""
    data = path.read_bytes()
    at, parts = _FILE_HEADER_BYTES, b""
    while at + _CHUNK_HEADER.size <= len(data):
        room = _BLOCK_BYTES - at % _BLOCK_BYTES
        if room < _CHUNK_HEADER.size:
            at += room
            continue
        _, length, kind = _CHUNK_HEADER.unpack_from(data, at)
        at += _CHUNK_HEADER.size
        parts += data[at : at + length]
        at += length
        if kind in (_FULL, _LAST):
            yield proto.Record.FromString(parts)  # type: ignore[attr-defined]
            parts = b""


def history_row(record: Any) -> dict[str, object]:
    """Return one logged row; nested values are named with dots."""
    return {
        ".".join(item.nested_key) or item.key: json.loads(item.value_json)
        for item in record.history.item
        if not (item.key or item.nested_key[0]).startswith("_")
    }
