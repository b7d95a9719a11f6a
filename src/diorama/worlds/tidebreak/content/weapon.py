"""Rows of `weapons.yaml`."""

from typing import Annotated

from pydantic import Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import DamageType, Layer, MunitionKind, TrackQuality, WeaponGroup
from diorama.worlds.tidebreak.content.table import Amount, Count, Table


class WeaponHit(Table):
    """What a discharge does: so many rounds (or craft), each with this damage."""

    rounds: Count
    damage: Amount
    type: Annotated[DamageType, ByName]


class WeaponFire(Table):
    """How a mount fires; `ammo` None never runs out."""

    cooldown_s: Count
    range_m: Amount
    spread_mrad: Amount
    spread_min_m: Amount = 0.0
    half_arc_rad: Amount
    ammo: Count | None


class WeaponFlight(Table):
    """How the munition travels and homes."""

    speed_ms: Amount
    turn_rate: Amount = 0.0
    seeker_m: Amount = 0.0
    half_fov_rad: Amount = 0.0
    trigger_m: Amount = 0.0


class TrackNeed(Table):
    """The track a mount needs before it fires."""

    quality: Annotated[TrackQuality, ByName]
    sigma_max_m: Amount | None = None


class Weapon(Table):
    """One row of the weapon table."""

    code: Count
    id: str
    name: str
    group: Annotated[WeaponGroup, ByName]
    kind: Annotated[MunitionKind, ByName] | None
    hit: WeaponHit
    fire: WeaponFire
    flight: WeaponFlight
    launch_from: tuple[Annotated[Layer, ByName], ...]
    pop_up: bool = False
    hits: tuple[Annotated[Layer, ByName], ...]
    track: TrackNeed | None = None
    city_killer: bool = False


class WeaponsFile(Table):
    """The whole of `weapons.yaml`."""

    weapons: tuple[Weapon, ...] = Field(min_length=1)
