"""Wanders about and fires back."""

from typing import Final

from diorama.numerics import TWO_PI
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail
from diorama.worlds.tidebreak.reference.state import Battle, Unit

LEG_TICKS: Final = 60
THROTTLE: Final = 0.4


def drifter(battle: Battle, unit: Unit) -> Order:
    """Keep a random heading for a minute; the draw's tick is fixed so that it lasts."""
    u = uniform(battle, Stream.SCRIPTS, unit.id, battle.tick // LEG_TICKS, 0, tick=0)
    return sail(battle, unit, Course(TWO_PI * u, THROTTLE))
