"""Torpedoes and missiles on their way, as far as a unit notices them."""

from typing import Final

from diorama.numerics import hyp
from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.state import Battle, Unit

TORPEDO_HEARD_M: Final = 2_500.0
TORPEDO_SEEN_M: Final = 800.0
MISSILE_SEEN_M: Final = 6_000.0


def sensed_munitions(battle: Battle, unit: Unit) -> list[Munition]:
    """Hostile torpedoes and missiles that the unit can sense, nearest first, then by id."""
    sensed = [
        (distance_m, munition.id, munition)
        for munition in battle.munitions
        if battle.are_enemies(unit.team, munition.team)
        and (distance_m := hyp(munition.x - unit.x, munition.y - unit.y)) <= _reach_m(unit, munition)
    ]
    sensed.sort(key=lambda entry: entry[:2])
    return [munition for *_, munition in sensed]


def _reach_m(unit: Unit, munition: Munition) -> float:
    if munition.kind == MunitionKind.TORPEDO:
        if unit.spec.sensors.di_db is not None:
            return TORPEDO_HEARD_M
        return TORPEDO_SEEN_M if unit.touches_surface else -1.0
    return MISSILE_SEEN_M if munition.kind == MunitionKind.MISSILE and unit.touches_surface else -1.0
