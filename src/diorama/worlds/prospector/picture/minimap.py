"""The places around, and how dangerous the ways there are believed to be."""

from typing import Final

from diorama.worlds.drawing import Color
from diorama.worlds.prospector.picture import palette
from diorama.worlds.prospector.picture.canvas import Canvas, Point
from diorama.worlds.prospector.picture.facts import RenderFacts
from diorama.worlds.prospector.picture.layout import MAP_CENTER, MAP_ORBIT, neighbor_place

_THREATS: Final = ((0.45, palette.GOOD), (0.75, palette.FAIR))  # below, color


def draw_map(canvas: Canvas, facts: RenderFacts) -> None:
    """Draw the current place in the middle and a neighbor per slot around it."""
    corner = MAP_CENTER[0] - MAP_ORBIT - 13.0, MAP_CENTER[1] - MAP_ORBIT - 12.0
    size = 2.0 * MAP_ORBIT + 26.0, 2.0 * MAP_ORBIT + 28.0
    canvas.box(corner, size, palette.PANEL, radius=4.0, outline=palette.PANEL_EDGE)
    for neighbor in facts.neighbors:
        canvas.line([MAP_CENTER, neighbor_place(neighbor.slot)], threat_color(neighbor.threat_est), 1.6)
    for neighbor in facts.neighbors:
        place = neighbor_place(neighbor.slot)
        _place(canvas, place, neighbor.type, 4.2)
        canvas.text((place[0], place[1] + 8.0), str(neighbor.slot), palette.MUTED, 5.0, "mm")
    _place(canvas, MAP_CENTER, facts.node.type, 5.4)
    canvas.ring(MAP_CENTER, 7.6, palette.TEXT, 0.8)


def threat_color(threat: float) -> Color:
    """Return the color of a way."""
    return next((color for limit, color in _THREATS if threat < limit), palette.BAD)


def _place(canvas: Canvas, center: Point, kind: str, size: float) -> None:
    x, y = center
    if kind == "station":
        canvas.box((x - size * 0.85, y - size * 0.85), (size * 1.7, size * 1.7), palette.CABIN, radius=1.0)
    elif kind == "hazard":
        canvas.polygon([(x, y - size), (x + size, y + size * 0.8), (x - size, y + size * 0.8)], palette.FAIR)
    else:
        canvas.disc(center, size * 0.85, palette.STEEL_LIGHT)
