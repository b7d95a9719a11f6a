"""Currents: a grid for each layer, and the zones that add to it."""

from diorama.worlds.tidebreak.limits import CURRENT_NODES
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.zones import zone_current
from diorama.worlds.tidebreak.resolve.terrain import bilinear


def current_at(battle: Battle, layer: int, x: float, y: float) -> tuple[float, float]:
    """Current at a point of a layer, m/s east and north."""
    area = battle.map
    grid = area.currents[layer]
    u = (x - area.min_x) / (area.max_x - area.min_x) * float(CURRENT_NODES - 1)
    v = (y - area.min_y) / (area.max_y - area.min_y) * float(CURRENT_NODES - 1)
    zone_x, zone_y = zone_current(battle, 1 << layer, x, y)
    return (
        bilinear(grid.x_ms, CURRENT_NODES, CURRENT_NODES, u, v) + zone_x,
        bilinear(grid.y_ms, CURRENT_NODES, CURRENT_NODES, u, v) + zone_y,
    )


def sample_currents(battle: Battle) -> None:
    """Give every present unit the current that carries it through the substeps of this tick."""
    for unit in battle.present_units():
        unit.scratch.current_x, unit.scratch.current_y = current_at(battle, unit.layer.layer, unit.x, unit.y)
