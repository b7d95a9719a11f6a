"""The ship and the station."""

import math
from typing import Final

from diorama.worlds.prospector.picture import palette
from diorama.worlds.prospector.picture.canvas import Canvas, Point
from diorama.worlds.prospector.picture.layout import CENTER, around

_SPOKES: Final = 6
_HUB: Final = 17.0
_WHEEL: Final = 46.0


def draw_station(canvas: Canvas) -> None:
    """Draw the station around the center, where the ship docks."""
    canvas.glow(CENTER, 78.0, palette.SHIELD, 0.28)
    for spoke in range(_SPOKES):
        angle = math.tau * (spoke + 0.5) / _SPOKES
        canvas.line([around(CENTER, _HUB, angle), around(CENTER, _WHEEL, angle)], palette.STEEL_DARK, 5.0)
        canvas.line([around(CENTER, _HUB, angle), around(CENTER, _WHEEL, angle)], palette.STEEL, 3.0)
        _panel(canvas, angle)
    canvas.ring(CENTER, _WHEEL + 4.0, palette.STEEL_DARK, 9.0)
    canvas.ring(CENTER, _WHEEL + 2.8, palette.STEEL, 6.0)
    canvas.ring(CENTER, _WHEEL + 2.4, palette.STEEL_LIGHT, 1.2)
    for lamp in range(24):
        color = palette.FAIR if lamp % 4 == 0 else palette.CABIN
        canvas.disc(around(CENTER, _WHEEL - 0.2, math.tau * lamp / 24), 1.0, color, 0.95)
    canvas.disc(CENTER, _HUB + 1.5, palette.STEEL_DARK)
    canvas.disc(CENTER, _HUB, palette.STEEL)
    canvas.ring(CENTER, _HUB - 2.0, palette.STEEL_LIGHT, 0.9, 0.7)
    canvas.disc(CENTER, _HUB - 4.0, palette.SKY_TOP)


def draw_ship(canvas: Canvas, center: Point, *, is_burning: bool) -> None:
    """Draw the ship, nose up; `is_burning` lights the engine."""
    if is_burning:
        canvas.glow((center[0], center[1] + 14.0), 11.0, palette.FLAME, 0.9)
        canvas.polygon(_at(center, ((-3.0, 9.0), (3.0, 9.0), (0.0, 24.0))), palette.FLAME)
        canvas.polygon(_at(center, ((-1.5, 9.0), (1.5, 9.0), (0.0, 17.0))), palette.TEXT)
    else:
        canvas.glow((center[0], center[1] + 10.0), 4.0, palette.CABIN, 0.7)
    canvas.polygon(_at(center, ((-4.0, 0.0), (-11.0, 9.5), (-11.0, 12.0), (-3.0, 9.0))), palette.HULL_SHADE)
    canvas.polygon(_at(center, ((4.0, 0.0), (11.0, 9.5), (11.0, 12.0), (3.0, 9.0))), palette.STEEL)
    canvas.polygon(_at(center, ((0.0, -14.0), (-4.5, -3.0), (-4.5, 9.5), (0.0, 10.5))), palette.HULL)
    canvas.polygon(_at(center, ((0.0, -14.0), (4.5, -3.0), (4.5, 9.5), (0.0, 10.5))), palette.HULL_SHADE)
    canvas.polygon(_at(center, ((0.0, -9.0), (-2.2, -3.0), (0.0, -0.5), (2.2, -3.0))), palette.CABIN)
    for side in (-11.0, 11.0):
        canvas.disc((center[0] + side, center[1] + 11.5), 1.1, palette.BAD if side < 0 else palette.GOOD)


def _panel(canvas: Canvas, angle: float) -> None:
    inner, outer = _WHEEL + 11.0, _WHEEL + 24.0
    half = 0.13
    corners = [
        around(CENTER, inner, angle - half),
        around(CENTER, outer, angle - half * 0.8),
        around(CENTER, outer, angle + half * 0.8),
        around(CENTER, inner, angle + half),
    ]
    canvas.line([around(CENTER, _WHEEL, angle), around(CENTER, inner, angle)], palette.STEEL, 1.6)
    canvas.polygon(corners, (38, 62, 122))
    canvas.line([*corners, corners[0]], palette.STEEL_LIGHT, 0.6)
    canvas.line([around(CENTER, inner, angle), around(CENTER, outer, angle)], palette.STEEL_LIGHT, 0.5, 0.6)


def _at(center: Point, points: tuple[Point, ...]) -> list[Point]:
    return [(center[0] + x, center[1] + y) for x, y in points]
