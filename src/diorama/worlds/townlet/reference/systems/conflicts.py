"""Conflicts at queues, and whom a citizen avoids because of them."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.townlet.codes import ConflictReason, RelationEvent
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import BUCKETS, Citizen
from diorama.worlds.townlet.reference.state.ledgers import ConflictNote
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.ties import STRANGER, Delta, apply_event, rivalry_now, tie_to

CONFLICTS_KEPT: Final = 120
MIN_INTENSITY: Final = 0.1
MAX_INTENSITY: Final = 5.0
_GHOST_STEP_FAMILIARITY: Final = -0.05


def record_conflict(
    town: Town, object_index: int, actor: Citizen, rival: Citizen, reason: ConflictReason, queue_length: int
) -> None:
    """Note a conflict between two citizens at an object, with all it does to them.

    Args:
        town: The town.
        object_index: What it was about.
        actor: Who lost or left the place.
        rival: Who got it.
        reason: How that came.
        queue_length: How many waited.
    """
    rule = town.config.conflict.rivalry
    boost = rule.ghost_step_boost if reason is ConflictReason.GHOST_STEP else rule.handover_boost
    intensity = clamp(boost + rule.queue_length_boost * max(queue_length - 1, 0), MIN_INTENSITY, MAX_INTENSITY)
    familiarity = _GHOST_STEP_FAMILIARITY if reason is ConflictReason.GHOST_STEP else 0.0
    delta = Delta(0.0, familiarity, rule.increment_per_conflict * intensity)
    apply_event(town, actor, rival, RelationEvent.CONFLICT, delta)
    town.record(EventKind.QUEUE_CONFLICT, object_index, actor.number, rival.number, reason, queue_length, intensity)
    town.queues.conflict_intensity_sum += intensity
    actor.fitness.violations[BUCKETS - 1] += 1
    town.social.conflicts.append(ConflictNote(town.tick, object_index, actor.number, rival.number, reason, intensity))
    del town.social.conflicts[:-CONFLICTS_KEPT]
    has_escalated = avoids(town, actor, rival.seat) or avoids(town, rival, actor.seat)
    pair = town.pair(actor.seat, rival.seat)
    town.kpis.conflict_pairs[pair] = max(town.kpis.conflict_pairs[pair], 2 if has_escalated else 1)


def avoid_threshold(town: Town, citizen: Citizen) -> float:
    """Rivalry from which on a citizen avoids another; the smaller the tolerance bias of its profile, the higher."""
    threshold = town.config.conflict.rivalry.avoid_threshold
    if town.config.features.behavior.personality_profiles:
        threshold /= town.tables.profiles[citizen.profile].conflict_tolerance
    return clamp(threshold, 0.0, 1.0)


def avoids(town: Town, citizen: Citizen, seat: int) -> bool:
    """Whether a citizen avoids the one on a seat."""
    tie = tie_to(citizen, seat)
    return tie is not STRANGER and rivalry_now(town, tie) >= avoid_threshold(town, citizen)


def avoided_seats(town: Town, citizen: Citizen) -> list[int]:
    """Seats of everybody a citizen avoids, in the order of its ties."""
    if not citizen.ties:
        return []
    threshold = avoid_threshold(town, citizen)
    return [tie.other for tie in citizen.ties if rivalry_now(town, tie) >= threshold]
