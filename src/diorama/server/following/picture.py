"""`RunPicture`: a run at one moment, and what a page that knows less has to be told."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from diorama.runs.documents import Document, encode
from diorama.runs.metadata import RunMetadata, RunStatus
from diorama.runs.replays.entry import ReplayEntry
from diorama.server.following.cursor import Cursor
from diorama.server.following.places import WindowPlaces

_PIECE_BYTES: Final = 65_536  # from here on a piece is whole


@dataclass(frozen=True, slots=True)
class Told:
    """One event; `data` is JSON on one line, `cursor` where the page stands after it."""

    event: Literal["window", "checkpoint", "replay", "status"]
    cursor: Cursor
    data: bytes

    def encode(self) -> bytes:
        """Write it as server-sent events are written."""
        return b"id: %s\nevent: %s\ndata: %s\n\n" % (str(self.cursor).encode(), self.event.encode(), self.data)


@dataclass(frozen=True, slots=True)
class News:
    """Events as they are sent in one piece, and where the page stands after them."""

    text: bytes
    cursor: Cursor


class StateText(Document, frozen=True, kw_only=True):
    """What a `status` event carries."""

    run_id: str
    status: RunStatus
    env_steps_total: int
    target_env_steps: int
    windows_emitted: int
    checkpoints_written: int
    replays_written: int
    updated_at: str
    finished_at: str | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPicture:
    """Everything a page can be told about a run, oldest first.

    Attributes:
        windows: Where their rows lie.
        checkpoints: By their windows, which grow, as JSON.
        replays: In the order of the index.
        status: As cursors keep it.
        state: As `status` events carry it.
        is_final: The run has ended; everything it wrote is in the picture.
    """

    windows: WindowPlaces
    checkpoints: tuple[tuple[int, bytes], ...]
    replays: tuple[ReplayEntry, ...]
    status: str
    state: bytes
    is_final: bool

    def end(self) -> Cursor:
        """Return where a page stands that was told all of this but the status."""
        return Cursor(
            window=self.windows.end,
            checkpoint=self.checkpoints[-1][0] if self.checkpoints else Cursor().checkpoint,
            replays=len(self.replays),
        )

    def after(self, cursor: Cursor) -> Iterator[Told]:
        """Return what a page has yet to be told; the status comes last, so that nothing follows a final one."""
        # An index that was made anew may be shorter than the one the page knows.
        cursor = replace(cursor, replays=min(cursor.replays, len(self.replays)))
        for key, row in self.windows.after(cursor.window):
            cursor = replace(cursor, window=key)
            yield Told("window", cursor, row)
        if cursor.window < self.windows.end:
            return  # the file was written anew meanwhile; the next picture knows of it
        for window_id, mark in self.checkpoints:
            if window_id > cursor.checkpoint:
                cursor = replace(cursor, checkpoint=window_id)
                yield Told("checkpoint", cursor, mark)
        for entry in self.replays[cursor.replays :]:
            cursor = replace(cursor, replays=cursor.replays + 1)
            yield Told("replay", cursor, encode(entry.to_json()))
        if self.status != cursor.status:
            yield Told("status", replace(cursor, status=self.status), self.state)

    def news_after(self, cursor: Cursor) -> News:
        """Read what a page has yet to be told, as much as one piece takes; without text there is nothing left."""
        parts: list[bytes] = []
        size = 0
        for told in self.after(cursor):
            parts.append(told.encode())
            cursor = told.cursor
            size += len(parts[-1])
            if size >= _PIECE_BYTES:
                break
        return News(b"".join(parts), cursor)


def status_mark(metadata: RunMetadata) -> str:
    """Return what a cursor keeps of a status: a run that is resumed and ends once more has another one."""
    if metadata.finished_at is None:
        return metadata.status.value
    return f"{metadata.status.value} {metadata.finished_at}"


def is_final(metadata: RunMetadata) -> bool:
    """Whether a run has ended."""
    return metadata.status is not RunStatus.RUNNING
