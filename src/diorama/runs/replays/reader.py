"""`ReplayReader`: any page of a replay, without unpacking what precedes it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.frames import Frame
from diorama.runs.replays.sidecar import Sidecar, read_sidecar
from diorama.storage.artifact_files import open_artifact
from diorama.storage.json_text import decode_json
from diorama.storage.unpacking import unpack_gzip

MAX_FRAMES_BYTES: Final = 16 << 30  # of all frames of a replay, packed
MAX_MEMBER_BYTES: Final = 128 << 20  # of one member, packed or unpacked


class ReplayReader:
    """Reads one replay; each call opens the file anew, so that a reader can be kept.

    Attributes:
        sidecar: What is known beside the frames.
    """

    def __init__(self, path: Path, sidecar: Sidecar, *, within: Path | None = None) -> None:
        """Read a replay from its file of frames; use `open_replay` or `open_entry`.

        Args:
            path: Of the frames.
            sidecar: What is known beside them.
            within: The folder that the file must lie in, without links on the way; its own one unless given.
        """
        self.sidecar = sidecar
        self.path = path
        self._within = within

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self.sidecar.frame_count

    def frames(self, offset: int = 0, limit: int | None = None) -> Iterator[Frame]:
        """Read frames `offset` and on, at most `limit` of them, each checked.

        Raises:
            DocumentError: With the first frame that is broken.
        """
        for index, line in enumerate(self.lines(offset, limit), start=offset):
            frame = decode_json(line, Frame, where=f"{self.path} frame {index}")
            if frame.frame_index != index:
                raise DocumentError(f"{self.path} frame {index}: says that it is frame {frame.frame_index}")
            yield frame

    def lines(self, offset: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """Read frames as JSON texts, unchecked, as they are stored.

        Raises:
            ConfigError: The range makes no sense.
            DocumentError: With the first gzip member that is broken.
        """
        if offset < 0 or (limit is not None and limit < 0):
            raise ConfigError(f"offset {offset} and limit {limit} must not be negative")
        stop = self.frame_count if limit is None else min(self.frame_count, offset + limit)
        size = self.sidecar.member_frames
        for member in range(offset // size, -(-stop // size)):
            lines = self.member(member)
            first = member * size
            yield from lines[max(0, offset - first) : stop - first]

    def member(self, member: int) -> list[bytes]:
        """Read all frames of one gzip member as JSON texts, unchecked, as they are stored.

        Raises:
            UnknownName: The file is gone.
            DocumentError: The member is broken.
        """
        where = f"{self.path} member {member}"
        text = unpack_gzip(self._packed(member, where), most_bytes=MAX_MEMBER_BYTES, where=where)
        size = self.sidecar.member_frames
        expected = min(size, self.frame_count - member * size)
        # No further than there must be: a member of newlines alone would come out as a hundred million frames.
        lines = text.split(b"\n", expected)
        if len(lines) != expected + 1 or lines.pop():
            found = text.count(b"\n")
            raise DocumentError(
                f"{where}: holds {found} frames; it must hold {expected}, each with its end",
                code="replay_member_miscounted",
                where=where,
                frames=found,
                expected=expected,
            )
        return lines

    def _packed(self, member: int, where: str) -> bytes:
        offsets = self.sidecar.member_offsets
        start = offsets[member]
        with open_artifact(self.path, within=self._within, most_bytes=MAX_FRAMES_BYTES) as file:
            end = offsets[member + 1] if member + 1 < len(offsets) else file.seek(0, os.SEEK_END)
            length = max(0, end - start)
            if length > MAX_MEMBER_BYTES:
                raise DocumentError(
                    f"{where}: has {length} bytes, more than the {MAX_MEMBER_BYTES} that are read",
                    code="replay_member_too_large",
                    where=where,
                    size_bytes=length,
                    most_bytes=MAX_MEMBER_BYTES,
                )
            try:
                file.seek(start)
                return file.read(length)
            except OSError as error:
                raise DocumentError(
                    f"{where}: cannot be read ({error})", code="replay_unreadable", where=where
                ) from None


def open_replay(layout: RunLayout, replay_id: str) -> ReplayReader:
    """Open a replay of a run.

    Raises:
        ConfigError: The id is not allowed.
        UnknownName: There is no such replay.
        DocumentError: What is known about it is broken.
    """
    folder = layout.directory
    sidecar = read_sidecar(layout.replay_sidecar(replay_id), replay_id, within=folder)
    return ReplayReader(layout.replay(replay_id), sidecar, within=folder)


def open_entry(layout: RunLayout, entry: ReplayEntry) -> ReplayReader:
    """Open a replay by the paths its index entry names.

    Raises:
        UnknownName: There is no such replay.
        DocumentError: A path leads out of the run, or what is known about the replay is broken.
    """
    sidecar = read_sidecar(layout.resolve(entry.meta_path), entry.replay_id, within=layout.directory)
    return ReplayReader(layout.resolve(entry.replay_path), sidecar, within=layout.directory)
