"""`StampedCache`: what was read from a file, for as long as the file is the same."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Generic, TypeAlias, TypeVar

from diorama.storage.artifact_files import artifact_status

T = TypeVar("T")
Stamp: TypeAlias = tuple[int, int, int]


def file_stamp(path: Path, *, within: Path | None = None) -> Stamp:
    """Return what changes whenever a file is replaced or grows: time, size and number of its node.

    Args:
        path: Of the file.
        within: The folder that it must lie in, without links on the way; its own one unless given.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It lies elsewhere, is a link, a pipe or a device.
    """
    found = artifact_status(path, within=within)
    return found.st_mtime_ns, found.st_size, found.st_ino


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    stamp: Stamp
    value: T


class StampedCache(Generic[T]):
    """Keeps the newest readings, as many as files of `limit_bytes` in all; may be used by several threads."""

    def __init__(self, *, limit_bytes: int) -> None:
        """Keep nothing yet."""
        self._limit_bytes = limit_bytes
        self._kept: OrderedDict[Path, _Kept[T]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, path: Path, read: Callable[[], T]) -> T:
        """Return what `read` makes of a file, called only if the file is another than last time.

        Raises:
            UnknownName: There is no such file.
            DocumentError: It is a link, a pipe or a device.
        """
        stamp = file_stamp(path)
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept.stamp == stamp:
                self._kept.move_to_end(path)
                return kept.value
        value = read()
        self._keep(path, _Kept(stamp, value))
        return value

    def _keep(self, path: Path, kept: _Kept[T]) -> None:
        with self._lock:
            former = self._kept.pop(path, None)
            if former is not None:
                self._bytes -= former.stamp[1]
            self._kept[path] = kept
            self._bytes += kept.stamp[1]
            while self._bytes > self._limit_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= oldest.stamp[1]
