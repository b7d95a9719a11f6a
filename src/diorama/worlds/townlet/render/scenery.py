"""What stands still: zones, objects and jobs."""

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.tables.town_tables import TownTables


def map_picture(tables: TownTables) -> JsonObject:
    """Return the parts of a picture that never change.

    An object is its id, its type, its zone, where it stands (x, y) and from where it is used (x, y); a job its id, its
    zone and its hours.
    """
    town_map = tables.map
    return {
        "size": [town_map.width, town_map.height],
        "zones": [
            {
                "id": zone.id,
                "rect": list(zone.rect),
                "door": None if zone.door == NOTHING else list(town_map.xy(zone.door)),
            }
            for zone in town_map.zones
        ],
        "objects": [
            [row.id, tables.types[row.type], row.zone, *town_map.xy(row.tile), *town_map.xy(row.use_tile)]
            for row in tables.objects
        ],
        "uses": {
            type_name: [row.id for row in rows]
            for type_name, rows in zip(tables.types, tables.by_type, strict=True)
            if rows
        },
        "jobs": [[job.id, job.zone, job.start, job.end] for job in tables.jobs],
        "spawns": [list(town_map.xy(tile)) for tile in town_map.spawn_tiles],
    }
