"""A moment as the player of one seat sees it. A town keeps no secrets: only whose eyes they are is added."""

from diorama.contracts.values import JsonObject
from diorama.contracts.world import Seen
from diorama.worlds.townlet.frames import read_frame


def seen_by(frame: JsonObject, seat: int) -> Seen:
    """Return what the player of a seat sees."""
    events = tuple(dict.fromkeys(event.kind for event in read_frame(frame).events))
    return Seen(picture={**frame, "seat": seat}, events=events)
