"""What the pictures of all worlds are drawn with."""

from functools import cache
from typing import TypeAlias

from PIL import ImageFont

Color: TypeAlias = tuple[int, int, int]


def blend(first: Color, second: Color, share: float) -> Color:
    """Return a color between two; `share` 0 is the first."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


@cache
def font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font of all words, so many pixels high."""
    return ImageFont.load_default(size)


def clamped(number: float, limit: float) -> float:
    """Return a place of a picture, or one so far outside that it makes no difference."""
    return min(max(number, -limit), limit)
