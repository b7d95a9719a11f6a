"""Whether a mount may fire, and if not, the first reason why."""

from enum import IntEnum
from math import sqrt
from typing import Final

from diorama.numerics import atan2, ceil, wrap
from diorama.worlds.tidebreak.codes import NO_LAYER, MunitionKind, System, UnitKind, WeaponGroup
from diorama.worlds.tidebreak.limits import MUNITIONS_MAX, SQUADRONS_MAX
from diorama.worlds.tidebreak.reference.components import POPPING_UP, STEADY, Track
from diorama.worlds.tidebreak.reference.contacts import contact_order, estimated_range, is_friendly
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.ballistics import lead_point
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.layers import can_launch_in_pop_up
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedWeapon

WEAPONS_LEAST: Final = 0.05
TORPEDO_RANGE_MIN_M: Final = 300.0
VELOCITY_KNOWN_HITS: Final = 4
ANTI_AIR_GUNS: Final = ("AC30",)  # the only guns that can lay on a squadron


class Refusal(IntEnum):
    """Why a mount holds its fire; the numbers are those of the rules F1 to F10."""

    UNIT_CANNOT = 1
    MOUNT_DOWN = 2
    RELOADING = 3
    NO_AMMO = 4
    NO_FIRE_CONTROL = 5
    WRONG_LAYER = 6
    OUT_OF_RANGE = 7
    OUT_OF_ARC = 8
    FRIENDLY = 9
    MUNITION_CAP = 10


def weapon_at(battle: Battle, unit: Unit, place: int) -> ResolvedWeapon:
    """The weapon in a place of the unit's mounts."""
    return battle.spec.weapons[unit.spec.mounts[place].weapon]


def mount_refusal(battle: Battle, unit: Unit, place: int) -> Refusal | None:
    """First of F1 to F4 that fails: what the unit and the mount need, whatever the target."""
    weapon = weapon_at(battle, unit, place)
    mount = unit.mounts[place]
    if not (unit.is_effective and _can_launch(unit, weapon)):
        return Refusal.UNIT_CANNOT
    if not _is_operational(battle, unit, place):
        return Refusal.MOUNT_DOWN
    if battle.tick < mount.ready_at:
        return Refusal.RELOADING
    return Refusal.NO_AMMO if mount.ammo == 0 else None


def track_refusal(battle: Battle, unit: Unit, place: int, track: Track | None) -> Refusal | None:
    """First of F5 to F9 that fails: what the mount needs of a target."""
    weapon = weapon_at(battle, unit, place)
    if needs_no_track(weapon):
        return None
    if track is None or not _has_fire_control(weapon, track):
        return Refusal.NO_FIRE_CONTROL
    if not _can_hit(battle, weapon, track):
        return Refusal.WRONG_LAYER
    range_m = estimated_range(unit, track)
    if range_m > weapon.range_m or (weapon.kind == MunitionKind.TORPEDO and range_m < TORPEDO_RANGE_MIN_M):
        return Refusal.OUT_OF_RANGE
    if not _is_in_arc(battle, unit, place, aim_point(unit, weapon, track)):
        return Refusal.OUT_OF_ARC
    if is_friendly(track) and not battle.rules.allow_friendly_orders:
        return Refusal.FRIENDLY
    return None


def refusal(battle: Battle, unit: Unit, place: int, track: Track | None) -> Refusal | None:
    """First of F1 to F10 that fails, None if the mount may fire at this track."""
    refused = mount_refusal(battle, unit, place) or track_refusal(battle, unit, place, track)
    if refused is not None:
        return refused
    return Refusal.MUNITION_CAP if _is_full(battle, weapon_at(battle, unit, place)) else None


def choose_track(battle: Battle, unit: Unit, place: int, designated: Track | None) -> Track | None:
    """The designated track if the mount can engage it, else the first of the others that it can."""
    if track_refusal(battle, unit, place, designated) is None:
        return designated
    for track in contact_order(unit):
        if track is not designated and track_refusal(battle, unit, place, track) is None:
            return track
    return None


def can_engage(battle: Battle, unit: Unit, track: Track) -> bool:
    """Whether F1 to F9 hold for some mount that needs a track."""
    return any(
        not needs_no_track(weapon_at(battle, unit, place))
        and mount_refusal(battle, unit, place) is None
        and track_refusal(battle, unit, place, track) is None
        for place in range(len(unit.mounts))
    )


def needs_no_track(weapon: ResolvedWeapon) -> bool:
    """Whether it is just dropped."""
    return weapon.min_quality < 0


def aim_point(unit: Unit, weapon: ResolvedWeapon, track: Track) -> tuple[float, float]:
    """Where to aim at a track."""
    is_velocity_known = track.hits >= VELOCITY_KNOWN_HITS and not track.bearing_only
    velocity = (track.vx, track.vy) if is_velocity_known else (0.0, 0.0)
    return lead_point((unit.x, unit.y), (track.x, track.y), velocity, weapon.speed_ms)


def _is_full(battle: Battle, weapon: ResolvedWeapon) -> bool:
    if weapon.group != WeaponGroup.AIR:
        return len(battle.munitions) >= MUNITIONS_MAX
    aloft = [unit for unit in battle.present_units() if unit.identity.kind == UnitKind.SQUADRON]
    return len(aloft) >= SQUADRONS_MAX


def _can_launch(unit: Unit, weapon: ResolvedWeapon) -> bool:
    if unit.layer.mode == POPPING_UP:
        return weapon.pop_up and can_launch_in_pop_up(unit)
    return unit.layer.mode == STEADY and bool(weapon.launch_mask >> unit.layer.layer & 1)


def _is_operational(battle: Battle, unit: Unit, place: int) -> bool:
    """Damage puts mounts out of action from the last slot on, point defense counted apart from the rest."""
    is_automatic = weapon_at(battle, unit, place).group == WeaponGroup.AUTOMATIC
    peers = [
        other
        for other in range(len(unit.mounts))
        if (weapon_at(battle, unit, other).group == WeaponGroup.AUTOMATIC) == is_automatic
    ]
    weapons = usable(unit, System.WEAPONS)
    return weapons >= WEAPONS_LEAST and float(peers.index(place)) < ceil(weapons * float(len(peers)))


def _has_fire_control(weapon: ResolvedWeapon, track: Track) -> bool:
    if track.quality < weapon.min_quality:
        return False
    if weapon.sigma_max_m is not None and sqrt(track.P) > weapon.sigma_max_m:
        return False
    return weapon.kind == MunitionKind.TORPEDO or not track.bearing_only


def _can_hit(battle: Battle, weapon: ResolvedWeapon, track: Track) -> bool:
    target = battle.find_unit(track.target_id)
    if target is not None and target.identity.kind == UnitKind.SQUADRON:
        return weapon.weapon_id in ANTI_AIR_GUNS
    return track.layer_est == NO_LAYER or bool(weapon.hits_mask >> track.layer_est & 1)


def _is_in_arc(battle: Battle, unit: Unit, place: int, aim: tuple[float, float]) -> bool:
    mount = unit.spec.mounts[place]
    if mount.any_arc:
        return True
    relative = wrap(atan2(aim[1] - unit.y, aim[0] - unit.x) - unit.heading)
    return abs(wrap(relative - mount.facing_rad)) <= weapon_at(battle, unit, place).half_arc_rad
