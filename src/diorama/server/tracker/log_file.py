"""Reads what Weights & Biases logs offline: records of its own format behind the framing of a LevelDB log."""

import json
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from diorama.contracts.errors import DocumentError
from diorama.server.models.base import JsonObject
from diorama.server.tracker.json_safe import safe_object
from diorama.storage.artifact_files import read_artifact
from diorama.storage.json_text import check_count

MAX_FILE_BYTES: Final = 256 << 20
_MAX_VALUES: Final = 1 << 16  # of one logged value
_FILE_HEADER_BYTES: Final = 7
_BLOCK_BYTES: Final = 32768
_CHUNK_HEADER: Final = struct.Struct("<IHB")  # checksum, length, kind
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_SECONDS_PER_NANO: Final = 1e-9


@dataclass(slots=True)
class LoggedRun:
    """One file of a run; `exit_code` is None while it is written, or if it was never ended."""

    run_id: str = ""
    name: str = ""
    entity: str | None = None
    project: str | None = None
    started_seconds: float | None = None
    exit_code: int | None = None
    config: dict[str, object] = field(default_factory=dict)
    summary: dict[str, object] = field(default_factory=dict)
    rows: list[JsonObject] = field(default_factory=list)


def read_log(path: Path, *, with_rows: bool) -> LoggedRun:
    """Read a `.wandb` file; one that is being written is read as far as it goes.

    Args:
        path: The file.
        with_rows: Whether the rows are wanted, too; without them summary and configuration are all that is kept.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is no such file.
    """
    from google.protobuf.message import DecodeError
    from wandb.proto import wandb_internal_pb2

    run = LoggedRun()
    data = read_artifact(path, most_bytes=MAX_FILE_BYTES)
    for packed in _records(data):
        try:
            record = wandb_internal_pb2.Record.FromString(packed)  # type: ignore[attr-defined]  # made when loaded
        except DecodeError as error:
            raise DocumentError(f"{path.name}: holds a record that cannot be read ({error})") from None
        _take(run, record, with_rows=with_rows)
    if not run.run_id:
        raise DocumentError(f"{path.name}: does not say which run it is of")
    return run


def _records(data: bytes) -> Iterator[bytes]:
    """Yield every whole record; the last one may be cut short by a writer that is not done."""
    at, parts = _FILE_HEADER_BYTES, b""
    while at + _CHUNK_HEADER.size <= len(data):
        room = _BLOCK_BYTES - at % _BLOCK_BYTES
        if room < _CHUNK_HEADER.size:
            at += room
            continue
        _, length, kind = _CHUNK_HEADER.unpack_from(data, at)
        at += _CHUNK_HEADER.size
        if kind not in (_FULL, _FIRST, _MIDDLE, _LAST) or at + length > len(data):
            return
        parts = data[at : at + length] if kind in (_FULL, _FIRST) else parts + data[at : at + length]
        at += length
        if kind in (_FULL, _LAST):
            yield parts
            parts = b""


def _take(run: LoggedRun, record: Any, *, with_rows: bool) -> None:
    match record.WhichOneof("record_type"):
        case "run":
            told = record.run
            run.run_id, run.name = told.run_id, told.display_name
            run.entity, run.project = told.entity or None, told.project or None
            run.started_seconds = told.start_time.seconds + told.start_time.nanos * _SECONDS_PER_NANO
            run.config.update(_values(told.config.update))
        case "config":
            run.config.update(_values(record.config.update))
        case "summary":
            run.summary.update(_values(record.summary.update))
        case "history":
            row = _values(record.history.item)
            # A run that was cut off has no summary record; the newest values are what it would have said.
            run.summary.update(row)
            if with_rows:
                run.rows.append(safe_object(row))
        case "exit":
            run.exit_code = record.exit.exit_code


def _values(items: Iterable[Any]) -> dict[str, object]:
    """Return logged values by name; the name of a nested one is joined with dots."""
    return {".".join(item.nested_key) or item.key: _loaded(item.value_json) for item in items}


def _loaded(text: str) -> object:
    try:
        check_count(text, "the value", _MAX_VALUES)
        return json.loads(text)  # which knows the NaN of its writer
    except (DocumentError, ValueError, RecursionError):
        return text
