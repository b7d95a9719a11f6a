"""Talk: who listens, whether it goes well, and how well."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.townlet.codes import RelationEvent, Trait
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.facts import Chat
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.conflicts import avoids
from diorama.worlds.townlet.reference.systems.notes import note_meeting
from diorama.worlds.townlet.reference.systems.ties import apply_event, chat_success_delta, rivalry_now, tie_to

_SURE_FAILURE: Final = 0.05
_SURE_SUCCESS: Final = 0.95
_WORST_QUALITY: Final = 0.1


def can_speak(town: Town, citizen: Citizen) -> bool:
    """Whether a citizen may begin a chat at all now."""
    return town.config.features.has_relationships and not citizen.is_running and town.tick >= citizen.chat_ready_tick


def candidates(town: Town, speaker: Citizen) -> list[Citizen]:
    """Everybody next to a speaker who could listen, by seat; rivals among them."""
    width = town.tables.map.width
    x, y = speaker.tile % width, speaker.tile // width
    return [
        other
        for other in town.living()
        if other is not speaker
        and not other.is_running
        and abs(other.tile % width - x) <= 1
        and abs(other.tile // width - y) <= 1
    ]


def listener_for(town: Town, speaker: Citizen) -> Citizen | None:
    """The one a citizen would talk to: the best liked next to it, rivals left out; None if there is nobody."""
    if not can_speak(town, speaker):
        return None
    best, best_liking = None, float("-inf")
    for other in candidates(town, speaker):
        tie = tie_to(speaker, other.seat)
        liking = tie.trust + tie.familiarity - rivalry_now(town, tie)
        if liking > best_liking and not are_rivals(town, speaker, other):
            best, best_liking = other, liking
    return best


def are_rivals(town: Town, citizen: Citizen, other: Citizen) -> bool:
    """Whether one of two citizens avoids the other."""
    return avoids(town, citizen, other.seat) or avoids(town, other, citizen.seat)


def talk(town: Town, speaker: Citizen) -> bool:
    """Let a citizen talk to whom it would talk to; draws once if there is somebody. True if the chat goes well."""
    listener = listener_for(town, speaker)
    if listener is None:
        return False
    tie = tie_to(speaker, listener.seat)
    base = town.config.relationships.chat_base_success
    chance = clamp(base * (1.0 + 0.3 * tie.trust) * (1.0 + 0.2 * tie.familiarity), _SURE_FAILURE, _SURE_SUCCESS)
    quality = chat_quality(town, speaker, listener)
    goes_well = town.streams.world.f64() < chance
    if goes_well:
        chat_well(town, speaker, listener, quality)
    else:
        chat_badly(town, speaker, listener)
    speaker.chat_ready_tick = town.tick + town.config.relationships.chat_cooldown_ticks
    return goes_well


def chat_quality(town: Town, speaker: Citizen, listener: Citizen) -> float:
    """How good a chat would be."""
    tie = tie_to(speaker, listener.seat)
    return clamp(
        0.5
        + 0.3 * speaker.traits[Trait.EXTROVERSION]
        + 0.2 * tie.trust
        + 0.1 * tie.familiarity
        - 0.2 * rivalry_now(town, tie),
        _WORST_QUALITY,
        1.0,
    )


def chat_well(town: Town, speaker: Citizen, listener: Citizen, quality: float) -> None:
    """Let a chat go well."""
    apply_event(town, speaker, listener, RelationEvent.CHAT_SUCCESS, chat_success_delta(quality))
    town.record(EventKind.CHAT_SUCCESS, speaker.number, listener.number, quality)
    note_meeting(town, EventKind.CHAT_SUCCESS, speaker, listener, quality)
    speaker.facts.chats.append(Chat(listener.seat, quality))
    listener.facts.chats.append(Chat(speaker.seat, quality))
    speaker.tally.chats_ok += 1
    speaker.plan.chats += 1


def chat_badly(town: Town, speaker: Citizen, listener: Citizen) -> None:
    """Let a chat go badly."""
    apply_event(town, speaker, listener, RelationEvent.CHAT_FAILURE)
    town.record(EventKind.CHAT_FAILURE, speaker.number, listener.number, 0.0)
    note_meeting(town, EventKind.CHAT_FAILURE, speaker, listener)
    speaker.facts.failed_as_speaker += 1
    listener.facts.failed_as_listener += 1
    speaker.tally.chats_failed += 1
