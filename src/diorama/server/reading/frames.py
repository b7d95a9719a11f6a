"""`FrameShelf`: frames of replays as the JSON texts they are stored as, checked once and handed on unchanged."""

from collections import OrderedDict, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Final, NoReturn, TypeAlias

import msgspec
from anyio import CapacityLimiter

from diorama.contracts.errors import DocumentError
from diorama.runs.replays.reader import ReplayReader
from diorama.server.reading.shelf import OpenedReplay, RunShelf
from diorama.server.reading.stamped_cache import Stamp, file_stamp
from diorama.storage.json_text import decode_json

PAGE_BYTES: Final = 64 << 20  # a page ends early rather than grow beyond this
_PAGES_AT_ONCE: Final = 8
_UNPACKERS: Final = 2

_Key: TypeAlias = tuple[str, Stamp, int]


class _Place(msgspec.Struct):
    frame_index: int


_PLACES: Final = msgspec.json.Decoder(_Place)


class _Member:
    """The frames of one gzip member; each is checked when it is first asked for."""

    def __init__(self, reader: ReplayReader, member: int) -> None:
        self._lines = reader.member(member)
        self._first = member * reader.sidecar.member_frames
        self._path = reader.path
        self._is_checked = bytearray(len(self._lines))
        self.size_bytes = sum(map(len, self._lines))

    def lines(self, start: int, stop: int) -> list[bytes]:
        """Frames `start` to `stop` of the replay, as far as they lie here; they can be handed on as they are."""
        places = range(max(0, start - self._first), min(len(self._lines), stop - self._first))
        for place in places:
            if not self._is_checked[place]:
                self._check(place)
        return self._lines[places.start : places.stop]

    def _check(self, place: int) -> None:
        line, index = self._lines[place], self._first + place
        if not _is_frame(line, index):
            _complain(line, index, f"{self._path} frame {index}")
        self._is_checked[place] = 1


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
        self._unpackers = ThreadPoolExecutor(_UNPACKERS, thread_name_prefix="unpack")
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
        return self.chunk(reader, offset, limit, at_most=PAGE_BYTES)

    def chunk(self, reader: ReplayReader, offset: int, limit: int, *, at_most: int) -> Page:
        """Read at most `limit` frames of at most so many bytes; a frame that is larger comes alone.

        Raises:
            UnknownName: The file is gone.
            DocumentError: With the first member or frame that is broken.
        """
        lines: list[bytes] = []
        size = 0
        for line in self._lines(reader, offset, limit):
            if lines and size + len(line) > at_most:
                break
            lines.append(line)
            size += len(line)
        return Page(offset=offset, lines=lines, has_more=offset + len(lines) < reader.frame_count)

    def close(self) -> None:
        """End the threads; what they are at is finished."""
        self._unpackers.shutdown(wait=True, cancel_futures=True)

    def _lines(self, reader: ReplayReader, offset: int, limit: int) -> Iterator[bytes]:
        stop = min(reader.frame_count, offset + limit)
        size = reader.sidecar.member_frames
        if offset >= stop:
            return
        stamp = file_stamp(reader.path)
        members = range(offset // size, -(-stop // size))
        # Each is unpacked while the one before it is checked and sent.
        ahead = deque(self._unpackers.submit(self._member, reader, stamp, member) for member in members[:_UNPACKERS])
        for member in members:
            present = ahead.popleft().result()
            if member + _UNPACKERS in members:
                ahead.append(self._unpackers.submit(self._member, reader, stamp, member + _UNPACKERS))
            yield from present.lines(offset, stop)

    def _member(self, reader: ReplayReader, stamp: Stamp, member: int) -> _Member:
        key = (str(reader.path), stamp, member)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
        read = _Member(reader, member)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = read
                self._bytes += read.size_bytes
            while self._bytes > self._cache_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= oldest.size_bytes
        return read


def _is_frame(line: bytes, index: int) -> bool:
    try:
        return _PLACES.decode(line).frame_index == index and (line.isascii() or line.decode() is not None)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _complain(line: bytes, index: int, where: str) -> NoReturn:
    found = decode_json(line, _Place, where=where).frame_index
    if found != index:
        raise DocumentError(f"{where}: says that it is frame {found}")
    raise DocumentError(f"{where}: is no UTF-8")
