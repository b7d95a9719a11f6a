"""Follows a growing PPO log and notices when it leaves its bounds."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonValue
from diorama.storage.artifact_files import open_named
from diorama.storage.line_files import MAX_FILE_BYTES, NEWLINE
from diorama.telemetry.ppo.checks import Severity, is_number
from diorama.telemetry.ppo.fields import is_known
from diorama.telemetry.ppo.log_files import LogLine, log_files, rotation_number
from diorama.telemetry.ppo.validation import LogChecker


class Side(StrEnum):
    """On which side of its bound a value must stay."""

    AT_MOST = "at most"
    AT_LEAST = "at least"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A bound on one field. Upper bounds hold for the size of the value, whatever its sign.

    Raises:
        ConfigError: There is no such field.
    """

    field: str
    side: Side
    bound: float

    def __post_init__(self) -> None:
        """Refuse a field that could never be met."""
        if not is_known(self.field):
            raise ConfigError(f"{self.field!r} is no field of PPO telemetry; docs/reference/ppo-telemetry.md has them")

    def breach(self, value: float) -> str | None:
        """Return what is wrong with a value; None if nothing is."""
        is_met = abs(value) <= self.bound if self.side is Side.AT_MOST else value >= self.bound
        return None if is_met else f"{self.field} is {value:g}; it must be {self.side.value} {self.bound:g}"


class Watch:
    """Judges a log line by line; records that do not have a field are not judged by its threshold."""

    def __init__(self, thresholds: Sequence[Threshold]) -> None:
        """Start with the first line."""
        self._thresholds = thresholds
        self._checker = LogChecker()
        self._unmet_fields = {threshold.field for threshold in thresholds}

    def judge(self, line: LogLine) -> tuple[Mapping[str, JsonValue] | None, tuple[str, ...]]:
        """Return the record of a line, if it holds one, and everything that is wrong with it."""
        record, findings = self._checker.check(line)
        errors = tuple(finding.message for finding in findings if finding.severity is Severity.ERROR)
        if record is None or errors:
            return record, errors
        return record, tuple(self._breaches(record))

    def never_seen(self) -> tuple[str, ...]:
        """Return the fields with a threshold that no record had, sorted: a bound on nothing is no check."""
        return tuple(sorted(self._unmet_fields))

    def _breaches(self, record: Mapping[str, JsonValue]) -> Iterator[str]:
        for threshold in self._thresholds:
            value = record.get(threshold.field)
            if not is_number(value):
                continue
            self._unmet_fields.discard(threshold.field)
            breach = threshold.breach(value)
            if breach is not None:
                yield breach


class LogTail:
    """Reads what is new in a log, from one file to the next."""

    def __init__(self, base: Path) -> None:
        """Begin with the oldest file that is there."""
        self._base = base
        self._file = log_files(base)[0]
        self._offset_bytes = 0
        self._number = 0

    def new_lines(self) -> list[LogLine]:
        """Return the whole lines written since the last call."""
        lines: list[LogLine] = []
        while True:
            # Asked before reading: what is written into this file after the next one exists is nothing.
            files = log_files(self._base)
            lines += self._rest_of_file()
            following = next((file for file in files if self._is_later(file)), None)
            if following is None:
                return lines
            self._file, self._offset_bytes, self._number = following, 0, 0

    def _is_later(self, file: Path) -> bool:
        here, there = rotation_number(self._base, self._file), rotation_number(self._base, file)
        return here is not None and there is not None and there > here

    def _rest_of_file(self) -> Iterator[LogLine]:
        with open_named(self._file, most_bytes=MAX_FILE_BYTES) as opened:
            opened.seek(self._offset_bytes)
            for data in opened:
                if not data.endswith(NEWLINE):
                    return
                self._offset_bytes += len(data)
                self._number += 1
                yield LogLine(self._file, self._number, data.removesuffix(NEWLINE), is_whole=True)


def follow(
    tail: LogTail, *, interval_s: float, patience_s: float | None, sleep: Callable[[float], None] = time.sleep
) -> Iterator[LogLine]:
    """Yield lines as they are written.

    Args:
        tail: Where they come from.
        interval_s: How long to wait between two looks.
        patience_s: How long to wait for a new line before giving up; 0 looks once, None waits for ever.
        sleep: How to wait.
    """
    idle_s = 0.0
    while True:
        lines = tail.new_lines()
        yield from lines
        idle_s = 0.0 if lines else idle_s
        if patience_s is not None and idle_s >= patience_s:
            return
        sleep(interval_s)
        idle_s += interval_s
