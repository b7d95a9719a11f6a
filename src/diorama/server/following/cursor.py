"""`Cursor`: how much of a run a page has been told; it is the id of every event, so that a stream can be resumed."""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from diorama.server.errors import BadValue

WindowKey: TypeAlias = tuple[int, int]  # window_id and env_steps_total: rows are sorted by this

_NUMBER: Final = r"-?\d{1,18}"
_TEXT: Final = re.compile(
    rf"(?P<window>{_NUMBER})\.(?P<steps>{_NUMBER}),(?P<checkpoint>{_NUMBER}),(?P<replays>\d{{1,18}}),"
    r"(?P<status>[ -~]{0,64})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """What was told last; it speaks of the files alone, so that it outlives the server.

    Attributes:
        window: Key of the newest window.
        checkpoint: Window of the newest checkpoint; -1 before the first.
        replays: Entries of the replay index.
        status: Of the run, with the moment it ended; empty before the first.
    """

    window: WindowKey = (-1, -1)
    checkpoint: int = -1
    replays: int = 0
    status: str = ""

    def __str__(self) -> str:
        """Write it as an event id."""
        return f"{self.window[0]}.{self.window[1]},{self.checkpoint},{self.replays},{self.status}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Read an event id.

        Raises:
            BadValue: It is none of ours.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise BadValue(f"Last-Event-ID: {text[:80]!r} is no id of this stream; send the id of an event, or none")
        return cls(
            window=(int(match["window"]), int(match["steps"])),
            checkpoint=int(match["checkpoint"]),
            replays=int(match["replays"]),
            status=match["status"],
        )
