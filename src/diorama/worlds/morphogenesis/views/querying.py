"""Recorded events as a database that can be asked in SQL."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.contracts.values import JsonValue
from diorama.storage.artifact_files import open_named
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import MAX_FILE_BYTES, MAX_LINE_BYTES
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.views.query_views import VIEW_NAMES, view_statements
from diorama.worlds.morphogenesis.views.reading import event_of, is_of_the_world

RAW_EVENTS: Final = "raw_events"
_COLUMNS: Final = (
    "event_id",
    "event_type",
    "timestamp",
    "seed_id",
    "slot_id",
    "epoch",
    "group_id",
    "message",
    "severity",
    "data",
)
_INSERT: Final = f"INSERT INTO {RAW_EVENTS} VALUES ({', '.join('?' * len(_COLUMNS))})"
_READS: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
Cell = str | int | float | bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a question found: names of the columns, and rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]

    def to_json(self) -> list[JsonValue]:
        """Return one object per row."""
        return [dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows]


@dataclass(slots=True)
class EventQueries:
    """Events of files, in memory; whoever asks can read them and change nothing.

    Attributes:
        lines: How many were read.
        malformed: How many of them are no event.
        others: How many are the platform's own events, which stand in the same file.
    """

    lines: int = 0
    malformed: int = 0
    others: int = 0
    _connection: sqlite3.Connection = field(default_factory=lambda: sqlite3.connect(":memory:"))

    def __post_init__(self) -> None:
        """Make the table and its views."""
        self._connection.execute(f"CREATE TABLE {RAW_EVENTS} ({', '.join(_COLUMNS)})")
        for statement in view_statements():
            self._connection.execute(statement)

    def load(self, path: Path) -> None:
        """Take the events of a file."""
        with open_named(path, most_bytes=MAX_FILE_BYTES) as file:
            lines = iter(lambda: file.readline(MAX_LINE_BYTES), b"")
            self._connection.executemany(_INSERT, self._events(line for line in lines if line.strip()))
        self._connection.commit()

    def counts(self) -> dict[str, int]:
        """Return how many rows each view has."""
        return {name: int(self._one(f"SELECT count(*) FROM {name}")) for name in (RAW_EVENTS, *VIEW_NAMES)}

    def ask(self, sql: str) -> Answer:
        """Answer one question.

        Raises:
            ConfigError: It is no question, or asks for what is not there.
        """
        self._connection.set_authorizer(_allow_reading)
        try:
            cursor = self._connection.execute(sql)
            rows = cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ConfigError(f"the query cannot be answered: {error}; views are: {', '.join(VIEW_NAMES)}") from error
        finally:
            self._connection.set_authorizer(None)
        if cursor.description is None:
            raise ConfigError("the query is empty; write a SELECT over one of the views")
        return Answer(columns=tuple(column[0] for column in cursor.description), rows=rows)

    def close(self) -> None:
        """Forget the events."""
        self._connection.close()

    def _one(self, sql: str) -> int:
        count: int = self._connection.execute(sql).fetchone()[0]
        return count

    def _events(self, lines: Iterable[bytes]) -> Iterator[tuple[Cell, ...]]:
        for line in lines:
            self.lines += 1
            try:
                document = decode_json(line, dict, where="an event")
                if not is_of_the_world(document):
                    self.others += 1
                    continue
                event_of(document)
                row = tuple(_storable(document[column]) for column in _COLUMNS[:-1])
                data = None if document["data"] is None else json.dumps(document["data"])
            except (DocumentError, ValueError, KeyError, TypeError, AttributeError, ContractError):
                self.malformed += 1
                continue
            yield (*row, data)


def _allow_reading(action: int, *_: object) -> int:
    """Let nobody write, nor open another file."""
    return sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY


def _storable(value: JsonValue) -> Cell:
    """Return a value that the database takes as it is.

    Raises:
        ValueError: It is a list, an object, an integer of more than 64 bits, or text that is no Unicode.
    """
    match value:
        case None | float():
            return value
        case str():
            value.encode()
            return value
        case int() if -(2**63) <= value < 2**63:
            return value
    raise ValueError("no column can hold it")


def _plain(cell: Cell) -> JsonValue:
    return cell.hex() if isinstance(cell, bytes) else cell
