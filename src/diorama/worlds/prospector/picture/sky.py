"""The background of a place: starfield and faint planets, the same whenever it is visited."""

from functools import lru_cache

from diorama.rng import Pcg32
from diorama.worlds.drawing import Color, blend
from diorama.worlds.prospector.picture import palette
from diorama.worlds.prospector.picture.canvas import Canvas, Point
from diorama.worlds.prospector.picture.layout import RAIL_WIDTH, VIEW_HEIGHT, VIEW_WIDTH

_STARS = 150
_BANDS = 65
_PLANET_RINGS = 14
_STREAM = 1


@lru_cache(maxsize=64)
def sky(node: int, is_hazard: bool) -> Canvas:
    """Return the background of a node; draw on a copy."""
    canvas = Canvas.blank(VIEW_WIDTH + RAIL_WIDTH, VIEW_HEIGHT, palette.SKY_TOP)
    _gradient(canvas, is_hazard)
    dice = Pcg32.from_seed(node, _STREAM)
    for _ in range(_STARS):
        place = dice.uniform(0.0, VIEW_WIDTH), dice.uniform(0.0, VIEW_HEIGHT)
        brightness = dice.f64()
        canvas.disc(place, 0.25 + 0.65 * brightness * brightness, palette.STAR, 0.25 + 0.6 * brightness)
    for _ in range(1 + dice.randint_exclusive(0, 2)):
        # Near the left and right edges, where no rock is drawn.
        side = dice.uniform(0.02, 0.16)
        place = (side if dice.f64() < 0.5 else 1.0 - side) * VIEW_WIDTH, dice.uniform(0.1, 0.6) * VIEW_HEIGHT
        colors = palette.PLANETS[dice.randint_exclusive(0, len(palette.PLANETS))]
        _planet(canvas, place, dice.uniform(12.0, 38.0), colors)
    return canvas


def _gradient(canvas: Canvas, is_hazard: bool) -> None:
    top = palette.HAZARD_SKY_TOP if is_hazard else palette.SKY_TOP
    bottom = palette.HAZARD_SKY_BOTTOM if is_hazard else palette.SKY_BOTTOM
    height = VIEW_HEIGHT / _BANDS
    for band in range(_BANDS):
        color = blend(top, bottom, band / (_BANDS - 1))
        canvas.box((0.0, band * height), (VIEW_WIDTH, height), color)


def _planet(canvas: Canvas, center: Point, radius: float, colors: tuple[Color, Color]) -> None:
    light, dark = colors
    canvas.glow(center, radius * 1.35, light, 0.25)
    for ring in range(_PLANET_RINGS):
        share = ring / (_PLANET_RINGS - 1)
        # Smaller discs move towards the light, which comes from the upper left.
        shift = 0.28 * radius * share
        place = center[0] - shift, center[1] - shift
        canvas.disc(place, radius * (1.0 - 0.72 * share), blend(dark, light, share * 0.85))
