"""The record of who met whom; for people to look at."""

from typing import Final

from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.ledgers import SocialNote
from diorama.worlds.townlet.reference.state.town import Town

NOTES_KEPT: Final = 100


def note_meeting(town: Town, kind: EventKind, citizen: Citizen, other: Citizen, quality: float = 0.0) -> None:
    """Keep a meeting of two citizens, and forget the oldest one."""
    town.social.notes.append(SocialNote(town.tick, kind, citizen.number, other.number, quality))
    del town.social.notes[:-NOTES_KEPT]
