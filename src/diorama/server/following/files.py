"""`FollowedFiles`: looks at the files of one run and reads what is new in them."""

import os
from pathlib import Path
from typing import Final

import msgspec

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header
from diorama.runs.documents import Document, encode
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunMetadata
from diorama.server.following.picture import RunPicture, StateText, is_final, status_mark
from diorama.server.following.places import NewPlaces, WindowPlaces
from diorama.server.reading.shelf import RunShelf, inside
from diorama.server.reading.stamped_cache import Stamp, file_stamp
from diorama.storage.artifact_files import open_artifact
from diorama.storage.line_files import MAX_FILE_BYTES

_MAX_NEW_BYTES: Final = 256 << 20
_NEWLINE: Final = b"\n"


class _Mark(Document, frozen=True, kw_only=True):
    window_id: int
    env_steps_total: int
    path: str
    sha256: str | None
    created_at: str


class FollowedFiles:
    """Used by one thread at a time; every look costs three questions to the disk unless something has changed."""

    def __init__(self, runs: RunShelf, layout: RunLayout) -> None:
        """Look at nothing yet."""
        self._runs = runs
        self._layout = layout
        self._picture: RunPicture | None = None
        self._seen: tuple[Stamp | None, ...] = ()
        self._windows = WindowPlaces.none(layout)
        self._read_to = 0
        self._last_line = b""
        self._checkpoints: dict[int, bytes] = {}
        self._looked_into: set[Path] = set()

    def look(self) -> RunPicture:
        """Return the run as it is; the very picture of the last look if nothing has changed.

        Raises:
            UnknownName: The run is gone.
            DocumentError: Its metadata is broken.
        """
        layout = self._layout
        seen = tuple(_stamp(layout, path) for path in (layout.metadata, layout.windows, layout.replay_index))
        if self._picture is None or seen != self._seen:
            # Before the rest: what a run has written when it says that it has ended is all there is.
            metadata = self._runs.metadata(layout)
            self._read_windows()
            self._read_checkpoints(metadata)
            self._picture = self._paint(metadata)
            self._seen = seen
        return self._picture

    def _paint(self, metadata: RunMetadata) -> RunPicture:
        state = msgspec.convert(metadata, type=StateText, from_attributes=True)
        return RunPicture(
            windows=self._windows,
            checkpoints=tuple(sorted(self._checkpoints.items())),
            replays=self._runs.index(self._layout).entries,
            status=status_mark(metadata),
            state=encode(state),
            is_final=is_final(metadata),
        )

    def _read_windows(self) -> None:
        path = self._layout.windows
        if _stamp(self._layout, path) is None:
            return
        new = NewPlaces()
        with open_artifact(path, within=self._layout.directory, most_bytes=MAX_FILE_BYTES) as file:
            if not self._goes_on(file.fileno()):
                self._windows = WindowPlaces.none(self._layout)
                self._looked_into.clear()
                self._read_to = 0
            file.seek(self._read_to)
            until = self._read_to + _MAX_NEW_BYTES
            while self._read_to < until and (line := file.readline(_MAX_NEW_BYTES)).endswith(_NEWLINE):
                new.add(line, self._read_to)
                self._read_to += len(line)
                self._last_line = line
        self._windows = self._windows.with_new(new)

    def _goes_on(self, descriptor: int) -> bool:
        """Whether the file still begins with what was read; a resumed run cuts it and writes anew."""
        size = len(self._last_line)
        return self._read_to == 0 or os.pread(descriptor, size, self._read_to - size) == self._last_line

    def _read_checkpoints(self, metadata: RunMetadata) -> None:
        latest = metadata.latest_checkpoint
        if latest is None or latest.window_id in self._checkpoints:
            return
        self._checkpoints[latest.window_id] = encode(_Mark(**msgspec.structs.asdict(latest)))
        for path in {*checkpoint_paths(self._layout)} - self._looked_into:
            mark = _mark(self._layout, path)
            if mark is not None and mark.window_id <= latest.window_id:
                self._looked_into.add(path)
                self._checkpoints.setdefault(mark.window_id, encode(mark))


def _stamp(layout: RunLayout, path: Path) -> Stamp | None:
    try:
        return file_stamp(inside(layout, path))
    except UnknownName:
        return None


def _mark(layout: RunLayout, path: Path) -> _Mark | None:
    try:
        header = read_checkpoint_header(path, within=layout.directory)
    except (UnknownName, DocumentError):
        return None  # taken away or broken meanwhile; others are still worth telling
    return _Mark(
        window_id=header.window_id,
        env_steps_total=header.env_steps_total,
        path=layout.relative(path),
        sha256=None,
        created_at=header.created_at,
    )
