"""The path service: how far it is to a goal from every tile, and which way to go."""

from functools import lru_cache
from typing import Final

from diorama.worlds.townlet.codes import DIRECTIONS
from diorama.worlds.townlet.tables.places import TownMap

UNREACHABLE: Final = 65535
MAX_GOALS: Final = 512
_FULL_TILE_COST: Final = 0.5
STAY: Final = -1


class PathService:
    """Distance fields over statically walkable tiles, one per goal, computed when first asked for."""

    def __init__(self, town_map: TownMap) -> None:
        """Begin with no field."""
        self._map = town_map
        self._fields: dict[int, list[int]] = {}
        self.neighbors: Final = tuple(_neighbors(town_map, tile) for tile in range(len(town_map.walkable)))

    def field(self, goal: int) -> list[int]:
        """Steps to the goal from every tile, 65535 where there is no way; callers must not change it."""
        known = self._fields.get(goal)
        if known is None:
            known = self._fields[goal] = self._flood(goal)
        return known

    def distance(self, goal: int, tile: int) -> int:
        """Steps from a tile to a goal, 65535 where there is no way."""
        return self.field(goal)[tile]

    def next_dir(self, goal: int, tile: int, occupancy: list[int]) -> int:
        """Direction 0..3 (north, east, south, west) that leads to the goal, -1 where none does.

        Args:
            goal: Tile to go to.
            tile: Where the walk is.
            occupancy: Citizens on every tile; a way around a full one is preferred where it costs nothing.
        """
        field = self.field(goal)
        best, best_cost = STAY, float(UNREACHABLE)
        for direction, neighbor in self.neighbors[tile]:
            cost = field[neighbor] + (_FULL_TILE_COST if occupancy[neighbor] else 0.0)
            if cost < best_cost:
                best, best_cost = direction, cost
        return best

    def _flood(self, goal: int) -> list[int]:
        field = [UNREACHABLE] * len(self._map.walkable)
        field[goal] = 0
        frontier, steps = [goal], 0
        while frontier:
            steps += 1
            following: list[int] = []
            for tile in frontier:
                for _, neighbor in self.neighbors[tile]:
                    if field[neighbor] == UNREACHABLE:
                        field[neighbor] = steps
                        following.append(neighbor)
            frontier = following
        return field


@lru_cache(maxsize=16)
def paths_of(town_map: TownMap) -> PathService:
    """The path service of a map, shared by all towns on it."""
    return PathService(town_map)


def _neighbors(town_map: TownMap, tile: int) -> tuple[tuple[int, int], ...]:
    x, y = town_map.xy(tile)
    found = []
    for direction, (dx, dy) in enumerate(DIRECTIONS):
        if 0 <= x + dx < town_map.width and 0 <= y + dy < town_map.height:
            neighbor = town_map.tile(x + dx, y + dy)
            if town_map.walkable[neighbor]:
                found.append((direction, neighbor))
    return tuple(found)
