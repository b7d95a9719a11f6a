"""`Chart`: Pillow primitives in meters of the map, drawn large and reduced so that edges are smooth."""

from collections.abc import Sequence
from math import degrees
from typing import Final

from PIL import Image, ImageDraw

from diorama.contracts.work import checkpoint
from diorama.numerics import sincos
from diorama.worlds.drawing import Color, clamped, font

SIDE_PX: Final = 512
_OVERSAMPLING: Final = 2
_FULL_PX: Final = SIDE_PX * _OVERSAMPLING
_FAR_PX: Final = 8 * _FULL_PX  # farther outside nothing is drawn

Point = tuple[float, float]


class Chart:
    """A map in the making: east is right, north is up; sizes in pixels are those of the finished picture."""

    def __init__(self, bounds: tuple[float, float, float, float], sea: Image.Image) -> None:
        """Begin with the sea; the map is fitted into the square."""
        min_x, min_y, max_x, max_y = bounds
        self._scale = _FULL_PX / max(max_x - min_x, max_y - min_y)
        self._middle = ((min_x + max_x) / 2.0, (min_y + max_y) / 2.0)
        self._image = Image.new("RGB", (_FULL_PX, _FULL_PX))
        left, top = self._at(min_x, max_y)
        right, bottom = self._at(max_x, min_y)
        size = (max(1, round(right - left)), max(1, round(bottom - top)))
        self._image.paste(sea.resize(size, Image.Resampling.BILINEAR), (round(left), round(top)))
        self._pen = ImageDraw.Draw(self._image, "RGBA")

    def finished(self) -> Image.Image:
        """Return the picture in its final size."""
        return self._image.reduce(_OVERSAMPLING)

    def length_px(self, meters: float) -> float:
        """Pixels of the finished picture that a length takes."""
        return meters * self._scale / _OVERSAMPLING

    def disc(self, center: Point, radius_px: float, color: Color, alpha: float = 1.0) -> None:
        """Fill a circle."""
        self._pen.ellipse(self._box(center, radius_px), fill=(*color, round(255 * alpha)))

    def ring(self, center: Point, radius_px: float, color: Color, width: float = 1.0, alpha: float = 1.0) -> None:
        """Draw a circle."""
        self._pen.ellipse(self._box(center, radius_px), outline=(*color, round(255 * alpha)), width=_width(width))

    def dashes(self, center: Point, radius_px: float, color: Color, pieces: int, share: float) -> None:
        """Draw a broken circle: so many pieces, each this share of its part."""
        step = 360.0 / pieces
        box = self._box(center, radius_px)
        for piece in range(pieces):
            self._pen.arc(box, piece * step, piece * step + step * share, fill=(*color, 255), width=_width(1.4))

    def wedge(
        self, center: Point, radius_px: float, from_rad: float, to_rad: float, color: Color, alpha: float
    ) -> None:
        """Fill a sector between two headings."""
        box = self._box(center, radius_px)
        self._pen.pieslice(box, -degrees(to_rad), -degrees(from_rad), fill=(*color, round(255 * alpha)))

    def line(self, points: Sequence[Point], color: Color, width: float = 1.0, alpha: float = 1.0) -> None:
        """Draw lines from point to point."""
        self._pen.line([self._at(*point) for point in points], fill=(*color, round(255 * alpha)), width=_width(width))

    def polygon(self, points: Sequence[Point], color: Color, alpha: float = 1.0) -> None:
        """Fill a polygon."""
        self._pen.polygon([self._at(*point) for point in points], fill=(*color, round(255 * alpha)))

    def arrow(self, center: Point, heading_rad: float, length_px: float, color: Color) -> None:
        """Fill a hull that points somewhere."""
        sine, cosine = sincos(heading_rad)
        x, y = self._at(*center)
        shape = ((1.0, 0.0), (0.2, 0.42), (-0.9, 0.36), (-0.9, -0.36), (0.2, -0.42))
        size = length_px * _OVERSAMPLING
        # Rows of a picture count downward, so north is negative.
        points = [(x + size * (f * cosine - s * sine), y - size * (f * sine + s * cosine)) for f, s in shape]
        self._pen.polygon(points, fill=(*color, 255))

    def band(self, top: float, height: float, color: Color, alpha: float) -> None:
        """Darken a strip across the picture."""
        box = (0, top * _OVERSAMPLING, _FULL_PX, (top + height) * _OVERSAMPLING)
        self._pen.rectangle(box, fill=(*color, round(255 * alpha)))

    def text(self, place_px: Point, words: str, color: Color, size: float = 11.0, anchor: str = "lm") -> None:
        """Write at a place of the finished picture; `anchor` is Pillow's."""
        place = (place_px[0] * _OVERSAMPLING, place_px[1] * _OVERSAMPLING)
        self._pen.text(place, words, fill=color, font=font(size * _OVERSAMPLING), anchor=anchor)

    def _at(self, x: float, y: float) -> Point:
        checkpoint()
        half = _FULL_PX / 2.0
        across, down = half + (x - self._middle[0]) * self._scale, half - (y - self._middle[1]) * self._scale
        return clamped(across, _FAR_PX), clamped(down, _FAR_PX)

    def _box(self, center: Point, radius_px: float) -> tuple[float, float, float, float]:
        x, y = self._at(*center)
        radius = min(radius_px * _OVERSAMPLING, _FAR_PX)
        return x - radius, y - radius, x + radius, y + radius


def _width(width: float) -> int:
    return max(1, round(width * _OVERSAMPLING))
