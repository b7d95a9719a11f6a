"""From the town file to the map and its object rows, with everything that is wrong found at once."""

from collections.abc import Sequence

from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.tables.documents import MOST_ITEMS, ObjectEntry, TownFile
from diorama.worlds.townlet.tables.places import ObjectRow, TownMap, Zone
from diorama.worlds.townlet.tables.problems import Problems
from diorama.worlds.townlet.tables.standing import queue_tiles, stand_tiles
from diorama.worlds.townlet.tables.tiles import Tiles, lay_tiles


def build_map(
    town: TownFile,
    objects: Sequence[ObjectEntry],
    *,
    spawn_places: Sequence[tuple[int, int]],
    types: Sequence[str],
    items: Sequence[str],
    problems: Problems,
) -> tuple[TownMap, tuple[ObjectRow, ...]]:
    """Make the map and the rows of its objects.

    Args:
        town: The town file.
        objects: Its objects and those of the affordance manifest, in this order.
        spawn_places: Where newcomers appear.
        types: All object types; a row holds the index.
        items: All items; stocks are by item.
        problems: Takes what is wrong.

    Raises:
        ConfigError: When something is wrong.
    """
    _check_ids(town, objects, problems)
    tiles = lay_tiles(town, objects, problems)
    problems.raise_if_any()
    used = [_use_tile(entry, tiles, problems) for entry in objects]
    for index, entry in enumerate(objects):
        if used[index] in used[:index]:
            problems.add(f"objects.{entry.id}.use_tile", f"{objects[used.index(used[index])].id} has the same one")
    spawns = _spawn_tiles(spawn_places, tiles, problems)
    problems.raise_if_any()
    zones = tuple(
        Zone(
            index=index,
            id=zone.id,
            is_building=zone.kind == "building",
            rect=zone.rect,
            door=NOTHING if zone.door is None else tiles.tile(zone.door),
            stand_tiles=stand_tiles(zone, index, used, tiles),
        )
        for index, zone in enumerate(town.zones)
    )
    rows = tuple(
        _row(entry, index, used, zones, objects, types, items, tiles, problems) for index, entry in enumerate(objects)
    )
    for zone in zones:
        if not zone.stand_tiles:
            problems.add(f"zones.{zone.id}", "has no tile to stand on that keeps clear of doors and objects")
    problems.raise_if_any()
    return (
        TownMap(
            width=tiles.width,
            height=tiles.height,
            tile_class=tuple(tiles.tile_class),
            zone_of=tuple(tiles.zone_of),
            object_at=tuple(tiles.object_at),
            walkable=tuple(tiles.walkable),
            zones=zones,
            spawn_tiles=spawns,
        ),
        rows,
    )


def _check_ids(town: TownFile, objects: Sequence[ObjectEntry], problems: Problems) -> None:
    for kind, ids in (("zones", [zone.id for zone in town.zones]), ("objects", [entry.id for entry in objects])):
        for repeated in sorted({name for name in ids if ids.count(name) > 1}):
            problems.add(f"{kind}.{repeated}", "the id stands twice")
    zone_ids = {zone.id for zone in town.zones}
    object_ids = {entry.id for entry in objects}
    for entry in objects:
        if entry.zone is not None and entry.zone not in zone_ids:
            problems.add(f"objects.{entry.id}.zone", f"there is no zone {entry.zone!r}")
        if entry.linked is not None and entry.linked not in object_ids:
            problems.add(f"objects.{entry.id}.linked", f"there is no object {entry.linked!r}")


def _use_tile(entry: ObjectEntry, tiles: Tiles, problems: Problems) -> int:
    neighbors = tiles.neighbors(tiles.tile(entry.position))
    if entry.use_tile is None:
        if not neighbors:
            problems.add(f"objects.{entry.id}", "has no walkable neighbor to be used from")
            return NOTHING
        return neighbors[0]
    if not tiles.is_inside(entry.use_tile) or tiles.tile(entry.use_tile) not in neighbors:
        problems.add(
            f"objects.{entry.id}.use_tile",
            f"{list(entry.use_tile)} is not a walkable neighbor of its position {list(entry.position)}",
        )
        return NOTHING
    return tiles.tile(entry.use_tile)


def _spawn_tiles(places: Sequence[tuple[int, int]], tiles: Tiles, problems: Problems) -> tuple[int, ...]:
    for number, place in enumerate(places):
        if not tiles.can_stand(place):
            problems.add(f"spawn_tiles.{number}", f"{list(place)} cannot be walked on")
    return tuple(tiles.tile(place) for place in places if tiles.can_stand(place))


def _row(
    entry: ObjectEntry,
    index: int,
    used: Sequence[int],
    zones: Sequence[Zone],
    objects: Sequence[ObjectEntry],
    types: Sequence[str],
    items: Sequence[str],
    tiles: Tiles,
    problems: Problems,
) -> ObjectRow:
    zone_ids = [zone.id for zone in zones]
    tile = tiles.tile(entry.position)
    around = tiles.zone_of[tile]
    zone = around if entry.zone is None else zone_ids.index(entry.zone)
    if entry.access == "residents" and zone == NOTHING:
        problems.add(f"objects.{entry.id}.access", "residents needs a zone to reside in")
    caps = tuple(entry.caps.get(item, MOST_ITEMS) for item in items)
    stock = tuple(entry.stock.get(item, 0) for item in items)
    for item, held, most in zip(items, stock, caps, strict=True):
        if held > most:
            problems.add(f"objects.{entry.id}.stock.{item}", f"{held} is more than its cap of {most}")
    return ObjectRow(
        index=index,
        id=entry.id,
        type=types.index(entry.object_type),
        tile=tile,
        use_tile=used[index],
        queue_tiles=_queue(entry, used, index, tiles, problems),
        zone=zone,
        stock=stock,
        caps=caps,
        price_factor=entry.price_factor,
        is_residents=entry.access == "residents",
        linked=NOTHING if entry.linked is None else [other.id for other in objects].index(entry.linked),
        owner_id=entry.owner or "",
    )


def _queue(entry: ObjectEntry, used: Sequence[int], index: int, tiles: Tiles, problems: Problems) -> tuple[int, ...]:
    if entry.queue_tiles is None:
        found = queue_tiles(used[index], used, tiles)
        return found or (used[index],)
    for number, place in enumerate(entry.queue_tiles):
        if not tiles.can_stand(place):
            problems.add(f"objects.{entry.id}.queue_tiles.{number}", f"{list(place)} cannot be walked on")
    return tuple(tiles.tile(place) for place in entry.queue_tiles if tiles.can_stand(place))
