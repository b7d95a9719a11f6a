"""Point defense: every mount engages the nearest hostile missile or squadron by itself."""

from typing import Final

from diorama.numerics import hyp
from diorama.worlds.tidebreak.codes import MunitionKind, UnitKind, WeaponGroup
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Emit, FireGroup
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.ballistics import effective_gunnery
from diorama.worlds.tidebreak.reference.systems.fire_conditions import mount_refusal, weapon_at
from diorama.worlds.tidebreak.reference.systems.spending import spend
from diorama.worlds.tidebreak.reference.systems.squadrons import lose_craft

KILL_CHANCE: Final = 0.12


def point_defence(battle: Battle, unit: Unit, emit: Emit) -> None:
    """Order every mount that can shoot to engage the nearest target within its range."""
    for place, mount in enumerate(unit.spec.mounts):
        weapon = weapon_at(battle, unit, place)
        if weapon.group != WeaponGroup.AUTOMATIC or mount_refusal(battle, unit, place) is not None:
            continue
        target_id = _nearest_target(battle, unit, weapon.range_m)
        if target_id:
            emit(FireGroup(unit.id, WeaponGroup.AUTOMATIC, mount.slot, target_id))


def kill_chance(gunnery: float) -> float:
    """Probability that one shot brings its target down; `gunnery` is the effective one."""
    return KILL_CHANCE * (0.6 + 0.8 * gunnery)


def shoot_down(battle: Battle, unit: Unit, *, slot: int, target_id: int) -> None:
    """Fire one shot; a mount whose target another has already brought down holds its fire."""
    missile, squadron = battle.find_munition(target_id), battle.find_unit(target_id)
    if missile is None and (squadron is None or not squadron.is_present):
        return
    place = next(place for place, mount in enumerate(unit.spec.mounts) if mount.slot == slot)
    if unit.mounts[place].ammo > 0:
        unit.mounts[place].ammo -= 1
    gunnery = effective_gunnery(unit.crew.gunnery, unit.crew.fatigue)
    if not uniform(battle, Stream.POINT_DEFENCE, unit.id, slot, 0) < kill_chance(gunnery):
        return
    cause = 0 if missile is None else missile.fired_event
    killed = battle.record(EventKind.PD_KILL, unit.id, target_id, cause=cause, i0=slot)
    if missile is not None:
        spend(battle, missile, has_effect=False, cause=killed)
        battle.munitions.remove(missile)
    elif squadron is not None:
        lose_craft(battle, squadron, killer=unit, cause=killed)


def _nearest_target(battle: Battle, unit: Unit, range_m: float) -> int:
    places = [
        (hyp(missile.x - unit.x, missile.y - unit.y), missile.id)
        for missile in battle.munitions
        if missile.kind == MunitionKind.MISSILE and battle.are_enemies(unit.team, missile.team)
    ]
    places += [
        (hyp(squadron.x - unit.x, squadron.y - unit.y), squadron.id)
        for squadron in battle.present_units()
        if squadron.identity.kind == UnitKind.SQUADRON and battle.are_enemies(unit.team, squadron.team)
    ]
    within = [(distance, entity_id) for distance, entity_id in places if distance <= range_m]
    return min(within)[1] if within else 0
