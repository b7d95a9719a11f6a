"""The static map: tiles, zones, objects, and where people use, queue and stand."""

from dataclasses import dataclass

Tile = int  # y * width + x


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A named part of the town.

    Attributes:
        door: Its door, -1 for an open zone.
        stand_tiles: Where people stand so that nobody blocks a door or an object, row by row.
    """

    index: int
    id: str
    is_building: bool
    rect: tuple[int, int, int, int]
    door: Tile
    stand_tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRow:
    """What never changes about an object.

    Attributes:
        type: Index of its type.
        stock: Items it starts with, by item.
        caps: Most it holds, by item.
        is_residents: Whether only those who live in its zone may use it.
        linked: Object that linked yields go to, -1 for none.
        owner_id: Citizen who owns it from the start, by id; empty for nobody.
    """

    index: int
    id: str
    type: int
    tile: Tile
    use_tile: Tile
    queue_tiles: tuple[Tile, ...]
    zone: int
    stock: tuple[int, ...]
    caps: tuple[int, ...]
    price_factor: float
    is_residents: bool
    linked: int
    owner_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TownMap:
    """The grid; every list is indexed by tile.

    Attributes:
        tile_class: `TileClass` codes.
        zone_of: Zone a tile belongs to, -1 for none; walls and doors belong to none.
        object_at: Object on a tile, -1 for none.
        walkable: Whether people can ever stand there.
        spawn_tiles: Where newcomers appear, in this order.
    """

    width: int
    height: int
    tile_class: tuple[int, ...]
    zone_of: tuple[int, ...]
    object_at: tuple[int, ...]
    walkable: tuple[bool, ...]
    zones: tuple[Zone, ...]
    spawn_tiles: tuple[Tile, ...]

    def tile(self, x: int, y: int) -> Tile:
        """Number of a tile."""
        return y * self.width + x

    def xy(self, tile: Tile) -> tuple[int, int]:
        """Column and row of a tile."""
        return tile % self.width, tile // self.width

    def zone_index(self, zone_id: str) -> int:
        """Index of a zone by id, -1 if there is none."""
        return next((zone.index for zone in self.zones if zone.id == zone_id), -1)
