"""`Outbox`: which pictures a client is sent, so that a slow one sees fewer and never older ones."""

import struct
from typing import Final

from diorama.server.consoles.service import Shot

HEADER: Final = struct.Struct("<IIBBH")
"""Number of the message, frames since power-on (modulo 2³²), keys that were held, flags, nothing.

A picture follows, if it is another one than that of the message before.
"""
PAUSED: Final = 1
TRAPPED: Final = 2
_IN_FLIGHT: Final = 3
_TELL_EVERY_FRAMES: Final = 15  # of a picture that does not change
_WRAP: Final = 1 << 32


class Outbox:
    """Holds the newest picture until the client has room for it; what it has not seen yet is never queued up."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._newest: tuple[Shot, int, int] | None = None
        self._told: tuple[Shot, int, int] | None = None
        self._sent = 0
        self._seen = 0

    def offer(self, shot: Shot, keys: int, *, is_paused: bool) -> None:
        """Take a picture in place of the one before."""
        flags = (PAUSED if is_paused else 0) | (TRAPPED if shot.is_trapped else 0)
        self._newest = (shot, keys, flags)

    def see(self, number: int) -> None:
        """Take note that the client has shown everything up to a message."""
        self._seen = min(max(self._seen, number), self._sent)

    def take(self) -> bytes | None:
        """Return the next message; None while there is nothing to tell, or no room."""
        if self._newest is None or self._sent - self._seen >= _IN_FLIGHT or not self._is_news():
            return None
        shot, keys, flags = self._newest
        is_same = self._told is not None and self._told[0].picture == shot.picture
        self._told, self._newest = self._newest, None
        self._sent += 1
        header = HEADER.pack(self._sent % _WRAP, shot.frame_count % _WRAP, keys, flags, 0)
        return header if is_same else header + shot.picture

    def _is_news(self) -> bool:
        if self._newest is None or self._told is None:
            return self._newest is not None
        (shot, *rest), (told, *told_rest) = self._newest, self._told
        # Whoever runs frames one by one wants to see each of them counted.
        silent_frames = 1 if rest[1] & PAUSED else _TELL_EVERY_FRAMES
        is_due = abs(shot.frame_count - told.frame_count) >= silent_frames
        return shot.picture != told.picture or rest != told_rest or is_due
