"""`Canvas`: Pillow primitives in the picture's own units, drawn large and reduced so that edges are smooth."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from diorama.contracts.work import checkpoint
from diorama.worlds.drawing import Color, font

PIXELS_PER_UNIT: Final = 2
_OVERSAMPLING: Final = 2
_SCALE: Final = PIXELS_PER_UNIT * _OVERSAMPLING

Point = tuple[float, float]


class Canvas:
    """A picture in the making; lengths are in units, alpha is 0 to 1."""

    def __init__(self, image: Image.Image) -> None:
        """Draw on an image made by `blank` or `copy`."""
        self._image = image
        self._pen = ImageDraw.Draw(image, "RGBA")

    @classmethod
    def blank(cls, width: float, height: float, color: Color) -> "Canvas":
        """Return a canvas of one color."""
        return cls(Image.new("RGB", (round(width * _SCALE), round(height * _SCALE)), color))

    def copy(self) -> "Canvas":
        """Return a canvas with the same picture on it."""
        return Canvas(self._image.copy())

    def finished(self) -> Image.Image:
        """Return the picture in its final size."""
        return self._image.reduce(_OVERSAMPLING)

    def disc(self, center: Point, radius: float, color: Color, alpha: float = 1.0) -> None:
        """Fill a circle."""
        self._pen.ellipse(_box(center, radius), fill=(*color, round(255 * alpha)))

    def ring(self, center: Point, radius: float, color: Color, width: float, alpha: float = 1.0) -> None:
        """Draw a circle."""
        self._pen.ellipse(_box(center, radius), outline=(*color, round(255 * alpha)), width=_length(width))

    def arc(self, center: Point, radius: float, start_deg: float, stop_deg: float, color: Color, width: float) -> None:
        """Draw a part of a circle, clockwise from the east."""
        self._pen.arc(_box(center, radius), start_deg, stop_deg, fill=color, width=_length(width))

    def glow(self, center: Point, radius: float, color: Color, alpha: float) -> None:
        """Fill a circle that fades towards its edge."""
        steps = 8
        for step in range(steps):
            self.disc(center, radius * (1.0 - step / steps), color, alpha / steps)

    def line(self, points: Sequence[Point], color: Color, width: float, alpha: float = 1.0) -> None:
        """Draw lines from point to point."""
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        self._pen.line(scaled, fill=(*color, round(255 * alpha)), width=_length(width), joint="curve")

    def polygon(self, points: Sequence[Point], color: Color, alpha: float = 1.0) -> None:
        """Fill a polygon."""
        self._pen.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill=(*color, round(255 * alpha)))

    def box(
        self, corner: Point, size: Point, color: Color, *, radius: float = 0.0, outline: Color | None = None
    ) -> None:
        """Fill a rectangle with rounded corners."""
        (left, top), (width, height) = corner, size
        place = (left * _SCALE, top * _SCALE, (left + width) * _SCALE, (top + height) * _SCALE)
        self._pen.rounded_rectangle(place, radius * _SCALE, fill=color, outline=outline, width=_length(0.6))

    def frame(self, corner: Point, size: Point, color: Color, width: float) -> None:
        """Draw the edge of a rectangle, inside of it."""
        (left, top), (wide, high) = corner, size
        place = (left * _SCALE, top * _SCALE, (left + wide) * _SCALE - 1, (top + high) * _SCALE - 1)
        self._pen.rectangle(place, outline=color, width=_length(width))

    def text(self, place: Point, words: str, color: Color, size: float = 6.0, anchor: str = "lm") -> None:
        """Write; `anchor` is Pillow's, such as `lm` for left middle."""
        self._pen.text(
            (place[0] * _SCALE, place[1] * _SCALE), words, fill=color, font=font(size * _SCALE), anchor=anchor
        )


def _length(width: float) -> int:
    return max(1, round(width * _SCALE))


def _box(center: Point, radius: float) -> tuple[float, float, float, float]:
    checkpoint()
    x, y = center
    return (x - radius) * _SCALE, (y - radius) * _SCALE, (x + radius) * _SCALE, (y + radius) * _SCALE
