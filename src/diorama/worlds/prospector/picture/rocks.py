"""Asteroids: their size tells how much is left, their color what the pilot believes is in them."""

import math
from typing import Final

from diorama.rng import Pcg32
from diorama.worlds.drawing import Color, blend
from diorama.worlds.prospector.picture import palette
from diorama.worlds.prospector.picture.canvas import Canvas, Point
from diorama.worlds.prospector.picture.facts import AsteroidFacts
from diorama.worlds.prospector.picture.layout import around, asteroid_place

_SIZES: Final = ((0.33, 11.5), (0.66, 8.5), (math.inf, 5.5))  # depletion up to, radius
_CORNERS: Final = 13
_UNKNOWN: Final[Color] = (96, 90, 98)
_STREAM: Final = 2


def draw_rock(canvas: Canvas, node: int, rock: AsteroidFacts) -> None:
    """Draw one asteroid with the marks of selection and stabilization."""
    center = asteroid_place(rock.slot, rock.scan_conf)
    radius = next(size for limit, size in _SIZES if rock.depletion <= limit)
    color = _color(rock)
    outline = _outline(center, radius, node, rock.slot)
    canvas.polygon(outline, palette.shade(color, 0.5))
    lit = [(x + (center[0] - x) * 0.22 - radius * 0.13, y + (center[1] - y) * 0.22 - radius * 0.13) for x, y in outline]
    canvas.polygon(lit, color)
    _craters(canvas, center, radius, color, node, rock.slot)
    if rock.stabilize_ticks > 0:
        canvas.disc(center, radius + 4.5, palette.SHIELD, 0.16)
        canvas.ring(center, radius + 4.5, palette.SHIELD, 0.8, 0.9)
    if rock.selected:
        for quarter in range(4):
            canvas.arc(center, radius + 7.0, 90 * quarter + 22, 90 * quarter + 68, palette.FAIR, 1.3)
    if rock.scan_conf > 0.0:
        _confidence(canvas, center, radius, rock.scan_conf)


def _color(rock: AsteroidFacts) -> Color:
    best = max(range(len(rock.comp_est)), key=lambda commodity: rock.comp_est[commodity])
    hue = tuple(palette.COMMODITY_COLORS.values())[best]
    return blend(_UNKNOWN, palette.shade(hue, 0.82), min(1.0, 0.15 + 0.85 * rock.scan_conf))


def _outline(center: Point, radius: float, node: int, slot: int) -> list[Point]:
    dice = Pcg32.from_seed(node * 64 + slot, _STREAM)
    return [
        around(center, radius * dice.uniform(0.82, 1.12), math.tau * (corner + dice.uniform(-0.25, 0.25)) / _CORNERS)
        for corner in range(_CORNERS)
    ]


def _craters(canvas: Canvas, center: Point, radius: float, color: Color, node: int, slot: int) -> None:
    dice = Pcg32.from_seed(node * 64 + slot, _STREAM + 1)
    for _ in range(3):
        place = around(center, radius * dice.uniform(0.1, 0.55), dice.uniform(0.0, math.tau))
        size = radius * dice.uniform(0.12, 0.24)
        canvas.disc(place, size, palette.shade(color, 0.66))
        canvas.disc((place[0] + size * 0.25, place[1] + size * 0.25), size * 0.75, palette.shade(color, 0.84))


def _confidence(canvas: Canvas, center: Point, radius: float, scan_conf: float) -> None:
    start = center[0] - 6.0, center[1] + radius + 3.2
    canvas.line([start, (start[0] + 12.0, start[1])], palette.TRACK, 1.0)
    canvas.line([start, (start[0] + 12.0 * scan_conf, start[1])], palette.SCAN, 1.0)
