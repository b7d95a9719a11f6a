"""Pictures in a terminal: two pixels in each character cell, or shades of letters where there are no colors."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from rich.color import Color
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style

from diorama.cli.demo.scenes import Part
from diorama.contracts.values import U8

if TYPE_CHECKING:
    from PIL.Image import Image

_UPPER_HALF: Final = "\N{UPPER HALF BLOCK}"
_SHADES: Final = " .:-=+*#%@"
_COARSE: Final = (
    0xF8  # neighbors that differ by less are one run of a color: a frame is written in a third of the bytes
)
_SEEN_BRIGHTNESS: Final = (0.299, 0.587, 0.114)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalPicture:
    """A picture that fits the columns it is given and at most so many rows."""

    image: "Image"
    part: Part
    rows: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        has_colors = console.color_system is not None and not console.no_color
        pixels = self._fitted(options.max_width)
        lines = _colored(pixels) if has_colors else _shaded(pixels)
        for line in lines:
            yield from line
            yield Segment.line()

    def _fitted(self, columns: int) -> U8:
        """Return so many pixels as there are half cells, with an even number of rows."""
        from PIL import Image as Pillow

        left, top, right, bottom = self.part
        width, height = self.image.size
        box = (left * width, top * height, right * width, bottom * height)
        wide, tall = box[2] - box[0], box[3] - box[1]
        scale = min(columns / wide, 2 * self.rows / tall)
        size = max(1, round(wide * scale)), max(2, round(tall * scale / 2) * 2)
        fitted = self.image.convert("RGB").resize(size, Pillow.Resampling.BOX, box=box)
        return np.asarray(fitted)


def _colored(pixels: U8) -> Iterator[list[Segment]]:
    coarse = (pixels & _COARSE).tolist()
    for upper, lower in zip(coarse[::2], coarse[1::2], strict=True):
        segments: list[Segment] = []
        last, count = None, 0
        for above, below in zip(upper, lower, strict=True):
            pair = (*above, *below)
            if pair != last and last is not None:
                segments.append(Segment(_UPPER_HALF * count, _style(*last)))
                count = 0
            last, count = pair, count + 1
        if last is not None:
            segments.append(Segment(_UPPER_HALF * count, _style(*last)))
        yield segments


def _shaded(pixels: U8) -> Iterator[list[Segment]]:
    brightness = pixels @ np.array(_SEEN_BRIGHTNESS)
    cells = (brightness[::2] + brightness[1::2]) / 2
    # What most of the picture is made of is left blank, be it light or dark.
    apart = np.abs(cells - np.median(cells))
    places = (apart / max(float(apart.max()), 1.0) * (len(_SHADES) - 1)).round().astype(int)
    for row in places.tolist():
        yield [Segment("".join(_SHADES[place] for place in row).rstrip())]


@lru_cache(maxsize=4096)
def _style(*parts: int) -> Style:
    red, green, blue, red_below, green_below, blue_below = parts
    return Style(color=Color.from_rgb(red, green, blue), bgcolor=Color.from_rgb(red_below, green_below, blue_below))
