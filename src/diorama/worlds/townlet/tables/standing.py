"""Where people queue for an object, and where they stand in a zone."""

from collections.abc import Collection, Iterable
from typing import Final

from diorama.worlds.townlet.tables.documents import ZoneEntry
from diorama.worlds.townlet.tables.tiles import Tiles, places_of

QUEUE_TILES: Final = 4
USE_TILE_CLEARANCE: Final = 1  # Manhattan steps from every use tile; who stands nearer is in the way
DOOR_CLEARANCE: Final = 2


def queue_tiles(use_tile: int, use_tiles: Collection[int], tiles: Tiles) -> tuple[int, ...]:
    """The four places to wait that are nearest to a use tile, none of them a use tile itself."""
    found: list[int] = []
    seen = {use_tile}
    frontier = [use_tile]
    while frontier and len(found) < QUEUE_TILES:
        following: list[int] = []
        for tile in frontier:
            for neighbor in tiles.neighbors(tile):
                if neighbor not in seen:
                    seen.add(neighbor)
                    following.append(neighbor)
        found += [tile for tile in following if tile not in use_tiles]
        frontier = following
    return tuple(found[:QUEUE_TILES])


def stand_tiles(zone: ZoneEntry, index: int, use_tiles: Iterable[int], tiles: Tiles) -> tuple[int, ...]:
    """Places of a zone that keep clear of its door and of everything that is used, row by row."""
    used = [(tile % tiles.width, tile // tiles.width) for tile in use_tiles]
    return tuple(
        tiles.tile(place)
        for place in places_of(zone.stand_rect or zone.rect)
        if tiles.can_stand(place)
        and tiles.zone_of[tiles.tile(place)] == index
        and all(_manhattan(place, other) > USE_TILE_CLEARANCE for other in used)
        and (zone.door is None or _manhattan(place, zone.door) > DOOR_CLEARANCE)
    )


def _manhattan(place: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(place[0] - other[0]) + abs(place[1] - other[1])
