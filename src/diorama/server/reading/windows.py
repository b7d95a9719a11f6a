"""Window rows as the JSON texts they are stored as."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.layout import RunLayout
from diorama.runs.lines import MAX_LINES_BYTES
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import whole_lines

_Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-(1 << 53), le=1 << 53)]  # what a browser tells apart
_Row: TypeAlias = dict[str, _Whole | float | bool | str | dict[str, _Whole] | None]


class _RowKey(msgspec.Struct):
    window_id: _Whole
    env_steps_total: _Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWindows:
    """Rows that can be shown, ordered by window and env steps; `problem` is about the first that cannot."""

    rows: list[bytes]
    problem: str | None

    def page(self, limit: int, *, newest_first: bool) -> "StoredWindows":
        """Return at most `limit` rows, each with every value of a kind that a row has; others are left out and told."""
        shown: list[bytes] = []
        problem = self.problem
        for row in reversed(self.rows) if newest_first else self.rows:
            if len(shown) == limit:
                break
            try:
                decode_json(row, _Row, where="a window")
            except DocumentError as error:
                problem = problem or str(error)
            else:
                shown.append(row)
        return StoredWindows(rows=shown, problem=problem)


def ordered_windows(layout: RunLayout) -> StoredWindows:
    """Return the rows of all closed windows; none if there is no file yet.

    A row that is broken is left out and told; the others are still worth showing.

    Raises:
        DocumentError: The file lies elsewhere, is no file, or too large.
    """
    keyed: list[tuple[tuple[int, int], bytes]] = []
    problem: str | None = None
    lines = whole_lines(layout.windows, within=layout.directory, most_bytes=MAX_LINES_BYTES)
    try:
        for number, line in enumerate(lines, start=1):
            try:
                keyed.append((_key(line, f"{layout.windows} line {number}"), line))
            except DocumentError as error:
                problem = problem or str(error)
    except UnknownName:
        pass
    keyed.sort(key=lambda item: item[0])
    return StoredWindows(rows=[line for _, line in keyed], problem=problem)


def _key(line: bytes, where: str) -> tuple[int, int]:
    row = decode_json(line, _RowKey, where=where)
    if not line.isascii():
        # The decoder skips what it was not asked for; what is handed on must be text.
        try:
            line.decode()
        except UnicodeDecodeError as error:
            raise DocumentError(f"{where}: {error}", code="json_invalid", where=where, reason=str(error)) from None
    return row.window_id, row.env_steps_total
