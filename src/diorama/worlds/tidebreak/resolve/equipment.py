"""Sensors and mounts of a ship: those of its class, or those the package lists instead."""

from collections.abc import Sequence
from typing import Final

from diorama.numerics import HALF_PI, PI
from diorama.worlds.tidebreak.codes import NO_MUNITION, WeaponGroup
from diorama.worlds.tidebreak.content import Content, Signature, Weapon
from diorama.worlds.tidebreak.packages.ships import RadarConfig, ShipSnapshot, SonarConfig, VisualConfig, WeaponConfig
from diorama.worlds.tidebreak.resolve.hulls import class_of, lending_class
from diorama.worlds.tidebreak.resolve.map import layers_mask
from diorama.worlds.tidebreak.resolve.records import UNLIMITED
from diorama.worlds.tidebreak.resolve.siege import contested_by
from diorama.worlds.tidebreak.resolve.unit_records import (
    ResolvedMount,
    ResolvedSensors,
    ResolvedSignature,
    ResolvedWeapon,
)

FACINGS_RAD: Final = {"F": 0.0, "A": PI, "P": HALF_PI, "S": -HALF_PI, "O": 0.0}
NEEDS_NO_TRACK: Final = -1


def resolve_weapon(weapon: Weapon) -> ResolvedWeapon:
    """Flatten a row of the weapon table."""
    return ResolvedWeapon(
        code=weapon.code,
        weapon_id=weapon.id,
        name=weapon.name,
        group=int(weapon.group),
        kind=NO_MUNITION if weapon.kind is None else int(weapon.kind),
        rounds=weapon.hit.rounds,
        damage=weapon.hit.damage,
        damage_type=int(weapon.hit.type),
        cooldown_s=weapon.fire.cooldown_s,
        range_m=weapon.fire.range_m,
        spread_rad=weapon.fire.spread_mrad / 1000.0,
        spread_min_m=weapon.fire.spread_min_m,
        speed_ms=weapon.flight.speed_ms,
        turn_rate=weapon.flight.turn_rate,
        seeker_m=weapon.flight.seeker_m,
        half_fov_rad=weapon.flight.half_fov_rad,
        trigger_m=weapon.flight.trigger_m,
        half_arc_rad=weapon.fire.half_arc_rad,
        ammo=magazine(weapon, None),
        launch_mask=layers_mask(weapon.launch_from),
        pop_up=weapon.pop_up,
        hits_mask=layers_mask(weapon.hits),
        min_quality=NEEDS_NO_TRACK if weapon.track is None else int(weapon.track.quality),
        sigma_max_m=None if weapon.track is None else weapon.track.sigma_max_m,
        city_killer=weapon.city_killer,
    )


def resolve_signature(signature: Signature) -> ResolvedSignature:
    """Flatten a signature."""
    return ResolvedSignature(
        radar_index=signature.radar_index,
        visual_index=signature.visual_index,
        sl0_db=signature.sl0_db,
        slk_db=signature.slk_db,
        ts_db=signature.ts_db,
    )


def resolve_sensors(ship: ShipSnapshot, content: Content) -> ResolvedSensors:
    """Take the listed sensors, or the class's when none are listed."""
    base = lending_class(ship, content).sensors
    radar, di, ping, visual = base.radar_range_m, base.di_db, base.ping_db, 1.0
    if ship.sensors is not None:
        radar, di, ping = None, None, None
        for sensor in ship.sensors:
            if isinstance(sensor, RadarConfig):
                radar = sensor.range_m
            elif isinstance(sensor, SonarConfig):
                di, ping = sensor.di_db, sensor.ping_db
            elif isinstance(sensor, VisualConfig):
                visual = sensor.factor
    return ResolvedSensors(
        radar_range_m=radar,
        di_db=di,
        ping_db=ping,
        visual_factor=visual,
        tracks_max=base.tracks,
        link_tier=int(base.link_tier),
    )


def mounts_of(ship: ShipSnapshot, content: Content) -> Sequence[WeaponConfig]:
    """Return the listed mounts, or the class's when none are listed, as the package would write them."""
    if ship.weapons is not None:
        return ship.weapons
    own = class_of(ship, content)
    rows = () if own is None else own.mounts
    return [WeaponConfig(slot=slot, weapon_type=mount.weapon, facing=mount.facing) for slot, mount in enumerate(rows)]


def magazine(weapon: Weapon, ammunition: int | None) -> int:
    """Rounds of a full mount, -1 without end."""
    if ammunition is not None:
        return ammunition
    return UNLIMITED if weapon.fire.ammo is None else weapon.fire.ammo


def resolve_mounts(ship: ShipSnapshot, content: Content) -> tuple[ResolvedMount, ...]:
    """Put the mounts in slot order, loaded as the package says."""
    return tuple(
        _mount(ship, config, content.weapons[config.weapon_type])
        for config in sorted(mounts_of(ship, content), key=lambda config: config.slot)
    )


def _mount(ship: ShipSnapshot, config: WeaponConfig, weapon: Weapon) -> ResolvedMount:
    full = magazine(weapon, config.ammunition)
    return ResolvedMount(
        slot=config.slot,
        weapon=weapon.code,
        facing_rad=FACINGS_RAD[config.facing],
        any_arc=config.facing == "O",
        ammo_max=full,
        ammo=_loaded(ship, config.slot, weapon, full),
    )


def _loaded(ship: ShipSnapshot, slot: int, weapon: Weapon, full: int) -> int:
    if weapon.group is WeaponGroup.AIR and "flight_deck" in contested_by(ship):
        return 0
    rounds = (ship.initial_state.ammo or {}).get(slot, full)
    reserves = ship.supply.ammo_reserves if ship.supply is not None else None
    if reserves is None or rounds == UNLIMITED:
        return rounds
    return min(rounds, reserves)
