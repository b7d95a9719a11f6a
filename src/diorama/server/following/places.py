"""`WindowPlaces`: where the rows of windows lie in their file; the rows themselves stay there."""

import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import DioramaError
from diorama.runs.layout import RunLayout
from diorama.server.following.cursor import Cursor, WindowKey
from diorama.storage.artifact_files import open_artifact
from diorama.storage.line_files import MAX_FILE_BYTES

_COLUMNS: Final = 4
_WINDOW, _STEPS, _START, _SIZE = range(_COLUMNS)
_MOST: Final = 10**18  # what a cursor can tell, and a table can hold

_Number = Annotated[int, msgspec.Meta(gt=-_MOST, lt=_MOST)]


class _RowKey(msgspec.Struct):
    window_id: _Number
    env_steps_total: _Number


class NewPlaces:
    """Rows that were found in a file since the last look, in the order of the file."""

    def __init__(self) -> None:
        """Begin with none."""
        self._numbers = array("q")

    def add(self, line: bytes, start: int) -> None:
        """Note a line that begins there; one that is no row is left out."""
        key = row_key(line)
        if key is not None:
            self._numbers.extend((*key, start, len(line)))

    @property
    def table(self) -> NDArray[np.int64]:
        """The rows as lines of a `WindowPlaces`."""
        return np.array(self._numbers, dtype=np.int64).reshape(-1, _COLUMNS)


@dataclass(frozen=True, slots=True, eq=False)
class WindowPlaces:
    """The rows of a run by their keys, 32 bytes each however long they are.

    Attributes:
        layout: Of the run.
        table: Key, first byte and length of every row, ordered by key; shape (rows, 4), never changed.
    """

    layout: RunLayout
    table: NDArray[np.int64]

    @classmethod
    def none(cls, layout: RunLayout) -> "WindowPlaces":
        """Begin with no rows."""
        return cls(layout, NewPlaces().table)

    @property
    def end(self) -> WindowKey:
        """Key of the newest row."""
        return self._key(-1) if len(self.table) else Cursor().window

    def with_new(self, new: NewPlaces) -> "WindowPlaces":
        """Return these rows and new ones; of two with the same key the new one counts."""
        table = np.concatenate([self.table, new.table])
        table = table[np.lexsort((table[:, _STEPS], table[:, _WINDOW]))]  # which keeps the order of equals
        is_newest = np.ones(len(table), dtype=np.bool_)
        is_newest[:-1] = (table[1:, :_START] != table[:-1, :_START]).any(axis=1)
        return replace(self, table=table[is_newest])

    def after(self, key: WindowKey) -> Iterator[tuple[WindowKey, bytes]]:
        """Read the rows after a key, oldest first; ends early where the file has been written anew since."""
        first = self._first_after(key)
        if first == len(self.table):
            return
        try:
            file = open_artifact(self.layout.windows, within=self.layout.directory, most_bytes=MAX_FILE_BYTES)
        except DioramaError:
            return
        with file:
            for place in range(first, len(self.table)):
                start, size = self.table[place, _START:].tolist()
                line = os.pread(file.fileno(), size, start)
                if row_key(line) != self._key(place):
                    return
                yield self._key(place), line.rstrip()

    def _key(self, place: int) -> WindowKey:
        window_id, env_steps = self.table[place, :_START].tolist()
        return window_id, env_steps

    def _first_after(self, key: WindowKey) -> int:
        first, last = (int(np.searchsorted(self.table[:, _WINDOW], key[0], side)) for side in ("left", "right"))
        return first + int(np.searchsorted(self.table[first:last, _STEPS], key[1], "right"))


def row_key(line: bytes) -> WindowKey | None:
    """Return the key of a row; None for a line that is none."""
    try:
        row = msgspec.json.decode(line, type=_RowKey)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return row.window_id, row.env_steps_total
