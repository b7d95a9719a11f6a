"""The map: an egocentric window, north at the top, of what surrounds a citizen."""

from typing import Final

import numpy as np

from diorama.contracts.values import F32
from diorama.worlds.townlet.codes import DIRECTIONS, NOBODY, NOTHING, TileClass
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.layout import map_channels, window_of
from diorama.worlds.townlet.reference.observe.usability import is_usable
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.town_tables import TownTables

Place = tuple[int, int]  # row and column in a window
Nearby = tuple[int, Place | None, Place | None]  # an object, its place and that of its use tile

USABLE: Final = 1.0
UNUSABLE: Final = 0.5
BLOCKED: Final = 0.25
WAITING: Final = 0.5


class Window:
    """What the window of one citizen holds, channel by channel; features count in it too."""

    __slots__ = ("agents", "object_count", "objects", "reservations")

    def __init__(self, agents: F32, objects: F32, reservations: F32, object_count: int) -> None:
        """Collect the layers that every variant shares."""
        self.agents = agents
        self.objects = objects
        self.reservations = reservations
        self.object_count = object_count


class MapBuilder:
    """Cuts windows out of layers that are padded, so that no window ends at the border."""

    def __init__(self, tables: TownTables, config: SimulationConfig) -> None:
        """Prepare what never changes."""
        town_map = tables.map
        self.window: Final = window_of(config)
        self.radius: Final = self.window // 2
        self._tables = tables
        self._channels = map_channels(config)
        self._shape = (town_map.height, town_map.width)
        classes = np.array(town_map.tile_class, dtype=np.int64).reshape(self._shape)
        ground = np.where(classes == TileClass.WALL, np.float32(BLOCKED), np.float32(0.0))
        ground[classes == TileClass.OBJECT] = UNUSABLE
        self._ground = self._padded(ground.astype(np.float32), fill=BLOCKED)
        self._walkable = self._padded(np.array(town_map.walkable, dtype=np.float32).reshape(self._shape))
        self._of_type = {f"object:{name}": self._type_layer(number) for number, name in enumerate(tables.types)}
        self._ways: dict[int, tuple[F32, F32]] = {}
        self._nearby: dict[int, tuple[Nearby, ...]] = {}

    def look(self, town: Town, citizen: Citizen, crowd: F32) -> Window:
        """Cut out what surrounds a citizen; `crowd` is the layer of `crowd_of`."""
        x, y = town.tables.map.xy(citizen.tile)
        agents = self._cut(crowd, x, y).copy()
        agents[self.radius, self.radius] = float(town.occupancy[citizen.tile] > 1)
        objects = self._cut(self._ground, x, y).copy()
        reservations = np.zeros_like(objects)
        around = self._around(citizen.tile)
        for index, place, use_place in around:
            if place is not None:
                objects[place] = USABLE if is_usable(town, citizen, index) else UNUSABLE
            holder = town.objects[index].holder
            if use_place is not None and holder != NOBODY:
                reservations[use_place] = -1.0 if holder == citizen.seat else 1.0
        self._mark_waiting(town, x, y, reservations)
        return Window(agents, objects, reservations, sum(place is not None for _, place, _ in around))

    def crowd_of(self, town: Town) -> F32:
        """The padded layer of tiles somebody stands on."""
        occupied = np.array(town.occupancy, dtype=np.int64).reshape(self._shape) > 0
        return self._padded(occupied.astype(np.float32))

    def draw(self, town: Town, citizen: Citizen, window: Window, crowd: F32, out: F32) -> None:
        """Write the channels of the configured variant into `out`, shape (channels, window, window)."""
        x, y = town.tables.map.xy(citizen.tile)
        out[0] = 0.0
        out[0, self.radius, self.radius] = 1.0
        out[1], out[2], out[3] = window.agents, window.objects, window.reservations
        for place, channel in enumerate(self._channels[4:], start=4):
            if channel == "walkable":
                out[place] = self._cut(self._walkable, x, y) * (1.0 - self._cut(crowd, x, y))
            elif channel in ("path_dx", "path_dy"):
                out[place] = 0.0
                if citizen.plan.goal != NOTHING:
                    ways = self._way(citizen.plan.goal)
                    out[place] = self._cut(ways[channel == "path_dy"], x, y)
            else:
                out[place] = self._cut(self._of_type[channel], x, y)

    def _mark_waiting(self, town: Town, x: int, y: int, layer: F32) -> None:
        for row, state in zip(town.tables.objects, town.objects, strict=True):
            for entry in state.queue:
                tile = town.citizen(entry.seat).tile
                place = self._place(tile, x, y) if tile in row.queue_tiles else None
                if place is not None and layer[place] == 0.0:
                    layer[place] = WAITING

    def _around(self, tile: int) -> tuple[Nearby, ...]:
        """Objects whose own tile or use tile is in the window around a tile; worked out once."""
        known = self._nearby.get(tile)
        if known is None:
            x, y = self._tables.map.xy(tile)
            places = [
                (row.index, self._place(row.tile, x, y), self._place(row.use_tile, x, y))
                for row in self._tables.objects
            ]
            known = self._nearby[tile] = tuple(entry for entry in places if entry[1:] != (None, None))
        return known

    def _place(self, tile: int, x: int, y: int) -> Place | None:
        width = self._shape[1]
        row, column = tile // width - y + self.radius, tile % width - x + self.radius
        return (row, column) if 0 <= row < self.window and 0 <= column < self.window else None

    def _cut(self, layer: F32, x: int, y: int) -> F32:
        return layer[y : y + self.window, x : x + self.window]

    def _padded(self, layer: F32, fill: float = 0.0) -> F32:
        padded = np.full((self._shape[0] + 2 * self.radius, self._shape[1] + 2 * self.radius), fill, dtype=np.float32)
        padded[self.radius : self.radius + self._shape[0], self.radius : self.radius + self._shape[1]] = layer
        return padded

    def _type_layer(self, number: int) -> F32:
        layer = np.zeros(self._shape, dtype=np.float32)
        for row in self._tables.objects:
            if row.type == number:
                layer[row.tile // self._shape[1], row.tile % self._shape[1]] = 1.0
        return self._padded(layer)

    def _way(self, goal: int) -> tuple[F32, F32]:
        known = self._ways.get(goal)
        if known is None:
            known = self._ways[goal] = self._way_to(goal)
        return known

    def _way_to(self, goal: int) -> tuple[F32, F32]:
        field = self._tables.paths.field(goal)
        dx, dy = np.zeros(self._shape, dtype=np.float32), np.zeros(self._shape, dtype=np.float32)
        width = self._shape[1]
        for tile, neighbors in enumerate(self._tables.paths.neighbors):
            if not self._tables.map.walkable[tile]:
                continue
            step = descending_step(field, tile, neighbors)
            if step != NOTHING:
                dx[tile // width, tile % width], dy[tile // width, tile % width] = DIRECTIONS[step]
        return self._padded(dx), self._padded(dy)


def descending_step(field: list[int], tile: int, neighbors: tuple[tuple[int, int], ...]) -> int:
    """Direction of the first of the nearest neighbors to a goal, -1 at the goal and where there is no way."""
    best, best_distance = NOTHING, field[tile]
    for direction, neighbor in neighbors:
        if field[neighbor] < best_distance:
            best, best_distance = direction, field[neighbor]
    return best
