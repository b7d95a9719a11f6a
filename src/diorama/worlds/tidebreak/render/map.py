"""What does not change during a battle: sea bed, obstacles, zones."""

from base64 import b64encode
from functools import lru_cache
from math import sqrt

from diorama.contracts.values import JsonObject, JsonValue
from diorama.numerics import clamp
from diorama.worlds.tidebreak.codes import Layer, ZoneEffect
from diorama.worlds.tidebreak.render.constants import DEEPEST, DEPTH_NODES, DEPTH_SCALE_M, LAND
from diorama.worlds.tidebreak.resolve.records import ResolvedDepth, ResolvedMap, ResolvedShape
from diorama.worlds.tidebreak.resolve.terrain import bilinear


def map_picture(area: ResolvedMap) -> JsonObject:
    """Return the map of a battle."""
    return {
        "edges": "open" if area.edges_open else "closed",
        "depth": _depth_picture(area.depth),
        "obstacles": [
            {
                **shape_picture(obstacle.shape),
                "solid": obstacle.solid,
                "intensity": obstacle.intensity,
                "layers": layers_of(obstacle.layers_mask),
            }
            for obstacle in area.obstacles
        ],
        "zones": [
            {
                **shape_picture(zone.shape),
                "effect": ZoneEffect(zone.effect).name,
                "intensity": zone.intensity,
                "layers": layers_of(zone.layers_mask),
            }
            for zone in area.zones
        ],
        "thermocline": area.thermocline,
    }


def shape_picture(shape: ResolvedShape, dx: float = 0.0, dy: float = 0.0) -> dict[str, JsonValue]:
    """Return a circle or polygon, moved by an offset."""
    return {
        "x": shape.x + dx,
        "y": shape.y + dy,
        "radius": shape.radius_m,
        "vertices": [[x + dx, y + dy] for x, y in shape.vertices],
    }


def layers_of(mask: int) -> list[JsonValue]:
    """Return the codes of the layers of a mask."""
    return [int(layer) for layer in Layer if mask >> layer & 1]


def _depth_picture(depth: ResolvedDepth) -> JsonObject:
    if depth.uniform_m is not None:
        return {"uniform_m": depth.uniform_m}
    return {"rows": DEPTH_NODES, "columns": DEPTH_NODES, "scale_m": DEPTH_SCALE_M, "data": _encoded(depth)}


@lru_cache(maxsize=64)
def _encoded(depth: ResolvedDepth) -> str:
    last = float(DEPTH_NODES - 1)
    sampled = bytearray()
    for row in range(DEPTH_NODES):
        for column in range(DEPTH_NODES):
            u, v = column / last * (depth.columns - 1), row / last * (depth.rows - 1)
            sampled.append(_depth_byte(bilinear(depth.nodes_m, depth.rows, depth.columns, u, v)))
    return b64encode(bytes(sampled)).decode()


def _depth_byte(depth_m: float) -> int:
    if depth_m <= 0.0:
        return LAND
    return 1 + round((DEEPEST - 1) * sqrt(clamp(depth_m / DEPTH_SCALE_M, 0.0, 1.0)))
