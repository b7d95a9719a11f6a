"""PPO telemetry as NDJSON: one record per policy update, in files of limited length."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, ContractError
from diorama.storage.line_files import LineFile
from diorama.telemetry.events import Event, PolicyUpdated, RunStarted
from diorama.telemetry.ppo.checks import is_number
from diorama.telemetry.ppo.fields import OFFSET_FIELD, PpoVersion, is_known
from diorama.telemetry.ppo.log_files import keep_until, log_files, parse_line, rotated, rotation_number
from diorama.telemetry.ppo.records import build_record

MAX_LOG_ENTRIES: Final = 10_000


class PpoNdjsonSink:
    """Writes a record per policy update, each update once.

    A resumed run first drops the records of updates after its checkpoint, which it makes again, then continues the last
    file and the running counter.
    """

    name: Final = "ppo-ndjson"

    def __init__(
        self, path: Path, *, version: PpoVersion = PpoVersion.V1_1, max_log_entries: int | None = MAX_LOG_ENTRIES
    ) -> None:
        """Choose the log; it is opened when the run starts.

        Args:
            path: The first file; later ones get `.1`, `.2` and so on.
            version: Form of the records.
            max_log_entries: Records per file; None for one file without end.

        Raises:
            ConfigError: `max_log_entries` is less than 1.
        """
        if max_log_entries is not None and max_log_entries < 1:
            raise ConfigError(f"max_log_entries is {max_log_entries}; use 1 or more, or none for one endless file")
        self._path = path
        self._version = version
        self._max_log_entries = max_log_entries
        self._file: LineFile | None = None
        self._rotation = 0
        self._entries = 0
        self._offset = 0
        self._epoch = 0
        self._ticks_total = 0

    def receive(self, event: Event) -> None:
        """Append the record of an update.

        Raises:
            StorageError: The disk refuses.
            ContractError: The update cannot be written in this format.
        """
        if isinstance(event, RunStarted):
            self._open(event)
        elif isinstance(event, PolicyUpdated):
            self._write(event)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _open(self, event: RunStarted) -> None:
        self._ticks_total = event.ticks_total
        keep_until(self._path, event.agent_steps_total)
        files = log_files(self._path)
        last = files[-1] if files else self._path
        self._rotation = rotation_number(self._path, last) or 0
        self._file = LineFile(last)
        self._entries = _count_lines(last)
        self._offset = next((offset for file in reversed(files) if (offset := _last_offset(file)) is not None), 0)

    def _write(self, event: PolicyUpdated) -> None:
        if self._file is None:
            raise ContractError(f"{event.event_type} came before RUN_STARTED")
        rollout_ticks = event.report.ticks_total - self._ticks_total
        self._ticks_total = event.report.ticks_total
        # Callbacks may add fields of their own; other sinks have room for them, this format does not.
        extras = {field: value for field, value in event.extras.items() if is_known(field)}
        record = build_record(
            replace(event, extras=extras),
            version=self._version,
            epoch=self._epoch + 1,
            rollout_ticks=rollout_ticks,
            log_stream_offset=self._offset + 1,
        )
        self._file_with_room(self._file).append(json.dumps(record, separators=(",", ":"), allow_nan=False).encode())
        self._entries += 1
        self._epoch += 1
        self._offset += 1

    def _file_with_room(self, file: LineFile) -> LineFile:
        if self._max_log_entries is None or self._entries < self._max_log_entries:
            return file
        following = LineFile(rotated(self._path, self._rotation + 1))
        file.close()
        self._file, self._rotation, self._entries = following, self._rotation + 1, 0
        return following


def _count_lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


def _last_offset(file: Path) -> int | None:
    """Return the counter of the last record that has one; lines that are no records are the validator's business."""
    with file.open("rb") as lines:
        return max((offset for line in lines if (offset := _offset_of(line)) is not None), default=None)


def _offset_of(line: bytes) -> int | None:
    try:
        offset = parse_line(line).get(OFFSET_FIELD)
    except ValueError:
        return None
    return int(offset) if is_number(offset) else None
