"""`FileTransport`: one message per line of a file that only grows, until another one takes its place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from diorama.storage.line_files import LineFile
from diorama.telemetry.live.transports.rotation import Rotation

_SNAPSHOT: Final = "snapshot"


class _Kind(msgspec.Struct, frozen=True):
    """What of a message says whether a file may begin with it."""

    payload_type: str


class FileTransport:
    """Appends; a file that is there already is continued, and the snapshot that comes first says so.

    With a rotation, a file that has grown large enough is put aside before the next snapshot, so that every file can
    be read by itself and no line is in two of them or in none.
    """

    begins_anew: Final = False

    def __init__(self, path: Path, name: str = "file", *, rotation: Rotation | None = None) -> None:
        """Choose the file; it is opened by the first message."""
        self.name = name
        self._path = path
        self._rotation = rotation
        self._file: LineFile | None = None
        self._written: list[bytes] = []

    def send(self, messages: Sequence[bytes]) -> None:
        """Append the messages; where the disk refuses, the same may be sent again and none is there twice.

        Raises:
            StorageError: The disk refuses.
        """
        done = len(self._written) if [*messages[: len(self._written)]] == self._written else 0
        self._written = self._written[:done]
        rest = [*messages[done:]]
        place = self._turn(rest)
        if place is not None:
            self._append(rest[:place])
            self._written = [*messages[: done + place]]
            self._put_aside()
            rest = rest[place:]
        self._append(rest)
        self._written = []

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, messages: Sequence[bytes]) -> None:
        if messages:
            if self._file is None:
                self._file = LineFile(self._path)
            self._file.append(*messages)

    def _turn(self, messages: Sequence[bytes]) -> int | None:
        """The place of the message that another file begins with; None where this one goes on."""
        if self._rotation is None or not self._rotation.is_due(self._path):
            return None
        kinds = (msgspec.json.decode(message, type=_Kind).payload_type for message in messages)
        return next((place for place, kind in enumerate(kinds) if kind == _SNAPSHOT), None)

    def _put_aside(self) -> None:
        assert self._rotation is not None
        self.close()
        self._rotation.put_aside(self._path)
