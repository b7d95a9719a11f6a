"""Zones of the map: how strongly one kind of them acts at a point."""

from diorama.numerics import fmin
from diorama.worlds.tidebreak.codes import ZoneEffect
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.resolve.shapes import contains


def zone_intensity(battle: Battle, effect: ZoneEffect, layers_mask: int, x: float, y: float) -> float:
    """Sum of the intensities of zones of one kind over a point, at most 1.

    Args:
        battle: Whose map.
        effect: Which kind.
        layers_mask: Layers of whatever is at the point, bit `1 << layer`.
        x: East.
        y: North.
    """
    total = 0.0
    for zone in battle.map.zones:
        if zone.effect == effect and zone.layers_mask & layers_mask and contains(zone.shape, x, y):
            total += zone.intensity
    return fmin(total, 1.0)


def zone_current(battle: Battle, layers_mask: int, x: float, y: float) -> tuple[float, float]:
    """What CURRENT zones add to the current; zones past a total intensity of 1 add nothing."""
    cx, cy, left = 0.0, 0.0, 1.0
    for zone in battle.map.zones:
        if zone.effect == ZoneEffect.CURRENT and zone.layers_mask & layers_mask and contains(zone.shape, x, y):
            share = fmin(zone.intensity, left)
            left -= share
            cx += zone.vector_x * share
            cy += zone.vector_y * share
    return cx, cy
