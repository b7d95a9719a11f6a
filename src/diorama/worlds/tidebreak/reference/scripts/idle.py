"""Lies still and holds fire."""

from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def idle(_battle: Battle, _unit: Unit) -> Order:
    """Do nothing."""
    return Order(throttle=0.0, rudder=0.0)
