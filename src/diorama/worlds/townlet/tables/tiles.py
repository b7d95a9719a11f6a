"""From zones and objects to tiles: what is wall, door, floor or street, and what can be walked on."""

from collections.abc import Sequence
from typing import NamedTuple

from diorama.worlds.townlet.codes import DIRECTIONS, NOTHING, TileClass
from diorama.worlds.townlet.tables.documents import ObjectEntry, Rect, TownFile, ZoneEntry
from diorama.worlds.townlet.tables.problems import Problems


class Tiles(NamedTuple):
    """Lists by tile, while a map is being made."""

    width: int
    height: int
    tile_class: list[int]
    zone_of: list[int]
    object_at: list[int]
    walkable: list[bool]

    def is_inside(self, place: tuple[int, int]) -> bool:
        """Whether a place is on the grid."""
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height

    def tile(self, place: tuple[int, int]) -> int:
        """Number of a place on the grid."""
        return place[1] * self.width + place[0]

    def can_stand(self, place: tuple[int, int]) -> bool:
        """Whether a place is on the grid and can be walked on."""
        return self.is_inside(place) and self.walkable[self.tile(place)]

    def neighbors(self, tile: int) -> list[int]:
        """Walkable neighbors, north, east, south, west."""
        x, y = tile % self.width, tile // self.width
        around = ((x + dx, y + dy) for dx, dy in DIRECTIONS)
        return [self.tile(place) for place in around if self.can_stand(place)]


def lay_tiles(town: TownFile, objects: Sequence[ObjectEntry], problems: Problems) -> Tiles:
    """Lay out the grid and put the objects on it; what does not fit is noted and left out."""
    width, height = town.size
    count = width * height
    tiles = Tiles(width, height, [TileClass.STREET] * count, [NOTHING] * count, [NOTHING] * count, [True] * count)
    for index, zone in enumerate(town.zones):
        if _is_sound(zone, tiles, problems):
            _lay_zone(zone, index, tiles, problems)
    for index, entry in enumerate(objects):
        _put_object(entry, index, tiles, problems)
    return tiles


def places_of(rect: Rect) -> list[tuple[int, int]]:
    """Places of a rectangle, row by row."""
    x0, y0, x1, y1 = rect
    return [(x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)]


def is_on_border(place: tuple[int, int], rect: Rect) -> bool:
    """Whether a place is on the outermost ring of a rectangle."""
    x0, y0, x1, y1 = rect
    x, y = place
    return x0 <= x <= x1 and y0 <= y <= y1 and (x in (x0, x1) or y in (y0, y1))


def _is_sound(zone: ZoneEntry, tiles: Tiles, problems: Problems) -> bool:
    place = f"zones.{zone.id}"
    x0, y0, x1, y1 = zone.rect
    if x0 > x1 or y0 > y1 or not tiles.is_inside((x0, y0)) or not tiles.is_inside((x1, y1)):
        problems.add(f"{place}.rect", f"{list(zone.rect)} is not inside the grid of {tiles.width} by {tiles.height}")
        return False
    if zone.kind == "building":
        if x1 - x0 < 2 or y1 - y0 < 2:
            problems.add(f"{place}.rect", f"{list(zone.rect)} has no inside; a building is at least 3 by 3")
            return False
        corners = ((x0, y0), (x0, y1), (x1, y0), (x1, y1))
        if zone.door is None or not is_on_border(zone.door, zone.rect) or zone.door in corners:
            door = "nothing" if zone.door is None else list(zone.door)
            problems.add(f"{place}.door", f"{door} is not on the building's wall")
    elif zone.door is not None:
        problems.add(f"{place}.door", "an open zone has no door")
    if zone.stand_rect is not None and not _is_within(zone.stand_rect, zone.rect):
        problems.add(f"{place}.stand_rect", f"{list(zone.stand_rect)} is not inside the zone")
    return True


def _is_within(inner: Rect, outer: Rect) -> bool:
    (x0, y0, x1, y1), (left, top, right, bottom) = inner, outer
    return left <= x0 <= x1 <= right and top <= y0 <= y1 <= bottom


def _lay_zone(zone: ZoneEntry, index: int, tiles: Tiles, problems: Problems) -> None:
    for place in places_of(zone.rect):
        tile = tiles.tile(place)
        if tiles.zone_of[tile] != NOTHING or tiles.tile_class[tile] != TileClass.STREET:
            problems.add(f"zones.{zone.id}.rect", f"overlaps another zone at {list(place)}")
            return
        if zone.kind == "building" and is_on_border(place, zone.rect):
            tiles.tile_class[tile] = TileClass.DOOR if place == zone.door else TileClass.WALL
            tiles.walkable[tile] = place == zone.door
        else:
            tiles.zone_of[tile] = index
            tiles.tile_class[tile] = TileClass.FLOOR if zone.kind == "building" else TileClass.STREET


def _put_object(entry: ObjectEntry, index: int, tiles: Tiles, problems: Problems) -> None:
    place = f"objects.{entry.id}.position"
    if not tiles.is_inside(entry.position):
        problems.add(place, f"{list(entry.position)} is outside the grid of {tiles.width} by {tiles.height}")
        return
    tile = tiles.tile(entry.position)
    if tiles.object_at[tile] != NOTHING or tiles.tile_class[tile] in (TileClass.WALL, TileClass.DOOR):
        problems.add(place, f"{list(entry.position)} is taken by a wall, a door or another object")
        return
    tiles.object_at[tile] = index
    tiles.tile_class[tile] = TileClass.OBJECT
    tiles.walkable[tile] = False
