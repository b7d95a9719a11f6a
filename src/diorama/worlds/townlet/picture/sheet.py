"""`Sheet`: Pillow primitives in tiles of the town, drawn large and reduced so that edges are smooth."""

from typing import Final

from PIL import Image, ImageChops, ImageDraw

from diorama.contracts.work import checkpoint
from diorama.worlds.drawing import Color, clamped, font
from diorama.worlds.townlet.frames import MapPart
from diorama.worlds.townlet.picture.palette import GRASS

SIZE_PX: Final = (640, 400)
_OVERSAMPLING: Final = 2
_MARGIN_TILES: Final = 1.5
_FAR_PX: Final = 8 * max(SIZE_PX)  # farther outside nothing is drawn

Box = tuple[float, float, float, float]


class Sheet:
    """A town in the making; places and lengths are in tiles, rows count southward."""

    def __init__(self, town_map: MapPart) -> None:
        """Begin with a meadow; everything that is built is fitted into the picture."""
        rects = [zone.rect for zone in town_map.zones] or [(0, 0, town_map.size[0] - 1, town_map.size[1] - 1)]
        west, north = min(rect[0] for rect in rects), min(rect[1] for rect in rects)
        east, south = max(rect[2] for rect in rects) + 1, max(rect[3] for rect in rects) + 1
        wide, tall = SIZE_PX[0] * _OVERSAMPLING, SIZE_PX[1] * _OVERSAMPLING
        self._scale = min(wide / (east - west + 2 * _MARGIN_TILES), tall / (south - north + 2 * _MARGIN_TILES))
        self._left = wide / 2 - self._scale * (west + east) / 2
        self._top = tall / 2 - self._scale * (north + south) / 2
        self._image = Image.new("RGB", (wide, tall), GRASS)
        self._pen = ImageDraw.Draw(self._image, "RGBA")

    def finished(self) -> Image.Image:
        """Return the picture in its final size."""
        return self._image.reduce(_OVERSAMPLING)

    def dim(self, light: Color) -> None:
        """Let everything drawn so far be seen in this light."""
        self._image = ImageChops.multiply(self._image, Image.new("RGB", self._image.size, light))
        self._pen = ImageDraw.Draw(self._image, "RGBA")

    def box(self, box: Box, color: Color, alpha: float = 1.0, round_by: float = 0.0) -> None:
        """Fill a rectangle, given by its edges."""
        x0, y0, x1, y1 = box
        corners = (*self._at(x0, y0), *self._at(x1, y1))
        self._pen.rounded_rectangle(corners, round_by * self._scale, fill=(*color, round(255 * alpha)))

    def oval(self, x: float, y: float, half_width: float, half_height: float, color: Color, alpha: float = 1.0) -> None:
        """Fill an ellipse around a place."""
        corners = (*self._at(x - half_width, y - half_height), *self._at(x + half_width, y + half_height))
        self._pen.ellipse(corners, fill=(*color, round(255 * alpha)))

    def name(self, x: float, y: float, words: str, color: Color) -> None:
        """Write under a place, with an outline that keeps it readable."""
        place = self._at(x, y)
        letters = font(10.0 * _OVERSAMPLING)
        self._pen.text(place, words, fill=color, font=letters, anchor="ma", stroke_width=3, stroke_fill=(27, 33, 48))

    def plate(self, left_px: float, top_px: float, words: str, color: Color, back: Color) -> None:
        """Write on a plate at a place of the finished picture."""
        letters = font(12.0 * _OVERSAMPLING)
        left, top = left_px * _OVERSAMPLING, top_px * _OVERSAMPLING
        width, height = self._pen.textlength(words, font=letters) + 40, 44
        self._pen.rounded_rectangle((left, top, left + width, top + height), 22, fill=(*back, 220))
        self._pen.text((left + 20, top + height / 2), words, fill=color, font=letters, anchor="lm")

    def _at(self, x: float, y: float) -> tuple[float, float]:
        checkpoint()
        across, down = self._left + x * self._scale, self._top + y * self._scale
        return clamped(across, _FAR_PX), clamped(down, _FAR_PX)
