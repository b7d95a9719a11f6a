"""Fire orders: which mounts shoot at what, and what a shot costs."""

from diorama.worlds.tidebreak.codes import System, WeaponGroup
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import FireGroup, Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.ballistics import effective_gunnery, reload_ticks
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.fire_conditions import (
    Refusal,
    aim_point,
    choose_track,
    mount_refusal,
    needs_no_track,
    refusal,
    weapon_at,
)
from diorama.worlds.tidebreak.reference.systems.launches import launch
from diorama.worlds.tidebreak.reference.systems.point_defence import shoot_down
from diorama.worlds.tidebreak.reference.systems.squadrons import launch_squadron


def resolve_fire(battle: Battle, outputs: Outputs) -> None:
    """Carry out orders to fire and the shots of point defense, by unit and then in the order they were given."""
    has_fired: dict[int, bool] = {}
    for order in outputs.of(FireGroup):
        unit = battle.unit(order.source)
        if order.group is WeaponGroup.AUTOMATIC:
            shoot_down(battle, unit, slot=order.track_id, target_id=order.target)
        else:
            fired = fire_group(battle, unit, order.group, unit.tracks.get(order.track_id))
            has_fired[unit.id] = has_fired.get(unit.id, False) or fired
    for unit_id, fired in has_fired.items():
        if not fired:
            battle.unit(unit_id).note_invalid()


def fire_group(battle: Battle, unit: Unit, group: WeaponGroup, designated: Track | None) -> bool:
    """Let every mount of a group fire that can; return whether any did."""
    has_fired = False
    for place in range(len(unit.mounts)):
        if weapon_at(battle, unit, place).group == group:
            has_fired = fire_mount(battle, unit, place, designated) is None or has_fired
    return has_fired


def fire_mount(battle: Battle, unit: Unit, place: int, designated: Track | None) -> Refusal | None:
    """Fire one mount at the designated track, or at the first other one it can engage; return why it does not."""
    weapon = weapon_at(battle, unit, place)
    refused = mount_refusal(battle, unit, place)
    if refused is not None:
        return refused
    track = choose_track(battle, unit, place, designated)
    refused = refusal(battle, unit, place, designated if track is None else track)
    if refused is Refusal.MUNITION_CAP:
        battle.record(EventKind.MUNITION_CAP, unit.id, i0=weapon.code)
    if refused is not None:
        return refused
    if weapon.group == WeaponGroup.AIR and track is not None:
        launch_squadron(battle, unit, place, track)
    else:
        _discharge(battle, unit, place, track)
    return None


def spend_round(battle: Battle, unit: Unit, place: int) -> None:
    """Take a round from the mount and begin to load the next."""
    weapon, mount = weapon_at(battle, unit, place), unit.mounts[place]
    mount.ready_at = battle.tick + reload_ticks(
        weapon,
        gunnery=effective_gunnery(unit.crew.gunnery, unit.crew.fatigue),
        weapons=usable(unit, System.WEAPONS),
        power=usable(unit, System.POWER),
    )
    if mount.ammo > 0:
        mount.ammo -= 1
    unit.tally.shots[weapon.group - 1] += 1


def _discharge(battle: Battle, unit: Unit, place: int, track: Track | None) -> None:
    weapon = weapon_at(battle, unit, place)
    if track is None or needs_no_track(weapon):
        aim, target_id = (unit.x, unit.y), 0
    else:
        aim, target_id = aim_point(unit, weapon, track), track.target_id
    fired = battle.record(EventKind.WEAPON_FIRED, unit.id, target_id, f0=aim[0], f1=aim[1], i0=weapon.code)
    launch(battle, unit, weapon, aim, fired)
    spend_round(battle, unit, place)
