"""A battle at one moment: units, munitions, storms, fields, and what is decided about its end.

`Unit` is components in the canonical order: `unit.hull.hp`, `unit.layer.mode`. The record a unit was resolved from is
`unit.spec`; it never changes. A few much-read fields have short names for reading; writers name the component.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from diorama.numerics import hyp
from diorama.worlds.tidebreak.codes import (
    ABSENT_STATUS,
    INEFFECTIVE_STATUS,
    ConnectionState,
    Layer,
    UnitStatus,
)
from diorama.worlds.tidebreak.reference.components import (
    IN_TRANSIT,
    POPPING_UP,
    Boarding,
    Compartment,
    ContactMemory,
    Crew,
    Hull,
    Identity,
    LayerState,
    Memory,
    Morale,
    Motion,
    Mount,
    Munition,
    Objective,
    Posture,
    Scratch,
    Stores,
    Storm,
    Tally,
    Tracks,
    Transform,
)
from diorama.worlds.tidebreak.reference.events import EventKind, EventLog
from diorama.worlds.tidebreak.reference.fields import FieldSpace, Stamp
from diorama.worlds.tidebreak.resolve import ResolvedBattle, ResolvedPackage, ResolvedUnit
from diorama.worlds.tidebreak.resolve.records import ResolvedMap, ResolvedRules

if TYPE_CHECKING:
    from diorama.worlds.tidebreak.reference.orders import Controller, Order

# As plain integers: they are asked for all the time, and operations of flags are slow.
_ABSENT: Final = int(ABSENT_STATUS)
_INEFFECTIVE: Final = int(INEFFECTIVE_STATUS)
NO_WINNER: Final = -1
NOT_ENDED: Final = -1


@dataclass(slots=True)
class Unit:
    """A ship, platform or squadron; components in canonical order, then what is not hashed."""

    spec: ResolvedUnit
    identity: Identity
    transform: Transform
    motion: Motion
    layer: LayerState
    posture: Posture
    hull: Hull
    crew: Crew
    morale: Morale
    stores: Stores
    mounts: list[Mount]
    compartments: list[Compartment]
    contact_memory: ContactMemory = field(default_factory=ContactMemory)
    boarding: Boarding = field(default_factory=Boarding)
    objective: Objective = field(default_factory=Objective)
    tally: Tally = field(default_factory=Tally)
    tracks: Tracks = field(default_factory=Tracks)
    memory: Memory = field(default_factory=Memory)
    scratch: Scratch = field(default_factory=Scratch)

    @property
    def id(self) -> int:
        """Entity id."""
        return self.identity.id

    @property
    def team(self) -> int:
        """Index of its team."""
        return self.identity.team

    @property
    def x(self) -> float:
        """East."""
        return self.transform.x

    @property
    def y(self) -> float:
        """North."""
        return self.transform.y

    @property
    def heading(self) -> float:
        """Counter-clockwise from east, in [0, 2 pi)."""
        return self.transform.heading

    @property
    def speed(self) -> float:
        """Through the water, m/s."""
        return hyp(self.motion.vx, self.motion.vy)

    @property
    def is_present(self) -> bool:
        """None of DESTROYED, SCUTTLED, EXITED."""
        return not self.identity.status & _ABSENT

    @property
    def is_effective(self) -> bool:
        """Present and none of SURRENDERED, CAPTURED, DISABLED."""
        return not self.identity.status & _INEFFECTIVE

    @property
    def layers_mask(self) -> int:
        """Layers it counts as being in, bit `1 << layer`: both of a transit, SURFACE too in pop-up."""
        if self.layer.mode == IN_TRANSIT:
            return 1 << self.layer.layer | 1 << self.layer.target_layer
        if self.layer.mode == POPPING_UP:
            return 1 << Layer.SURFACE | 1 << Layer.SUBMERGED
        return 1 << self.layer.layer

    @property
    def touches_surface(self) -> bool:
        """Whether it counts as being on SURFACE."""
        return bool(self.layers_mask & 1 << Layer.SURFACE)

    @property
    def is_docked(self) -> bool:
        """Whether it is made fast to a unit it boards."""
        return self.boarding.state >= ConnectionState.DOCKED

    def has(self, status: UnitStatus) -> bool:
        """Whether one of the bits is set."""
        return bool(self.identity.status & int(status))

    def mark(self, status: UnitStatus) -> None:
        """Set status bits."""
        self.identity.status |= int(status)

    def unmark(self, status: UnitStatus) -> None:
        """Clear status bits."""
        self.identity.status &= ~int(status)

    def note_invalid(self) -> None:
        """Count an order whose precondition failed."""
        self.scratch.invalid += 1
        self.memory.invalid_orders += 1

    def class_speed(self) -> float:
        """Full speed in its layer, m/s; 0.4 of the smaller of both in transit."""
        speeds = self.spec.hull.speed_ms
        if self.layer.mode == IN_TRANSIT:
            here, there = speeds[self.layer.layer], speeds[self.layer.target_layer]
            return 0.4 * (here if here < there else there)
        return speeds[self.layer.layer]


@dataclass(slots=True)
class Outcome:
    """How the battle ended: `EndReason` or -1, and the winning team or -1."""

    end_reason: int = NOT_ENDED
    winner: int = NO_WINNER

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.end_reason != NOT_ENDED


@dataclass(slots=True)
class Battle:
    """Everything there is in one battle.

    Attributes:
        package: What it started from.
        tick: Ticks that have passed.
        seed: Of every draw.
        next_entity_id: Of the next munition or squadron.
        units: By ascending id; units that are lost stay.
        munitions: By ascending id; only those alive.
        storms: In the package's order.
        fields: What is spread through water and air.
        log: Events.
        outcome: Set when the battle ends.
        controllers: Who gives each unit its orders, by unit id; a unit without one gets none.
        latched: Orders of this tick by unit id; an agent's unit that is not in it repeats its helm.
        stamps: Stamps emitted so far in this tick, with the entity they come from; the FIELDS phase empties it.
        initial_hash: State hash at tick 0, for the result.
    """

    package: ResolvedPackage
    tick: int
    seed: int
    next_entity_id: int
    units: list[Unit]
    munitions: list[Munition]
    storms: list[Storm]
    fields: FieldSpace
    log: EventLog
    outcome: Outcome = field(default_factory=Outcome)
    controllers: "dict[int, Controller]" = field(default_factory=dict)
    latched: "dict[int, Order]" = field(default_factory=dict)
    stamps: list[tuple[int, Stamp]] = field(default_factory=list)
    initial_hash: int = 0

    @property
    def spec(self) -> ResolvedBattle:
        """The resolved battle."""
        return self.package.battle

    @property
    def rules(self) -> ResolvedRules:
        """Switches of the battle."""
        return self.package.battle.rules

    @property
    def map(self) -> ResolvedMap:
        """Where it is fought."""
        return self.package.battle.map

    def unit(self, unit_id: int) -> Unit:
        """The unit with this id.

        Raises:
            KeyError: There is none.
        """
        found = self.find_unit(unit_id)
        if found is None:
            raise KeyError(f"there is no unit {unit_id}")
        return found

    def find_unit(self, unit_id: int) -> Unit | None:
        """The unit with this id, None if it is no unit's."""
        starting = len(self.spec.units)
        if 1 <= unit_id <= starting:
            return self.units[unit_id - 1]
        return next((unit for unit in self.units[starting:] if unit.id == unit_id), None)

    def find_munition(self, munition_id: int) -> Munition | None:
        """The munition with this id, None if it is spent or no munition's."""
        return next((munition for munition in self.munitions if munition.id == munition_id), None)

    def present_units(self) -> list[Unit]:
        """Units that are still there, by id."""
        return [unit for unit in self.units if unit.is_present]

    def are_enemies(self, team: int, other: int) -> bool:
        """Whether two teams are at war."""
        return other in self.spec.teams[team].enemies

    def take_entity_id(self) -> int:
        """Id for a new munition or squadron."""
        entity_id = self.next_entity_id
        self.next_entity_id += 1
        return entity_id

    def is_attached(self, unit: Unit) -> bool:
        """Whether the unit is made fast to another, as boarder or as boarded."""
        return unit.is_docked or any(
            other.is_docked and other.boarding.target_id == unit.id for other in self.units if other.is_present
        )

    def record(
        self,
        kind: EventKind,
        source: int = 0,
        target: int = 0,
        *,
        cause: int = 0,
        f0: float = 0.0,
        f1: float = 0.0,
        i0: int = 0,
    ) -> int:
        """Note an event of this tick; return its id."""
        return self.log.record(self.tick, kind, source, target, cause=cause, f0=f0, f1=f1, i0=i0)
