"""Segments of a log: one file from each autosave to the next, numbered."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, StorageError
from diorama.operate.live.journal.entries import Header, Line, decode_header, decode_line, encode_line
from diorama.storage.atomic_files import replace_file, storage_errors
from diorama.storage.line_files import LineFile, whole_lines

_NAME: Final = re.compile(r"(?P<serial>\d{6,})\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A file of the log."""

    path: Path
    serial: int
    header: Header

    def lines(self) -> Iterator[Line]:
        """Read everything after the header; a line that a killed process left unfinished is not there.

        Raises:
            DocumentError: A line is broken.
        """
        for number, data in islice(enumerate(whole_lines(self.path), start=1), 1, None):
            yield decode_line(data, f"{self.path.name}:{number}")


def segments(folder: Path) -> list[Segment]:
    """Return all segments of a log, oldest first.

    Raises:
        DocumentError: A header is broken.
    """
    found = [(int(match["serial"]), path) for path in folder.glob("*.jsonl") if (match := _NAME.fullmatch(path.name))]
    return [Segment(path=path, serial=serial, header=_header(path)) for serial, path in sorted(found)]


def begin_segment(folder: Path, serial: int, header: Header) -> LineFile:
    """Make a new file with its header in it, and open it.

    Raises:
        StorageError: The disk refuses; there is no such file.
    """
    path = folder / f"{serial:06d}.jsonl"
    try:
        # The header is there with the file or the file is not there: no crash leaves a log that says nothing of itself.
        replace_file(path, encode_line(header) + b"\n")
        return LineFile(path)
    except StorageError:
        # It may have its name already; a restart would begin at it, and nobody writes to it.
        with storage_errors(path):
            path.unlink(missing_ok=True)
        raise


def _header(path: Path) -> Header:
    for first in whole_lines(path):
        return decode_header(first, path.name)
    raise DocumentError(f"{path.name}: the log has no header")
