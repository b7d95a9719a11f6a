"""`FileTransport`: one message per line of a file that only grows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from diorama.engine.line_files import LineFile


class FileTransport:
    """Appends; a file that is there already is continued, and the snapshot that comes first says so."""

    begins_anew: Final = False

    def __init__(self, path: Path, name: str = "file") -> None:
        """Choose the file; it is opened by the first message."""
        self.name = name
        self._path = path
        self._file: LineFile | None = None

    def send(self, messages: Sequence[bytes]) -> None:
        """Append the messages; where the disk refuses, nothing of them is there afterwards.

        Raises:
            StorageError: The disk refuses.
        """
        if self._file is None:
            self._file = LineFile(self._path)
        self._file.append(*messages)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
