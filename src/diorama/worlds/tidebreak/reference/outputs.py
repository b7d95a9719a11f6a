"""What plugins ask for, as records; resolvers carry them out.

A record's `source` is the entity that asks; its `plugin` is known to the list it is put into. `cause` is the id of the
event that led to it, 0 for none.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, TypeVar

from diorama.worlds.tidebreak.codes import DamageType, DcFocus, Emissions, Modality, WeaponGroup
from diorama.worlds.tidebreak.reference.fields import Stamp


class Plugin(IntEnum):
    """Codes of the plugins; among outputs of one entity they give the order."""

    WEATHER = 10
    CONTROLLER = 20
    POINT_DEFENCE = 21
    HELM = 30
    GUIDANCE = 31
    DAMAGE_CONTROL = 40
    HAZARD = 41
    TRANSITION = 42
    BOARDING = 43
    SQUADRON = 44
    MORALE = 45
    FUEL = 46
    STAMPS = 50
    SENSOR = 60
    LINK = 61
    OBJECTIVE = 70
    REWARD = 71


class Component(IntEnum):
    """Component codes that MODIFY names."""

    HULL = 5
    STORES = 8


class HullField(IntEnum):
    """Fields of Hull that MODIFY can change; a system is `SYSTEMS + System.X`."""

    HP = 0
    SYSTEMS = 1
    CEILINGS = 6
    FIRE = 11
    FLOOD = 12


class StoresField(IntEnum):
    """Fields of Stores that MODIFY can change."""

    FUEL = 0


class LayerDirection(IntEnum):
    """Payload of LAYER_ORDER."""

    DOWN = -1
    UP = 1
    POP_UP = 2


class Output(Protocol):
    """Anything that can be emitted."""

    @property
    def source(self) -> int:
        """Id of the entity that asks."""


@dataclass(frozen=True, slots=True)
class SetHelm:
    """Throttle -0.4 to 1 (negative is astern), rudder -1 to 1 (positive turns left)."""

    source: int
    throttle: float
    rudder: float


@dataclass(frozen=True, slots=True)
class SetEmissions:
    """Change of posture."""

    source: int
    code: Emissions


@dataclass(frozen=True, slots=True)
class SetFocus:
    """Change of what damage control works on."""

    source: int
    code: DcFocus


@dataclass(frozen=True, slots=True)
class Designate:
    """Make a held track the one that orders without a target mean."""

    source: int
    track_id: int


@dataclass(frozen=True, slots=True)
class LayerOrder:
    """Order to change depth."""

    source: int
    direction: LayerDirection


@dataclass(frozen=True, slots=True)
class FireGroup:
    """Order to fire a group at a track; `track_id` 0 means none is designated.

    Point defense emits it with group AUTOMATIC, the slot as `track_id` and the munition or squadron as `target`.
    """

    source: int
    group: WeaponGroup
    track_id: int
    target: int = 0


@dataclass(frozen=True, slots=True)
class LaunchDecoy:
    """Order to launch a decoy."""

    source: int


@dataclass(frozen=True, slots=True)
class Scuttle:
    """Order to go on with scuttling."""

    source: int


@dataclass(frozen=True, slots=True)
class Board:
    """Order to board a unit."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Damage:
    """Harm on its way to a unit.

    Attributes:
        source: Unit that is credited with it; the target itself when nobody is.
        target: Unit that takes it.
        amount: Before armor.
        type: Decides how much armor helps and what a critical hit does.
        direction: World bearing from which it came, as seen from the target.
        ignores_armour: As collisions, weather and burning do.
        can_crit: Burning and flooding only eat hit points.
        city_killer: May destroy an XL hull.
        is_hazard: Whether it also counts as `hazard_damage`, in tally and scratch.
        cause: Event id of the HIT, COLLISION or whatever led to it.
    """

    source: int
    target: int
    amount: float
    type: DamageType
    direction: float
    ignores_armour: bool = False
    can_crit: bool = True
    city_killer: bool = False
    is_hazard: bool = False
    cause: int = 0


@dataclass(frozen=True, slots=True)
class Modify:
    """Add `delta` to a field of a component of the target, within the field's range."""

    source: int
    target: int
    component: Component
    field: int
    delta: float
    cause: int = 0


class Exposure(IntEnum):
    """What the sea does to a unit."""

    ZONE = 0
    SEA = 1
    ABYSS = 2
    LIGHTNING = 3


@dataclass(frozen=True, slots=True)
class Exposed:
    """A unit suffers from its surroundings; `amount` is damage before transit makes it worse, 0 for lightning."""

    source: int
    exposure: Exposure
    amount: float


@dataclass(frozen=True, slots=True)
class StampField:
    """A stamp for the FIELDS phase of this tick; any phase may emit it."""

    source: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Steer:
    """What a torpedo or missile has decided from the state at the start of the substep."""

    source: int
    lock_id: int
    heading: float
    is_searching: bool


@dataclass(frozen=True, slots=True)
class Measure:
    """One modality's sight of a target.

    Attributes:
        source: Observer.
        target: Unit or munition seen.
        modality: How.
        excess: Decibels above the threshold, noise included.
        sigma: Standard error in meters.
        x: Measured place.
        y: Measured place.
        quality: `TrackQuality` the measurement supports.
        bearing_only: Whether the range is assumed.
        assumed_range: Of a bearing-only measurement, else 0.
    """

    source: int
    target: int
    modality: Modality
    excess: float
    sigma: float
    x: float
    y: float
    quality: int
    bearing_only: bool = False
    assumed_range: float = 0.0


@dataclass(frozen=True, slots=True)
class ObjectiveUpdate:
    """New values of the source's Objective component."""

    source: int
    status: int
    time_on: int
    value_a: float
    value_b: float
    value_c: float
    progress: float


Emit = Callable[[Output], None]
OutputT = TypeVar("OutputT", bound=Output)


@dataclass(slots=True)
class Outputs:
    """Outputs of one phase (of one substep in SUBSTEP).

    Plugins get `emitter`; resolvers take `of` the kinds they own and may `emit` for resolvers that come after them.
    """

    _entries: list[tuple[int, int, int, Output]] = field(default_factory=list)

    def emit(self, plugin: Plugin, output: Output) -> None:
        """Add an output."""
        self._entries.append((output.source, int(plugin), len(self._entries), output))

    def emitter(self, plugin: Plugin) -> Emit:
        """A function that adds outputs for a plugin."""

        def emit(output: Output) -> None:
            self.emit(plugin, output)

        return emit

    def of(self, kind: type[OutputT]) -> list[OutputT]:
        """Outputs of a kind so far, by source entity, then plugin code, then sequence."""
        chosen = [entry for entry in self._entries if isinstance(entry[3], kind)]
        chosen.sort(key=_place)
        return [output for *_, output in chosen if isinstance(output, kind)]


def _place(entry: tuple[int, int, int, Output]) -> tuple[int, int, int]:
    return entry[:3]
