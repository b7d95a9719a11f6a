"""Hulls that touch: they are parted, bounce a little, and break what the energy breaks."""

from typing import Final

from diorama.numerics import atan2, fmin, hyp
from diorama.worlds.tidebreak.codes import DamageType, UnitKind
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit

RESTITUTION: Final = 1.1  # 1 stops the approach, the rest bounces
HARMLESS_MS: Final = 1.5
KILOJOULES_PER_DAMAGE: Final = 250.0
DAMAGE_CAP: Final = 0.6  # of hp_max


def collide_units(battle: Battle, movers: list[Unit], outputs: Outputs) -> None:
    """Resolve every touching pair, lower id first."""
    for place, first in enumerate(movers):
        for second in movers[place + 1 :]:
            reach = first.spec.hull.radius_m + second.spec.hull.radius_m
            dx, dy = second.x - first.x, second.y - first.y
            if abs(dx) > reach or abs(dy) > reach:
                continue
            distance = hyp(dx, dy)
            if distance < reach and _can_touch(first, second):
                normal = (1.0, 0.0) if distance == 0.0 else (dx / distance, dy / distance)
                _part(first, second, reach - distance, normal)
                _bounce(battle, first, second, normal, outputs)


def _can_touch(first: Unit, second: Unit) -> bool:
    if _is_fixed(first) and _is_fixed(second):
        return False
    attached = (first.is_docked and first.boarding.target_id == second.id) or (
        second.is_docked and second.boarding.target_id == first.id
    )
    return not attached and bool(first.layers_mask & second.layers_mask)


def _is_fixed(unit: Unit) -> bool:
    return unit.identity.kind == UnitKind.PLATFORM or unit.spec.hull.mass_t == 0.0


def _inverse_mass(unit: Unit) -> float:
    return 0.0 if _is_fixed(unit) else 1.0 / unit.spec.hull.mass_t


def _part(first: Unit, second: Unit, overlap: float, normal: tuple[float, float]) -> None:
    if _is_fixed(first):
        first_share = 0.0
    elif _is_fixed(second):
        first_share = 1.0
    else:
        first_share = second.spec.hull.mass_t / (first.spec.hull.mass_t + second.spec.hull.mass_t)
    nx, ny = normal
    back, forth = overlap * first_share, overlap * (1.0 - first_share)
    first.transform.x -= nx * back
    first.transform.y -= ny * back
    second.transform.x += nx * forth
    second.transform.y += ny * forth


def _bounce(battle: Battle, first: Unit, second: Unit, normal: tuple[float, float], outputs: Outputs) -> None:
    nx, ny = normal
    opening = (second.motion.vx - first.motion.vx) * nx + (second.motion.vy - first.motion.vy) * ny
    if not opening < 0.0:
        return
    inverse_first, inverse_second = _inverse_mass(first), _inverse_mass(second)
    impulse = -RESTITUTION * opening / (inverse_first + inverse_second)
    first.motion.vx -= impulse * inverse_first * nx
    first.motion.vy -= impulse * inverse_first * ny
    second.motion.vx += impulse * inverse_second * nx
    second.motion.vy += impulse * inverse_second * ny
    if opening < -HARMLESS_MS and second.id not in first.scratch.collided_ids:
        reduced_mass = 1.0 / (inverse_first + inverse_second)
        _break(battle, first, second, 0.5 * reduced_mass * (opening * opening), normal, outputs)


def _break(
    battle: Battle, first: Unit, second: Unit, energy_kj: float, normal: tuple[float, float], outputs: Outputs
) -> None:
    event = battle.record(EventKind.COLLISION, first.id, second.id, f0=energy_kj)
    bearing = atan2(normal[1], normal[0])
    back_bearing = atan2(-normal[1], -normal[0])
    for unit, other, direction in ((first, second, bearing), (second, first, back_bearing)):
        unit.scratch.collided_ids.append(other.id)
        unit.scratch.mishaps += 1
        unit.tally.collisions += 1
        amount = fmin(energy_kj / KILOJOULES_PER_DAMAGE, DAMAGE_CAP * unit.spec.hull.hp_max)
        outputs.emit(
            Plugin.HELM,
            Damage(
                source=other.id,
                target=unit.id,
                amount=amount,
                type=DamageType.KINETIC,
                direction=direction,
                ignores_armour=True,
                cause=event,
            ),
        )
