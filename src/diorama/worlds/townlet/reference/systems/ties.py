"""The tie table: what citizens feel about one another, how events change it, and how it fades."""

from typing import Final, NamedTuple

from diorama.numerics import clamp
from diorama.worlds.townlet.codes import EvictionReason, RelationEvent, Trait
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.ledgers import ChurnWindow
from diorama.worlds.townlet.reference.state.ties import Tie
from diorama.worlds.townlet.reference.state.town import Town

HOUR_TICKS: Final = 42
CHURN_WINDOWS: Final = 8
_FADED: Final = 0.01
_FORGIVENESS_WEIGHT: Final = 0.5
_AMBITION_WEIGHT: Final = 0.3
_EXTROVERSION_FAMILIARITY: Final = 0.02
_AMBITIOUS_EVENTS: Final = (RelationEvent.CONFLICT, RelationEvent.EMPLOYMENT_SHIFT_TAKEN)
STRANGER: Final = Tie(other=-1)


class Delta(NamedTuple):
    """What an event does to a tie before personality."""

    trust: float
    familiarity: float
    rivalry: float


DELTAS: Final = {
    RelationEvent.SHARED_MEAL: Delta(0.10, 0.25, 0.0),
    RelationEvent.QUEUE_POLITE: Delta(0.05, 0.05, -0.05),
    RelationEvent.CHAT_FAILURE: Delta(0.0, -0.05, 0.05),
    RelationEvent.EMPLOYMENT_HELP: Delta(0.20, 0.10, -0.10),
    RelationEvent.EMPLOYMENT_SHIFT_TAKEN: Delta(-0.10, 0.0, 0.30),
    RelationEvent.APPOINTMENT_KEPT: Delta(0.05, 0.10, -0.05),
}


def chat_success_delta(quality: float) -> Delta:
    """What a successful chat does."""
    return Delta(0.05 * quality, 0.10 * quality, 0.0)


def tie_to(citizen: Citizen, seat: int) -> Tie:
    """The tie to the citizen on a seat; one without any feelings to a stranger."""
    for tie in citizen.ties:
        if tie.other == seat:
            return tie
    return STRANGER


def rivalry_now(town: Town, tie: Tie) -> float:
    """Rivalry at this tick: it fades in a straight line from its last change."""
    rule = town.config.conflict.rivalry
    faded = tie.rivalry - rule.decay_per_tick * (town.tick - tie.rivalry_tick)
    return faded if faded > rule.min_value else rule.min_value


def rivalry_of(town: Town, citizen: Citizen, seat: int) -> float:
    """Rivalry of a citizen towards the one on a seat."""
    return rivalry_now(town, tie_to(citizen, seat))


def apply_event(town: Town, citizen: Citizen, other: Citizen, event: RelationEvent, delta: Delta | None = None) -> None:
    """Change both directions of a relationship, each by its owner's personality.

    Args:
        town: The town; nothing happens while its relationships are off.
        citizen: Whose tie changes first.
        other: The other one.
        event: What happened.
        delta: What it does, for events that are not always the same.
    """
    if not town.config.features.has_relationships:
        return
    base = DELTAS[event] if delta is None else delta
    for owner, target in ((citizen, other), (other, citizen)):
        change_tie(town, owner, target.seat, _personal(town, owner, event, base))


def change_tie(town: Town, owner: Citizen, seat: int, delta: Delta) -> None:
    """Change one direction; a new tie may push out the weakest one, or find no room."""
    known = tie_to(owner, seat)
    if known is not STRANGER:
        _shift(town, known, delta)
        return
    tie = Tie(other=seat, rivalry=town.config.conflict.rivalry.min_value, rivalry_tick=town.tick)
    _shift(town, tie, delta)
    if strength(town, tie) > 0.0 and _has_room(town, owner, tie):
        owner.ties.append(tie)


def set_tie(
    town: Town, owner: Citizen, seat: int, trust: float | None, familiarity: float | None, rivalry: float | None
) -> None:
    """Set what is given of one direction, as an operator does; a new tie always finds room."""
    known = tie_to(owner, seat)
    rule = town.config.conflict.rivalry
    if known is STRANGER:
        if len(owner.ties) >= rule.max_edges:
            drop_tie(town, owner, _weakest(town, owner), EvictionReason.CAPACITY)
        known = Tie(other=seat, rivalry=rule.min_value, rivalry_tick=town.tick)
        owner.ties.append(known)
    if trust is not None:
        known.trust = clamp(trust, -1.0, 1.0)
    if familiarity is not None:
        known.familiarity = clamp(familiarity, -1.0, 1.0)
    if rivalry is not None:
        known.rivalry, known.rivalry_tick = clamp(rivalry, rule.min_value, rule.max_value), town.tick


def drop_tie(town: Town, owner: Citizen, tie: Tie, reason: EvictionReason) -> None:
    """Take a tie away, and tell and count it."""
    owner.ties.remove(tie)
    other = town.seats[tie.other]
    town.record(EventKind.RELATIONSHIP_TIE_EVICTED, owner.number, -1 if other is None else other.number, reason)
    window = _churn_window(town)
    window.by_reason[reason] += 1
    window.by_owner[owner.seat] += 1


def forget(town: Town, seat: int) -> None:
    """Take away every tie to the citizen on a seat, who leaves."""
    for citizen in town.living():
        tie = tie_to(citizen, seat)
        if tie is not STRANGER:
            drop_tie(town, citizen, tie, EvictionReason.REMOVED)


def fade_ties(town: Town) -> None:
    """Let trust and familiarity fade, and drop ties that have become meaningless; once in an hour."""
    if town.tick % HOUR_TICKS != 0 or not town.config.features.has_relationships:
        return
    rule = town.config.relationships
    threshold = town.config.conflict.rivalry.eviction_threshold
    for citizen in town.in_turn():
        for tie in [*citizen.ties]:
            tie.trust = _towards_zero(tie.trust, rule.trust_decay_per_hour)
            tie.familiarity = _towards_zero(tie.familiarity, rule.familiarity_decay_per_hour)
            is_faded = abs(tie.trust) < _FADED and abs(tie.familiarity) < _FADED
            if is_faded and rivalry_now(town, tie) <= threshold:
                drop_tie(town, citizen, tie, EvictionReason.DECAY)


def strength(town: Town, tie: Tie) -> float:
    """How much a tie means, in any direction."""
    return abs(tie.trust) + abs(tie.familiarity) + rivalry_now(town, tie)


def _personal(town: Town, owner: Citizen, event: RelationEvent, base: Delta) -> Delta:
    if not town.config.features.relationship_modifiers:
        return base
    trust, familiarity, rivalry = base
    softened = 1.0 - _FORGIVENESS_WEIGHT * owner.traits[Trait.FORGIVENESS]
    if trust < 0.0:
        trust *= softened
    if familiarity < 0.0:
        familiarity *= softened
    if rivalry > 0.0:
        rivalry *= softened
    if event in _AMBITIOUS_EVENTS:
        rivalry *= 1.0 + _AMBITION_WEIGHT * owner.traits[Trait.AMBITION]
    if event is RelationEvent.CHAT_SUCCESS:
        familiarity += _EXTROVERSION_FAMILIARITY * owner.traits[Trait.EXTROVERSION]
    return Delta(trust, familiarity, rivalry)


def _shift(town: Town, tie: Tie, delta: Delta) -> None:
    rule = town.config.conflict.rivalry
    tie.trust = clamp(tie.trust + delta.trust, -1.0, 1.0)
    tie.familiarity = clamp(tie.familiarity + delta.familiarity, -1.0, 1.0)
    # Without a change the line it fades along is kept: starting a new one would round differently.
    if delta.rivalry != 0.0:
        tie.rivalry = clamp(rivalry_now(town, tie) + delta.rivalry, rule.min_value, rule.max_value)
        tie.rivalry_tick = town.tick


def _has_room(town: Town, owner: Citizen, tie: Tie) -> bool:
    if len(owner.ties) < town.config.conflict.rivalry.max_edges:
        return True
    weakest = _weakest(town, owner)
    if not strength(town, weakest) < strength(town, tie):
        return False
    drop_tie(town, owner, weakest, EvictionReason.CAPACITY)
    return True


def _weakest(town: Town, owner: Citizen) -> Tie:
    return min(owner.ties, key=lambda tie: strength(town, tie))


def _towards_zero(value: float, step: float) -> float:
    if value > 0.0:
        return value - step if value > step else 0.0
    return value + step if value < -step else 0.0


def _churn_window(town: Town) -> ChurnWindow:
    index = town.tick // town.config.relationships.churn_window_ticks
    churn = town.social.churn
    if not churn or churn[-1].index != index:
        churn.append(ChurnWindow(index, [0] * len(EvictionReason), [0] * len(town.seats)))
        del churn[:-CHURN_WINDOWS]
    return churn[-1]
