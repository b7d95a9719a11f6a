"""Events in words: one sentence each, and the chain of causes behind one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from diorama.worlds.tidebreak.codes import (
    ConnectionState,
    DamageType,
    EndReason,
    Layer,
    MunitionKind,
    ObjectiveType,
    TrackQuality,
)
from diorama.worlds.tidebreak.contract import Event
from diorama.worlds.tidebreak.reference.events import Event as LoggedEvent
from diorama.worlds.tidebreak.resolve import ResolvedBattle

NOBODY: Final = 0
_SYSTEMS: Final = ("the propulsion", "the ballast", "the weapons", "the sensors", "the power")
_EXPOSURES: Final = ("a hazard of the map", "the sea", "the abyss", "lightning")
_BOTCHES: Final = ("was thrown back", "got stuck", "let water in", "ended in a catastrophe")  # by `Botch`
_KINDS: Final = tuple(Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One event with its numbers; what f0, f1 and i0 mean depends on the kind."""

    id: int
    tick: int
    kind: Event
    source: int
    target: int
    cause: int
    f0: float
    f1: float
    i0: int

    @classmethod
    def read(cls, kind: Event, tick: int, record: Sequence[float]) -> Self:
        """Read id, source, target, cause, f0, f1 and i0 as step records have them, and its tick where they tell it."""
        event_id, source, target, cause, f0, f1, i0, *ticks = record
        return cls(
            id=int(event_id),
            tick=int(ticks[0]) if ticks else tick,
            kind=kind,
            source=int(source),
            target=int(target),
            cause=int(cause),
            f0=float(f0),
            f1=float(f1),
            i0=int(i0),
        )

    @classmethod
    def of(cls, event: LoggedEvent) -> Self:
        """Read an event of a battle's log."""
        return cls(
            id=event.id,
            tick=event.tick,
            kind=_KINDS[event.kind],
            source=event.source,
            target=event.target,
            cause=event.cause,
            f0=event.f0,
            f1=event.f1,
            i0=event.i0,
        )


@dataclass(frozen=True, slots=True)
class Names:
    """What entities, weapons and teams are called."""

    units: Mapping[int, str]
    weapons: Sequence[str]
    teams: Sequence[str]

    @classmethod
    def of_package(cls, battle: ResolvedBattle) -> Self:
        """Take the names of a battle that is not at hand any more; squadrons have numbers only."""
        return cls(
            units={unit.id: unit.ship_id for unit in battle.units},
            weapons=[weapon.weapon_id for weapon in battle.weapons],
            teams=[team.team_id for team in battle.teams],
        )

    def unit(self, entity_id: int) -> str:
        """Name an entity; munitions and decoys have numbers only."""
        if entity_id == NOBODY:
            return "nobody"
        return self.units.get(entity_id, f"object {entity_id}")

    def weapon(self, code: int) -> str:
        """Name a weapon."""
        return self.weapons[code] if 0 <= code < len(self.weapons) else "a weapon"

    def team(self, index: int) -> str:
        """Name a team."""
        return self.teams[index] if 0 <= index < len(self.teams) else "nobody"


_SENTENCES: Final[Mapping[Event, Callable[[EventRow, Names], str]]] = {
    Event.BATTLE_START: lambda row, names: "the battle began",
    Event.BATTLE_END: lambda row, names: _battle_end(row, names),
    Event.WEAPON_FIRED: lambda row, names: (
        f"{names.unit(row.source)} fired {names.weapon(row.i0)}" + _at_somebody(row, names)
    ),
    Event.MUNITION_SPENT: lambda row, names: f"{_code(MunitionKind, row.i0)} {row.source} was spent",
    Event.HIT: lambda row, names: (
        f"{names.unit(row.source)} hit {names.unit(row.target)} with {names.weapon(row.i0)} ({row.f0:.0f})"
    ),
    Event.DAMAGE: lambda row, names: (
        f"{names.unit(row.target)} took {row.f0:.1f} {_code(DamageType, row.i0)} damage, {row.f1:.0f} hp left"
    ),
    Event.CRITICAL: lambda row, names: f"a critical hit on {names.unit(row.target)}: {_critical(row.i0)}",
    Event.DESTROYED: lambda row, names: f"{names.unit(row.target)} was destroyed" + _by_somebody(row, names),
    Event.DISABLED: lambda row, names: f"{names.unit(row.target)} was disabled" + _by_somebody(row, names),
    Event.SURRENDERED: lambda row, names: f"{names.unit(row.source)} surrendered at morale {row.f0:.2f}",
    Event.CAPTURED: lambda row, names: f"{names.unit(row.source)} captured {names.unit(row.target)}",
    Event.SCUTTLED: lambda row, names: f"{names.unit(row.source)} was scuttled",
    Event.EXITED: lambda row, names: f"{names.unit(row.source)} left the map",
    Event.COLLISION: lambda row, names: (
        f"{names.unit(row.source)} collided with "
        + ("an obstacle" if row.target == NOBODY else names.unit(row.target))
        + f" ({row.f0:.0f} kJ)"
    ),
    Event.GROUNDING: lambda row, names: f"{names.unit(row.source)} ran aground at {row.f0:.1f} m/s",
    Event.TRANSITION_START: lambda row, names: (
        f"{names.unit(row.source)} began to go to the {_code(Layer, row.i0)} layer, {row.f0:.0f} s"
    ),
    Event.TRANSITION_COMPLETE: lambda row, names: f"{names.unit(row.source)} reached the {_code(Layer, row.i0)} layer",
    Event.TRANSITION_BOTCHED: lambda row, names: f"the change of layer of {names.unit(row.source)} {_BOTCHES[row.i0]}",
    Event.PING: lambda row, names: f"{names.unit(row.source)} pinged at {row.f0:.0f} dB",
    Event.CONTACT_NEW: lambda row, names: (
        f"{names.unit(row.source)} made contact with {_contact(row, names)} ({_code(TrackQuality, row.i0).upper()})"
    ),
    Event.CONTACT_UPGRADED: lambda row, names: (
        f"{names.unit(row.source)} has {names.unit(row.target)} at {_code(TrackQuality, row.i0).upper()} now"
    ),
    Event.CONTACT_LOST: lambda row, names: f"{names.unit(row.source)} lost {_contact(row, names)}",
    Event.DECOY: lambda row, names: f"{names.unit(row.source)} launched a decoy",
    Event.PD_KILL: lambda row, names: f"point defense of {names.unit(row.source)} shot down object {row.target}",
    Event.FIRE_STARTED: lambda row, names: f"fire broke out on {names.unit(row.target)}",
    Event.FLOODING_STARTED: lambda row, names: f"{names.unit(row.target)} is taking on water",
    Event.BOARDING_STATE: lambda row, names: (
        f"boarding of {names.unit(row.target)} by {names.unit(row.source)}: {_code(ConnectionState, row.i0)}"
    ),
    Event.BEACHHEAD: lambda row, names: (
        f"{names.unit(row.source)} holds a beachhead on {names.unit(row.target)} with {row.f1:.0f} marines"
    ),
    Event.REPULSED: lambda row, names: f"{names.unit(row.target)} repulsed the boarders of {names.unit(row.source)}",
    Event.SQUADRON_LAUNCHED: lambda row, names: f"{names.unit(row.source)} launched {names.unit(row.target)}",
    Event.SQUADRON_LOST: lambda row, names: f"{names.unit(row.target)} was shot down" + _by_somebody(row, names),
    Event.OBJECTIVE_COMPLETED: lambda row, names: (
        f"{names.unit(row.source)} completed its objective ({_code(ObjectiveType, row.i0)})"
    ),
    Event.OBJECTIVE_FAILED: lambda row, names: (
        f"{names.unit(row.source)} failed its objective ({_code(ObjectiveType, row.i0)})"
    ),
    Event.LIGHTNING: lambda row, names: f"lightning struck {names.unit(row.target)}",
    Event.HAZARD: lambda row, names: f"{names.unit(row.target)} suffered {row.f0:.1f} from {_EXPOSURES[row.i0]}",
    Event.FIELD_SATURATED: lambda row, names: "the fields have no room for more detail",
    Event.MUNITION_CAP: lambda row, names: f"{names.unit(row.source)} could not fire: too many munitions are alive",
    Event.CONFLICT: lambda row, names: f"orders to {names.unit(row.target)} contradicted each other",
    Event.OPERATOR: lambda row, names: "an operator intervened",
}


def sentence(row: EventRow, names: Names, known: Mapping[int, EventRow] | None = None) -> str:
    """Say what happened; with the events that are known by id, also what a ship was lost to if nobody did it."""
    told = _SENTENCES[row.kind](row, names)
    if row.kind not in (Event.DESTROYED, Event.DISABLED) or row.source != NOBODY:
        return told
    return told + _by_something(row, known or {})


def explain(event_id: int, events: Iterable[EventRow], names: Names) -> list[str]:
    """Return one line per link from an event back to the root of its causes; empty if it is not among them.

    Args:
        event_id: What is to be explained.
        events: As many as are known; the chain ends where a cause is not among them.
        names: What things are called.
    """
    by_id = {row.id: row for row in events}
    lines: list[str] = []
    while event_id in by_id:
        row = by_id[event_id]
        because = "because " if lines else ""
        lines.append(f"tick {row.tick} #{row.id} {row.kind.name}: {because}{sentence(row, names)}")
        event_id = row.cause
    return lines


def _battle_end(row: EventRow, names: Names) -> str:
    reason = _code(EndReason, row.i0).replace("_", " ")
    winner = int(row.f0)
    return f"the battle ended ({reason}): " + ("no winner" if winner < 0 else f"{names.team(winner)} won")


def _at_somebody(row: EventRow, names: Names) -> str:
    return "" if row.target == NOBODY else f" at {names.unit(row.target)}"


def _contact(row: EventRow, names: Names) -> str:
    return "a false echo" if row.target == NOBODY else names.unit(row.target)


def _by_somebody(row: EventRow, names: Names) -> str:
    return "" if row.source == NOBODY else f" by {names.unit(row.source)}"


def _by_something(row: EventRow, known: Mapping[int, EventRow]) -> str:
    cause = known.get(row.cause)
    while cause is not None:
        if cause.kind is Event.HAZARD:
            return f" by {_EXPOSURES[cause.i0]}"
        if cause.kind is Event.GROUNDING:
            return " by running aground"
        if cause.kind is Event.COLLISION:
            return " in a collision"
        cause = known.get(cause.cause)
    return ""


def _critical(effect: int) -> str:
    if effect < len(_SYSTEMS):
        return _SYSTEMS[effect]
    return "fire" if effect == len(_SYSTEMS) else "flooding"


def _code(kind: type[IntEnum], code: int) -> str:
    return kind(code).name.lower()
