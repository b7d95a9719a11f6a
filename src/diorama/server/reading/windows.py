"""Window rows as the JSON texts they are stored as."""

import msgspec

from diorama.runs.documents import MAX_DOCUMENT_BYTES, decode, read_bounded
from diorama.runs.layout import RunLayout
from diorama.server.reading.shelf import inside
from diorama.storage.line_files import NEWLINE


class _RowKey(msgspec.Struct):
    window_id: int
    env_steps_total: int


def ordered_windows(layout: RunLayout) -> list[bytes]:
    """Return the rows of all closed windows, ordered by window and env steps; none if there is no file yet.

    Raises:
        DocumentError: The file lies elsewhere, or a row is broken; with its line, counted from 1.
    """
    if not layout.windows.exists():
        return []
    path = inside(layout, layout.windows)
    data = read_bounded(path, MAX_DOCUMENT_BYTES)
    keyed: list[tuple[tuple[int, int], bytes]] = []
    # A last line without its end is being written, and is left out.
    for number, line in enumerate(data[: data.rfind(NEWLINE) + 1].split(NEWLINE)[:-1], start=1):
        row = decode(line, _RowKey, where=f"{path} line {number}")
        keyed.append(((row.window_id, row.env_steps_total), line))
    keyed.sort(key=lambda item: item[0])
    return [line for _, line in keyed]
