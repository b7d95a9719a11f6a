"""A munition that strikes a unit: the HIT event and the damage that follows from it."""

from diorama.numerics import atan2
from diorama.worlds.tidebreak.codes import DamageType
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.fields.effects import explosion_underwater
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin, StampField
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def strike(
    battle: Battle, munition: Munition, target: Unit, amount: float, came_from: tuple[float, float], outputs: Outputs
) -> None:
    """Send damage on its way to a unit.

    Args:
        battle: Where it happens.
        munition: What struck.
        target: Who is struck.
        amount: Damage before armor.
        came_from: Point whose bearing from the target is the direction of the hit.
        outputs: Takes the damage.
    """
    weapon = battle.spec.weapons[munition.weapon_code]
    hit = battle.record(
        EventKind.HIT, munition.owner_id, target.id, cause=munition.fired_event, f0=amount, i0=weapon.code
    )
    outputs.emit(
        Plugin.GUIDANCE,
        Damage(
            source=munition.owner_id,
            target=target.id,
            amount=amount,
            type=DamageType(weapon.damage_type),
            direction=atan2(came_from[1] - target.y, came_from[0] - target.x),
            city_killer=weapon.city_killer,
            cause=hit,
        ),
    )


def stamp_underwater(munition: Munition, x: float, y: float, outputs: Outputs) -> None:
    """Leave noise and sediment where something went off below the surface."""
    for stamp in explosion_underwater(x, y):
        outputs.emit(Plugin.GUIDANCE, StampField(munition.id, stamp))
