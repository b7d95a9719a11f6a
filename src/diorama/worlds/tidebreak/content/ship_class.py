"""Rows of `classes.yaml`."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import LinkTier, SizeClass, UnitKind
from diorama.worlds.tidebreak.content.table import Amount, Count, Table, Tier
from diorama.worlds.tidebreak.limits import MOUNTS_MAX, TRACKS_MAX

Facing = Literal["F", "A", "P", "S", "O"]


def _afloat(kind: UnitKind) -> UnitKind:
    if kind is UnitKind.SQUADRON:
        raise ValueError("a class is a SHIP or a PLATFORM; squadrons take off from a mount during the battle")
    return kind


class ClassHull(Table):
    """Body of a hull: tonnes, meters, m/s², rad/s; a hull without mass cannot be moved."""

    mass_t: Amount | None = None
    radius_m: float = Field(gt=0.0)
    draught_m: Amount | None = None
    hp: float = Field(gt=0.0)
    armour: Amount
    acceleration: Amount
    turn_rate: Amount
    turn_lag_s: float = Field(gt=0.0)


class ClassSpeed(Table):
    """Full speed by layer in m/s; None where the hull cannot go."""

    surface: Amount
    submerged: Amount | None = None
    abyssal: Amount | None = None


class ClassDive(Table):
    """Seconds of a change of layer, before weather and damage."""

    dive_s: Amount | None = None
    deep_s: Amount | None = None


class Signature(Table):
    """How much a hull shows: indices without unit, levels in decibels."""

    radar_index: Amount
    visual_index: Amount
    sl0_db: Amount
    slk_db: Amount
    ts_db: Amount


class ClassSensors(Table):
    """What a hull sees by; None where the sensor is absent."""

    radar_range_m: Amount | None = None
    di_db: Amount | None = None
    ping_db: Amount | None = None
    tracks: int = Field(ge=1, le=TRACKS_MAX)
    link_tier: Annotated[LinkTier, ByName]


class ClassStores(Table):
    """What a hull carries; `fuel_s` is seconds at full speed, None without limit."""

    fuel_s: Amount | None = None
    marines: Count
    security: Count
    decoys: Count


class ClassMount(Table):
    """A weapon and where it points: bow, stern, port, starboard, or all round."""

    weapon: str
    facing: Facing


class ShipClass(Table):
    """One row of the hull tables."""

    code: Count
    name: str
    kind: Annotated[UnitKind, ByName, AfterValidator(_afloat)]
    size: Annotated[SizeClass, ByName]
    damage_tier: Tier
    crew: int = Field(ge=1)
    cost: float = Field(gt=0.0)
    hull: ClassHull
    speed: ClassSpeed
    dive: ClassDive = ClassDive()
    signature: Signature
    sensors: ClassSensors
    stores: ClassStores
    mounts: tuple[ClassMount, ...] = Field(max_length=MOUNTS_MAX)


class SizeRow(Table):
    """What a size means where a class says nothing; `crew_max` is exclusive, None for the largest."""

    size: Annotated[SizeClass, ByName]
    crew_max: int | None
    damage_tier: Tier
    boarding_tier: Tier


class LenderRow(Table):
    """Classes a hull without a class borrows from, by size."""

    size: Annotated[SizeClass, ByName]
    surface: str
    submarine: str


class ClassesFile(Table):
    """The whole of `classes.yaml`."""

    classes: tuple[ShipClass, ...] = Field(min_length=1)
    sizes: tuple[SizeRow, ...]
    lenders: tuple[LenderRow, ...]
    decoy_signature: Signature
    mine_signature: Signature
