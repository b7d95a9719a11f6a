"""Solid obstacles push hulls out."""

from typing import Final, NamedTuple

from diorama.numerics import atan2, clamp, fmin, hyp
from diorama.worlds.tidebreak.codes import DamageType
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve.records import ResolvedShape
from diorama.worlds.tidebreak.resolve.shapes import contains

RESTITUTION: Final = 1.1
HARMLESS_MS: Final = 1.5
KILOJOULES_PER_DAMAGE: Final = 500.0
DAMAGE_CAP: Final = 0.3  # of hp_max


class Contact(NamedTuple):
    """Direction out of an obstacle, and how deep a hull is in it."""

    nx: float
    ny: float
    depth_m: float


def push_out_of_obstacles(battle: Battle, unit: Unit, outputs: Outputs) -> None:
    """Part a unit from every solid obstacle of its layers, in the map's order."""
    for obstacle in battle.map.obstacles:
        if obstacle.solid and obstacle.layers_mask & unit.layers_mask:
            contact = find_contact(obstacle.shape, unit.x, unit.y, unit.spec.hull.radius_m)
            if contact is not None:
                unit.transform.x += contact.nx * contact.depth_m
                unit.transform.y += contact.ny * contact.depth_m
                _bounce(battle, unit, contact, outputs)


def find_contact(shape: ResolvedShape, x: float, y: float, radius_m: float) -> Contact | None:
    """How a disc touches a shape, None if it does not."""
    if not shape.vertices:
        distance = hyp(x - shape.x, y - shape.y)
        depth = shape.radius_m + radius_m - distance
        return _contact(x - shape.x, y - shape.y, distance, depth) if depth > 0.0 else None
    px, py = closest_boundary_point(shape, x, y)
    distance = hyp(x - px, y - py)
    if contains(shape, x, y):
        return _contact(px - x, py - y, distance, distance + radius_m)
    return _contact(x - px, y - py, distance, radius_m - distance) if distance < radius_m else None


def closest_boundary_point(shape: ResolvedShape, x: float, y: float) -> tuple[float, float]:
    """Point of a polygon's edges nearest to a point; ties go to the earlier edge, from the last vertex to the first."""
    ax, ay = shape.vertices[-1]
    best, best_squared = (ax, ay), (x - ax) * (x - ax) + (y - ay) * (y - ay)
    for bx, by in shape.vertices:
        dx, dy = bx - ax, by - ay
        along = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        px, py = ax + along * dx, ay + along * dy
        squared = (x - px) * (x - px) + (y - py) * (y - py)
        if squared < best_squared:
            best, best_squared = (px, py), squared
        ax, ay = bx, by
    return best


def _contact(dx: float, dy: float, distance: float, depth: float) -> Contact:
    if distance == 0.0:
        return Contact(1.0, 0.0, depth)
    return Contact(dx / distance, dy / distance, depth)


def _bounce(battle: Battle, unit: Unit, contact: Contact, outputs: Outputs) -> None:
    motion = unit.motion
    outward = motion.vx * contact.nx + motion.vy * contact.ny
    if not outward < 0.0:
        return
    motion.vx -= RESTITUTION * outward * contact.nx
    motion.vy -= RESTITUTION * outward * contact.ny
    inward = -outward
    if inward > HARMLESS_MS:
        energy_kj = 0.5 * unit.spec.hull.mass_t * (inward * inward)
        event = battle.record(EventKind.COLLISION, unit.id, f0=energy_kj)
        unit.scratch.mishaps += 1
        unit.tally.collisions += 1
        outputs.emit(
            Plugin.HELM,
            Damage(
                source=unit.id,
                target=unit.id,
                amount=fmin(energy_kj / KILOJOULES_PER_DAMAGE, DAMAGE_CAP * unit.spec.hull.hp_max),
                type=DamageType.KINETIC,
                direction=atan2(-contact.ny, -contact.nx),
                ignores_armour=True,
                cause=event,
            ),
        )
