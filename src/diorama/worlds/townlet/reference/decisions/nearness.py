"""Who is near whom."""

from typing import Final

from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.conflicts import avoided_seats

AVOID_RADIUS: Final = 3


def manhattan(town: Town, tile: int, other: int) -> int:
    """Steps between two tiles if nothing were in the way."""
    width = town.tables.map.width
    return abs(tile % width - other % width) + abs(tile // width - other // width)


def chebyshev(town: Town, tile: int, other: int) -> int:
    """Tiles between two tiles, diagonals counting as one."""
    width = town.tables.map.width
    return max(abs(tile % width - other % width), abs(tile // width - other // width))


def avoided_within(town: Town, citizen: Citizen, radius: int) -> list[Citizen]:
    """Everybody a citizen avoids who is within some tiles, in the order of its ties."""
    return [
        town.citizen(seat)
        for seat in avoided_seats(town, citizen)
        if chebyshev(town, citizen.tile, town.citizen(seat).tile) <= radius
    ]
