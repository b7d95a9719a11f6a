"""Streets that connect all doors; they are no rule of the town, only what it looks like."""

from functools import lru_cache

from diorama.contracts.work import checkpoint
from diorama.worlds.townlet.codes import DIRECTIONS
from diorama.worlds.townlet.frames import MapPart, Tile


@lru_cache(maxsize=16)
def streets_of(zones: tuple[tuple[tuple[int, int, int, int], Tile | None], ...], size: Tile) -> tuple[Tile, ...]:
    """Return the tiles to pave: whatever is nearest to the streets so far is connected next.

    Args:
        zones: Rectangle and door of each.
        size: Of the map.
    """
    free = _free_tiles(zones, size)
    goals = [goal for rect, door in zones if (goal := _in_front(rect, door)) in free]
    paved = dict.fromkeys(goals[:1])
    waiting = set(goals[1:])
    while waiting and (way := _nearest(list(paved), waiting, free)):
        paved.update(dict.fromkeys(way))
        waiting -= set(way)
    wider = [(x, y + 1) for x, y in paved if (x, y + 1) in free]
    return tuple(dict.fromkeys([*paved, *wider]))


def shape_of(town_map: MapPart) -> tuple[tuple[tuple[int, int, int, int], Tile | None], ...]:
    """Return what streets depend on."""
    return tuple((zone.rect, zone.door) for zone in town_map.zones)


def _in_front(rect: tuple[int, int, int, int], door: Tile | None) -> Tile:
    x0, y0, x1, y1 = rect
    if door is None:
        return (x0 + x1) // 2, y0 - 1
    around = ((door[0] + dx, door[1] + dy) for dx, dy in DIRECTIONS)
    return next(((x, y) for x, y in around if not (x0 <= x <= x1 and y0 <= y <= y1)), door)


def _free_tiles(zones: tuple[tuple[tuple[int, int, int, int], Tile | None], ...], size: Tile) -> set[Tile]:
    free = {(x, y) for x in range(size[0]) for y in range(size[1])}
    for (x0, y0, x1, y1), _ in zones:
        free.difference_update((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))
    return free


def _nearest(paved: list[Tile], waiting: set[Tile], free: set[Tile]) -> list[Tile]:
    came_from: dict[Tile, Tile | None] = dict.fromkeys(paved)
    front = paved
    while front:
        checkpoint()
        following = []
        for tile in front:
            if tile in waiting:
                return _way_to(tile, came_from)
            for dx, dy in DIRECTIONS:
                beside = (tile[0] + dx, tile[1] + dy)
                if beside not in came_from and beside in free:
                    came_from[beside] = tile
                    following.append(beside)
        front = following
    return []


def _way_to(goal: Tile, came_from: dict[Tile, Tile | None]) -> list[Tile]:
    way: list[Tile] = []
    tile: Tile | None = goal
    while tile is not None:
        way.append(tile)
        tile = came_from[tile]
    return way
