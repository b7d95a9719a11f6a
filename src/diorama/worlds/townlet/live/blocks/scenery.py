"""`map`: what stands still."""

from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import NOTHING, TileClass, word
from diorama.worlds.townlet.contract import TICK_SECONDS
from diorama.worlds.townlet.live.blocks.values import told
from diorama.worlds.townlet.reference.state.town import Town

LETTERS: Final = {
    TileClass.STREET: ".",
    TileClass.FLOOR: "_",
    TileClass.DOOR: "+",
    TileClass.WALL: "#",
    TileClass.OBJECT: "o",
}


def map_block(town: Town) -> JsonObject:
    """Tiles as rows of letters, zones, jobs, and where objects stand and are used from; places are [x, y]."""
    tables = town.tables
    town_map = tables.map
    letters = "".join(LETTERS[TileClass(code)] for code in town_map.tile_class)
    zones: list[JsonValue] = [
        told(
            id=zone.id,
            rect=list(zone.rect),
            is_building=zone.is_building,
            door=None if zone.door == NOTHING else list(town_map.xy(zone.door)),
        )
        for zone in town_map.zones
    ]
    return {
        "size": [town_map.width, town_map.height],
        "tiles": [letters[row * town_map.width : (row + 1) * town_map.width] for row in range(town_map.height)],
        "legend": {letter: word(tile_class) for tile_class, letter in LETTERS.items()},
        "zones": zones,
        "objects": {
            row.id: {
                "type": tables.types[row.type],
                "pos": list(town_map.xy(row.tile)),
                "use": list(town_map.xy(row.use_tile)),
            }
            for row in tables.objects
        },
        "jobs": {
            job.id: {"zone": town_map.zones[job.zone].id, "start": job.start, "end": job.end} for job in tables.jobs
        },
        "spawns": [list(town_map.xy(tile)) for tile in town_map.spawn_tiles],
        "ticks_per_day": town.ticks_per_day,
        "tick_seconds": TICK_SECONDS,
    }
