"""`FrameShelf`: frames of replays as the JSON texts they are stored as, checked once and handed on unchanged."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Final, NoReturn, TypeAlias

import msgspec
from anyio import CapacityLimiter

from diorama.contracts.errors import DocumentError
from diorama.runs.documents import decode
from diorama.runs.replays.reader import ReplayReader
from diorama.server.reading.shelf import OpenedReplay, RunShelf
from diorama.server.reading.stamped_cache import Stamp, file_stamp

PAGE_BYTES: Final = 64 << 20  # a page ends early rather than grow beyond this
_PAGES_AT_ONCE: Final = 8

_Key: TypeAlias = tuple[str, Stamp, int]


class _Place(msgspec.Struct):
    frame_index: int


_PLACES: Final = msgspec.json.Decoder(_Place)


@dataclass(frozen=True, slots=True)
class _Member:
    lines: list[bytes]
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Frames `offset` and on as JSON texts; `has_more` says whether the replay goes on after them."""

    offset: int
    lines: list[bytes]
    has_more: bool

    @property
    def next_offset(self) -> int:
        """The frame after the last one of this page."""
        return self.offset + len(self.lines)


class FrameShelf:
    """Unpacks the gzip members a page lies in, and keeps the newest of them. May be used by several threads.

    Attributes:
        turns: Whoever reads whole pages waits for a turn: a page may be large, and all of it is in memory.
    """

    def __init__(self, runs: RunShelf, *, cache_bytes: int) -> None:
        """Keep at most so many bytes of unpacked members."""
        self.turns = CapacityLimiter(_PAGES_AT_ONCE)
        self._runs = runs
        self._cache_bytes = cache_bytes
        self._kept: OrderedDict[_Key, _Member] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def open(self, run_id: str, replay_id: str) -> OpenedReplay:
        """Open a replay.

        Raises:
            ConfigError: An id is not allowed.
            UnknownName: There is no such run or replay.
            DocumentError: Its files are broken or lie elsewhere.
        """
        return self._runs.replay(self._runs.find(run_id), replay_id)

    def page(self, reader: ReplayReader, offset: int, limit: int) -> Page:
        """Read at most `limit` frames; fewer where they would take too much memory, but at least one.

        Raises:
            UnknownName: The file is gone.
            DocumentError: With the first member or frame that is broken.
        """
        return self.chunk(reader, offset, limit, closes_at=PAGE_BYTES, never_above=PAGE_BYTES)

    def chunk(self, reader: ReplayReader, offset: int, limit: int, *, closes_at: int, never_above: int) -> Page:
        """Read frames until there are `limit` of them or they reach `closes_at` bytes.

        A frame that would take them above `never_above` bytes is left for the next chunk, unless it is the first.

        Raises:
            UnknownName: The file is gone.
            DocumentError: With the first member or frame that is broken.
        """
        lines: list[bytes] = []
        size = 0
        for line in self._lines(reader, offset, limit):
            if lines and size + len(line) > never_above:
                break
            lines.append(line)
            size += len(line)
            if size >= closes_at:
                break
        return Page(offset=offset, lines=lines, has_more=offset + len(lines) < reader.frame_count)

    def _lines(self, reader: ReplayReader, offset: int, limit: int) -> Iterator[bytes]:
        stop = min(reader.frame_count, offset + limit)
        size = reader.sidecar.member_frames
        if offset >= stop:
            return
        stamp = file_stamp(reader.path)
        for member in range(offset // size, -(-stop // size)):
            first = member * size
            yield from self._member(reader, stamp, member).lines[max(0, offset - first) : stop - first]

    def _member(self, reader: ReplayReader, stamp: Stamp, member: int) -> _Member:
        key = (str(reader.path), stamp, member)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
        read = _checked(reader, member)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = read
                self._bytes += read.size_bytes
            while self._bytes > self._cache_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= oldest.size_bytes
        return read


def _checked(reader: ReplayReader, member: int) -> _Member:
    """Read a member whose lines are JSON objects with the right numbers, so that they can be handed on as they are."""
    lines = reader.member(member)
    first = member * reader.sidecar.member_frames
    for index, line in enumerate(lines, start=first):
        if not _is_frame(line, index):
            _complain(line, index, f"{reader.path} frame {index}")
    return _Member(lines, sum(map(len, lines)))


def _is_frame(line: bytes, index: int) -> bool:
    try:
        return _PLACES.decode(line).frame_index == index and (line.isascii() or line.decode() is not None)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _complain(line: bytes, index: int, where: str) -> NoReturn:
    found = decode(line, _Place, where=where).frame_index
    if found != index:
        raise DocumentError(f"{where}: says that it is frame {found}")
    raise DocumentError(f"{where}: is no UTF-8")
