"""Squadrons: carrier craft that fly as one body, strike once and come home."""

from typing import Final

from diorama.numerics import atan2, ceil, fmax, hyp, sincos
from diorama.worlds.tidebreak.codes import DamageType, UnitKind, UnitStatus
from diorama.worlds.tidebreak.reference.components import Track, Transform
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.opening import open_unit
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.fire_conditions import aim_point, weapon_at
from diorama.worlds.tidebreak.reference.systems.squadron_spec import CRAFT_HP, squadron_spec
from diorama.worlds.tidebreak.reference.systems.steering import advance, steer

__all__ = ["craft_left", "launch_squadron", "lose_craft", "move_squadrons", "squadron_spec"]

STRIKE_M: Final = 800.0
RECOVERY_M: Final = 100.0
SCORE_CHANCE: Final = 0.35
NOT_RECOVERED: Final = 1 << 40  # `ready_at` of a mount whose craft are out
EMPTY_BELOW_S: Final = 0.5  # of endurance: rounding must not buy another tick


def launch_squadron(battle: Battle, carrier: Unit, place: int, track: Track) -> None:
    """Send the craft of a mount against a track."""
    weapon, mount = weapon_at(battle, carrier, place), carrier.mounts[place]
    fired = battle.record(EventKind.WEAPON_FIRED, carrier.id, track.target_id, f0=track.x, f1=track.y, i0=weapon.code)
    squadron_id = battle.take_entity_id()
    craft = open_unit(squadron_spec(battle, squadron_id, carrier.team))
    craft.transform = Transform(carrier.x, carrier.y, carrier.heading)
    craft.memory.carrier_id, craft.memory.carrier_slot = carrier.id, place
    craft.memory.designated_track = track.track_id
    craft.memory.last_damage_event = fired
    battle.units.append(craft)
    battle.record(EventKind.SQUADRON_LAUNCHED, carrier.id, squadron_id, cause=fired)
    mount.ready_at = NOT_RECOVERED
    if mount.ammo > 0:
        mount.ammo -= 1
    carrier.tally.shots[weapon.group - 1] += 1


def move_squadrons(battle: Battle, outputs: Outputs) -> None:
    """Fly every squadron for one substep; let it strike, land or be lost."""
    for craft in battle.present_units():
        if craft.identity.kind == UnitKind.SQUADRON:
            _fly(battle, craft, outputs)


def craft_left(squadron_unit: Unit) -> int:
    """Aircraft still flying."""
    return int(ceil(squadron_unit.hull.hp / CRAFT_HP))


def lose_craft(battle: Battle, squadron_unit: Unit, *, killer: Unit, cause: int) -> None:
    """Take one aircraft out of a squadron."""
    squadron_unit.memory.last_damage_by = killer.id
    squadron_unit.memory.last_damage_event = cause
    squadron_unit.hull.hp = fmax(0.0, float(craft_left(squadron_unit) - 1) * CRAFT_HP)
    if squadron_unit.hull.hp <= 0.0:
        _lose(battle, squadron_unit)


def _fly(battle: Battle, craft: Unit, outputs: Outputs) -> None:
    carrier = battle.unit(craft.memory.carrier_id)
    if not carrier.is_present or craft.stores.fuel < EMPTY_BELOW_S:
        _lose(battle, craft)
        return
    track = None if craft.memory.has_struck else carrier.tracks.get(craft.memory.designated_track)
    weapon = weapon_at(battle, carrier, craft.memory.carrier_slot)
    goal = (carrier.x, carrier.y) if track is None else aim_point(craft, weapon, track)
    _move(battle, craft, goal, weapon.speed_ms, weapon.turn_rate)
    if track is None:
        if hyp(carrier.x - craft.x, carrier.y - craft.y) <= RECOVERY_M:
            _recover(battle, craft, carrier, weapon.cooldown_s)
    elif _distance_to(battle, craft, track) < STRIKE_M:
        _strike(battle, craft, carrier, track, outputs)


def _move(battle: Battle, craft: Unit, goal: tuple[float, float], speed_ms: float, turn_rate: float) -> None:
    place, dt = craft.transform, battle.rules.dt_s
    place.heading = steer(place.heading, atan2(goal[1] - place.y, goal[0] - place.x), turn_rate * dt)
    place.x, place.y = advance(place.x, place.y, place.heading, speed_ms * dt)
    sine, cosine = sincos(place.heading)
    craft.motion.vx, craft.motion.vy = speed_ms * cosine, speed_ms * sine


def _distance_to(battle: Battle, craft: Unit, track: Track) -> float:
    """To the thing itself once it is near enough to be seen, so that a stale track does not end the attack early."""
    target = battle.find_unit(track.target_id)
    x, y = (track.x, track.y) if target is None else (target.x, target.y)
    return hyp(x - craft.x, y - craft.y)


def _strike(battle: Battle, craft: Unit, carrier: Unit, track: Track, outputs: Outputs) -> None:
    craft.memory.has_struck = True
    target = battle.find_unit(track.target_id)
    weapon = weapon_at(battle, carrier, craft.memory.carrier_slot)
    if target is None or not target.is_present or not target.layers_mask & weapon.hits_mask:
        return
    for number in range(craft_left(craft)):
        if uniform(battle, Stream.SQUADRONS, craft.id, number, battle.tick) < SCORE_CHANCE:
            hit = battle.record(
                EventKind.HIT,
                carrier.id,
                target.id,
                cause=craft.memory.last_damage_event,
                f0=weapon.damage,
                i0=weapon.code,
            )
            outputs.emit(
                Plugin.SQUADRON,
                Damage(
                    source=carrier.id,
                    target=target.id,
                    amount=weapon.damage,
                    type=DamageType(weapon.damage_type),
                    direction=atan2(craft.y - target.y, craft.x - target.x),
                    cause=hit,
                ),
            )


def _recover(battle: Battle, craft: Unit, carrier: Unit, cooldown_s: int) -> None:
    craft.mark(UnitStatus.EXITED)
    carrier.mounts[craft.memory.carrier_slot].ready_at = battle.tick + cooldown_s


def _lose(battle: Battle, craft: Unit) -> None:
    craft.mark(UnitStatus.DESTROYED)
    battle.record(EventKind.SQUADRON_LOST, craft.memory.last_damage_by, craft.id, cause=craft.memory.last_damage_event)
