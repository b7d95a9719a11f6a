"""JSON-lines files that survive a kill: appended whole lines, torn ends cut off."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

from diorama.contracts.errors import DocumentError, StorageError
from diorama.storage.artifact_files import open_artifact
from diorama.storage.atomic_files import storage_errors

NEWLINE: Final = b"\n"
MAX_LINE_BYTES: Final = 16 << 20
MAX_FILE_BYTES: Final = 16 << 30
_BLOCK_BYTES: Final = 1 << 16
# No link is followed: it would lead the lines, and the cutting, to another file.
_APPEND: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class LineFile:
    """An open file of lines; one process writes it, any number may read it meanwhile.

    Every line is with the operating system before `append` returns, and on the disk after `sync`.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file, without the line a killed writer may have left unfinished at its end.

        Raises:
            StorageError: The disk refuses.
        """
        self.path = path
        with storage_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, _APPEND, 0o644)
            os.ftruncate(self._descriptor, _after_last_newline(self._descriptor, self._size))

    def __enter__(self) -> Self:
        """Return the file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def last_line(self) -> bytes | None:
        """Return the last line without its newline; None where there is none."""
        stop = self._size - len(NEWLINE)
        if stop < 0:
            return None
        start = _after_last_newline(self._descriptor, stop)
        return os.pread(self._descriptor, stop - start, start)

    def append(self, *lines: bytes) -> None:
        """Add lines, given without their newlines; if the disk refuses, nothing of them is there afterwards.

        Raises:
            StorageError: The disk refuses.
        """
        text = b"".join(line + NEWLINE for line in lines)
        with storage_errors(self.path):
            before = self._size
            if os.write(self._descriptor, text) != len(text):
                os.ftruncate(self._descriptor, before)
                raise StorageError(f"{self.path}: the disk took only a part of what was added; it was removed again")

    def keep(self, count: int) -> None:
        """Cut off everything after the first `count` lines.

        Raises:
            DocumentError: There are fewer.
            StorageError: The disk refuses.
        """
        end = 0
        with self.path.open("rb") as file:
            for number in range(count):
                line = file.readline()
                if not line.endswith(NEWLINE):
                    raise DocumentError(f"{self.path} has {number} lines; {count} are needed to continue from here")
                end += len(line)
        with storage_errors(self.path):
            os.ftruncate(self._descriptor, end)

    def sync(self) -> None:
        """Put what was added on the disk."""
        with storage_errors(self.path):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    @property
    def _size(self) -> int:
        return os.fstat(self._descriptor).st_size


def whole_lines(path: Path, *, within: Path | None = None, most_bytes: int = MAX_FILE_BYTES) -> Iterator[bytes]:
    """Read all lines without their newlines; a last one without its newline is being written and is left out.

    Args:
        path: Of the file.
        within: The folder that it must lie in, as `open_artifact` has it.
        most_bytes: Size above which the file is refused.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is no ordinary file of the folder, too large, or a line is.
    """
    with open_artifact(path, within=within, most_bytes=most_bytes) as file:
        number = 1
        while (line := file.readline(MAX_LINE_BYTES + 1)).endswith(NEWLINE):
            yield line[:-1]
            number += 1
    if len(line) > MAX_LINE_BYTES:
        raise DocumentError(
            f"{path} line {number}: has more than {MAX_LINE_BYTES} bytes, the most that is read",
            code="line_too_long",
            path=path,
            line=number,
            most_bytes=MAX_LINE_BYTES,
        )


def _after_last_newline(descriptor: int, stop: int) -> int:
    """Return the place after the last newline before `stop`; 0 where there is none."""
    while stop > 0:
        start = max(0, stop - _BLOCK_BYTES)
        found = os.pread(descriptor, stop - start, start).rfind(NEWLINE)
        if found >= 0:
            return start + found + len(NEWLINE)
        stop = start
    return 0
