"""A ship as it enters a battle."""

from typing import Annotated, Literal

from pydantic import Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.limits import UNITS_MAX
from diorama.worlds.tidebreak.packages.base import (
    Amount,
    Angle,
    Coordinate,
    Count,
    Exchange,
    Flag,
    FreeForm,
    HitPoints,
    Identifier,
    Number,
    People,
    Positive,
    Share,
    Slot,
    SlotKey,
)
from diorama.worlds.tidebreak.packages.damage import DamageReport
from diorama.worlds.tidebreak.packages.extended import Defenses, Leadership, SiegeState, Supply
from diorama.worlds.tidebreak.packages.objectives import TacticalObjective


class MaxSpeed(Exchange):
    """Full speed by layer in m/s."""

    surface: Amount | None = None
    submerged: Amount | None = None
    abyssal: Amount | None = None


class HullParams(Exchange):
    """What differs from the class; all of it for a hull without one."""

    mass: Positive | None = None
    radius: Positive | None = None
    draught: Amount | None = None
    hp: HitPoints | None = None
    armour: Amount | None = None
    max_speed: MaxSpeed = MaxSpeed()
    acceleration: Amount | None = None
    turn_rate: Amount | None = None
    turn_lag: Positive | None = None


class Capabilities(Exchange):
    """Layers a hull can enter, and how long that takes."""

    can_surface: Flag | None = None
    can_submerge: Flag | None = None
    can_abyssal: Flag | None = None
    dive_s: Positive | None = None
    deep_s: Positive | None = None


class RadarConfig(Exchange):
    """A radar."""

    sensor_type: Literal["RADAR"] = "RADAR"
    range_m: Positive


class SonarConfig(Exchange):
    """A sonar; without `ping_db` it only listens."""

    sensor_type: Literal["SONAR"] = "SONAR"
    di_db: Number
    ping_db: Number | None = None


class VisualConfig(Exchange):
    """Lookouts; `factor` scales their range."""

    sensor_type: Literal["VISUAL"] = "VISUAL"
    factor: Positive = 1.0


SensorConfig = Annotated[RadarConfig | SonarConfig | VisualConfig, Field(discriminator="sensor_type")]


class WeaponConfig(Exchange):
    """A mount; `ammunition` is the size of its magazine, the weapon's own unless given."""

    slot: Slot
    weapon_type: Annotated[str, Field(strict=True)]
    facing: Literal["F", "A", "P", "S", "O"] = "O"
    ammunition: Count | None = None


class CrewSnapshot(Exchange):
    """The people aboard."""

    crew_count: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    gunnery: Share = 0.5
    engineering: Share = 0.5
    morale: Share = 0.7
    fatigue: Share = 0.0


class ShipState(Exchange):
    """Where and how a ship starts."""

    x: Coordinate
    y: Coordinate
    heading: Angle
    speed: Amount = 0.0
    layer: Annotated[Layer, ByName] = Layer.SURFACE
    hp: Number | None = None
    ammo: dict[SlotKey, Count] | None = None


class ShipSnapshot(Exchange):
    """One ship or platform; `class_id` is a row of the content unless everything else is explicit."""

    ship_id: Identifier
    team_id: Identifier
    class_id: Annotated[str, Field(strict=True)] | None = None
    hull: HullParams | None = None
    capabilities: Capabilities | None = None
    sensors: tuple[SensorConfig, ...] | None = Field(None, max_length=3)
    weapons: tuple[WeaponConfig, ...] | None = None
    crew: CrewSnapshot = CrewSnapshot()
    initial_state: ShipState
    objective: TacticalObjective | None = None
    fleet_id: Identifier | None = None
    is_flagship: Flag = False
    subordinates: tuple[Identifier, ...] = Field((), max_length=UNITS_MAX)
    marines: People | None = None
    security: People | None = None
    decoys: Count | None = None
    no_surrender: Flag = False
    leadership: Leadership | None = None
    supply: Supply | None = None
    damage_state: DamageReport | None = None
    defenses: Defenses | None = None
    siege_state: SiegeState | None = None
    extras: FreeForm = Field(default_factory=dict)
