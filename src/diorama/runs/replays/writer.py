"""`FrameWriter`: writes frames as consecutive gzip members, so that any page can be found again."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from isal import isal_zlib

from diorama.runs.documents import encode
from diorama.runs.replays.frames import ActionDigest, Frame
from diorama.runs.replays.sidecar import MEMBER_FRAMES
from diorama.storage.atomic_files import UNFINISHED, storage_errors, sync_directory

_LEVEL: Final = 2
_GZIP_WINDOW: Final = 31  # 16 asks zlib for a gzip frame, 15 for the largest window
_NEWLINE: Final = b"\n"


class FrameWriter:
    """Collects the frames of one episode in a hidden file, which gets its name when the replay is finished.

    The compressed bytes depend on the frames alone: the gzip headers carry neither a time nor a name.

    Attributes:
        frame_count: Frames so far.
        member_offsets: Where each gzip member begins.
    """

    def __init__(self, directory: Path) -> None:
        """Begin a replay in a directory.

        Raises:
            StorageError: The disk refuses.
        """
        self.frame_count = 0
        self.member_offsets: list[int] = []
        self._digest = ActionDigest()
        self._lines: list[bytes] = []
        self._path = directory / f".replay{UNFINISHED}{os.getpid()}-{id(self)}"
        with storage_errors(self._path):
            directory.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("xb")

    @property
    def actions_sha256(self) -> str:
        """SHA-256 over the actions so far."""
        return self._digest.hexdigest()

    def add(self, frame: Frame) -> None:
        """Append a frame.

        Raises:
            StorageError: The disk refuses.
        """
        self._lines.append(encode(frame) + _NEWLINE)
        self._digest.add(frame.action)
        self.frame_count += 1
        if len(self._lines) == MEMBER_FRAMES:
            self._write_member()

    def finish(self, path: Path) -> None:
        """Give the replay its name; it is on the disk then, and nothing more can be added.

        Raises:
            StorageError: The disk refuses.
        """
        if self._lines:
            self._write_member()
        with storage_errors(path):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._path.replace(path)
            sync_directory(path.parent)

    def abandon(self) -> None:
        """Remove what was written; does nothing after `finish`."""
        # Closing writes what is buffered; a disk that refuses that refuses what nobody wants any more.
        with suppress(OSError):
            self._file.close()
        self._path.unlink(missing_ok=True)

    def _write_member(self) -> None:
        member = isal_zlib.compress(b"".join(self._lines), _LEVEL, _GZIP_WINDOW)
        with storage_errors(self._path):
            self.member_offsets.append(self._file.tell())
            self._file.write(member)
        self._lines.clear()
