"""`ReplayReader`: any page of a replay, without unpacking what precedes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from isal import isal_zlib

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.runs.documents import decode
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.frames import Frame
from diorama.runs.replays.sidecar import Sidecar, read_sidecar

MAX_MEMBER_BYTES: Final = 256 << 20  # of one member, packed or unpacked; a bomb is refused before it goes off
_GZIP_WINDOW: Final = 31


class ReplayReader:
    """Reads one replay; each call opens the file anew, so that a reader can be kept.

    Attributes:
        sidecar: What is known beside the frames.
    """

    def __init__(self, path: Path, sidecar: Sidecar) -> None:
        """Read a replay from its file of frames; use `open_replay` or `open_entry`."""
        self.sidecar = sidecar
        self.path = path

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
            frame = decode(line, Frame, where=f"{self.path} frame {index}")
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
        lines = _unpack(self._packed(member, where), where).split(b"\n")
        size = self.sidecar.member_frames
        expected = min(size, self.frame_count - member * size)
        if lines.pop() or len(lines) != expected:
            raise DocumentError(f"{where}: holds {len(lines)} frames; it must hold {expected}")
        return lines

    def _packed(self, member: int, where: str) -> bytes:
        offsets = self.sidecar.member_offsets
        try:
            with self.path.open("rb") as file:
                file.seek(offsets[member])
                length = offsets[member + 1] - offsets[member] if member + 1 < len(offsets) else MAX_MEMBER_BYTES
                if length > MAX_MEMBER_BYTES:
                    raise DocumentError(f"{where}: has {length} bytes, more than the {MAX_MEMBER_BYTES} that are read")
                return file.read(length)
        except FileNotFoundError:
            raise UnknownName(f"{self.path} does not exist") from None
        except (OSError, ValueError) as error:
            raise DocumentError(f"{where}: cannot be read ({error})") from error


def open_replay(layout: RunLayout, replay_id: str) -> ReplayReader:
    """Open a replay of a run.

    Raises:
        ConfigError: The id is not allowed.
        UnknownName: There is no such replay.
        DocumentError: What is known about it is broken.
    """
    return ReplayReader(layout.replay(replay_id), read_sidecar(layout.replay_sidecar(replay_id), replay_id))


def open_entry(layout: RunLayout, entry: ReplayEntry) -> ReplayReader:
    """Open a replay by the paths its index entry names.

    Raises:
        UnknownName: There is no such replay.
        DocumentError: A path leads out of the run, or what is known about the replay is broken.
    """
    sidecar = read_sidecar(layout.resolve(entry.meta_path), entry.replay_id)
    return ReplayReader(layout.resolve(entry.replay_path), sidecar)


def _unpack(packed: bytes, where: str) -> bytes:
    unpacker = isal_zlib.decompressobj(_GZIP_WINDOW)
    try:
        data: bytes = unpacker.decompress(packed, MAX_MEMBER_BYTES)
    except isal_zlib.error as error:  # type: ignore[misc]  # the stub takes the class for an instance
        raise DocumentError(f"{where}: is no gzip ({error})") from None
    if not unpacker.eof:
        raise DocumentError(f"{where}: is cut short, or holds more than {MAX_MEMBER_BYTES} bytes")
    return data
