"""Landmarks: which way, and how far, to what a citizen needs."""

from collections.abc import Iterable
from math import sqrt
from typing import Final

from diorama.worlds.townlet.codes import NOTHING, Role
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.presence import distance_to, own_stove, stand_tile
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS
from diorama.worlds.townlet.tables.paths import UNREACHABLE

_FAR: Final = 96
_MEALS: Final = CORE_ITEMS.index("meals")
_NOWHERE: Final = (0.0, 0.0, 0.0)


def landmarks(town: Town, citizen: Citizen) -> list[float]:
    """Direction and distance of fridge, stove, bed, shower, till, home and work, in this order."""
    fridges = town.tables.open_to[Role.EAT][citizen.home]
    filled = [index for index in fridges if town.objects[index].stock[_MEALS] >= 1]
    stove = own_stove(town, citizen)
    places = (
        _nearest(town, citizen, filled or fridges),
        NOTHING if stove == NOTHING else town.tables.objects[stove].use_tile,
        NOTHING if citizen.bed == NOTHING else town.tables.objects[citizen.bed].use_tile,
        _nearest(town, citizen, town.tables.open_to[Role.SHOWER][citizen.home]),
        _nearest(town, citizen, town.tables.open_to[Role.BUY][citizen.home]),
        NOTHING if citizen.home == NOTHING else stand_tile(town, citizen.home, citizen.seat * 3),
        NOTHING if citizen.job == NOTHING else town.tables.jobs[citizen.job].tile,
    )
    values: list[float] = []
    for tile in places:
        values += _direction(town, citizen, tile)
    return values


def _nearest(town: Town, citizen: Citizen, objects: Iterable[int]) -> int:
    best, best_distance = NOTHING, UNREACHABLE
    rows, paths, here = town.tables.objects, town.tables.paths, citizen.tile
    for index in objects:
        tile = rows[index].use_tile
        distance = paths.field(tile)[here]
        if distance < best_distance:
            best, best_distance = tile, distance
    return best


def _direction(town: Town, citizen: Citizen, tile: int) -> tuple[float, float, float]:
    if tile == NOTHING:
        return _NOWHERE
    width = town.tables.map.width
    dx, dy = tile % width - citizen.tile % width, tile // width - citizen.tile // width
    share = min(1.0, distance_to(town, citizen, tile) / _FAR)
    if dx == 0 and dy == 0:
        return 0.0, 0.0, share
    length = sqrt(float(dx * dx + dy * dy))
    return dx / length, dy / length, share
