"""Which hull an observation row belongs to, as far as cost and armour tell."""

from dataclasses import dataclass
from functools import cache

from diorama.worlds.tidebreak.codes import WeaponGroup
from diorama.worlds.tidebreak.content import Content, ShipClass, shipped_content
from diorama.worlds.tidebreak.reference.observe.own_state import ARMOUR_SCALE

COST_SCALE = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hull:
    """What a captain knows of the own class.

    Attributes:
        name: Of the class.
        cost: As a row shows it.
        armour: As a row shows it.
        gun_m: Range of the longest gun, 0 without one.
        torpedo_m: Range of the longest torpedo, 0 without one.
        speed_ms: Full speed on the surface, or submerged for those who live there.
        is_submarine: Whether it can go under.
        has_marines: Whether it can board.
    """

    name: str
    cost: float
    armour: float
    gun_m: float
    torpedo_m: float
    speed_ms: float
    is_submarine: bool
    has_marines: bool


def hull_like(cost: float, armour: float) -> Hull:
    """Return the class nearest to what a row shows."""
    return min(known_hulls(), key=lambda hull: abs(hull.cost - cost) + abs(hull.armour - armour))


@cache
def known_hulls() -> tuple[Hull, ...]:
    """All classes that ship with the world."""
    content = shipped_content()
    return tuple(_hull(row, content) for row in content.classes.values())


def _hull(row: ShipClass, content: Content) -> Hull:
    return Hull(
        name=row.name,
        cost=min(row.cost / COST_SCALE, 1.0),
        armour=min(row.hull.armour / ARMOUR_SCALE, 1.0),
        gun_m=_longest(row, content, WeaponGroup.GUN),
        torpedo_m=_longest(row, content, WeaponGroup.TORPEDO),
        speed_ms=row.speed.surface if row.speed.submerged is None else row.speed.submerged,
        is_submarine=row.speed.submerged is not None,
        has_marines=row.stores.marines > 0,
    )


def _longest(row: ShipClass, content: Content, group: WeaponGroup) -> float:
    weapons = [content.weapons[mount.weapon] for mount in row.mounts]
    return max((weapon.fire.range_m for weapon in weapons if weapon.group is group), default=0.0)
