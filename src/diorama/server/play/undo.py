"""The places a session can return to: a snapshot now and then, and decisions taken again in between."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from diorama.runs.replays.scene import Moment
from diorama.server.play.scene import Place

MAX_UNDO: Final = 64  # decisions
STRIDE: Final = 8  # decisions from one snapshot to the next; as many are taken again at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """A place and what had been seen there.

    Attributes:
        place: Where the episode stood.
        last: The step that led to it; None at the opening.
        return_total: Sum of the seat's rewards.
        others: What the players of the other seats remembered.
    """

    place: Place
    last: Moment | None
    return_total: float
    others: object


class UndoTrail:
    """Bookmarks of the last decisions, oldest first."""

    def __init__(self, opening: Bookmark, *, limit_bytes: int) -> None:
        """Begin at the opening of an episode."""
        self._limit_bytes = limit_bytes
        self._bookmarks: deque[Bookmark] = deque([opening])

    @property
    def bytes_kept(self) -> int:
        """Size of all snapshots; what players remember is small beside them and not counted."""
        return sum(len(bookmark.place.snapshot) for bookmark in self._bookmarks)

    def available(self, steps: int) -> int:
        """Return how many of so many decisions can be taken back."""
        return min(MAX_UNDO, steps - self._bookmarks[0].place.steps) if self._bookmarks else 0

    def add(self, bookmark: Bookmark) -> None:
        """Keep a bookmark, and let go of those that nothing needs any more or that there is no room for."""
        self._bookmarks.append(bookmark)
        farthest = bookmark.place.steps - MAX_UNDO
        while len(self._bookmarks) > 1 and self._bookmarks[1].place.steps <= farthest:
            self._bookmarks.popleft()
        while self._bookmarks and self.bytes_kept > self._limit_bytes:
            self._bookmarks.popleft()

    def place_before(self, steps: int) -> Place | None:
        """Return the newest place at or before a number of decisions; None if none is kept."""
        places = (bookmark.place for bookmark in reversed(self._bookmarks))
        return next((place for place in places if place.steps <= steps), None)

    def go_back(self, steps: int) -> Bookmark:
        """Return the newest bookmark at or before a number of decisions, and forget those after it."""
        while self._bookmarks[-1].place.steps > steps:
            self._bookmarks.pop()
        return self._bookmarks[-1]
