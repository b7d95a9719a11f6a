"""Pictures in a terminal: two pixels in each character cell, only what has changed."""

from typing import IO, Final

from diorama.contracts.values import U8
from diorama.worlds.gameboy.lanes import Lanes

COLUMNS: Final = 160
ROWS: Final = 144
_GRAYS: Final = (255, 248, 240, 232)  # of the 256 terminal colors, from white to black
_UPPER_HALF: Final = "\N{UPPER HALF BLOCK}"
_RESET: Final = "\x1b[0m"


class PictureWriter:
    """Writes the lines of a picture that differ from the one before, and a line of help below."""

    def __init__(self, file: IO[str], *, scale: int = 1, status: str = "") -> None:
        """Write to a terminal; with scale 2 every second pixel is shown."""
        self._file = file
        self._scale = scale
        self._lines: list[str] = []
        self._status = status

    def show(self, lanes: Lanes) -> None:
        """Write the picture of the first lane."""
        self.write(lanes.read_frame(0))

    def write(self, shades: U8) -> None:
        """Write a picture."""
        lines = half_block_lines(shades[:: self._scale, :: self._scale])
        is_first = not self._lines
        old = self._lines or [""] * len(lines)
        changed = "".join(
            f"\x1b[{row};1H{line}"
            for row, (line, before) in enumerate(zip(lines, old, strict=True), start=1)
            if line != before
        )
        if is_first:
            changed += f"\x1b[{len(lines) + 1};1H{self._status}"
        self._lines = lines
        if changed:
            self._file.write(changed)
            self._file.flush()


def half_block_lines(shades: U8) -> list[str]:
    """Turn shades into lines of half blocks: the upper pixel colors the letter, the lower one the ground."""
    return [_line(upper.tolist(), lower.tolist()) for upper, lower in zip(shades[::2], shades[1::2], strict=True)]


def _line(upper: list[int], lower: list[int]) -> str:
    parts, last = [], (-1, -1)
    for pair in zip(upper, lower, strict=True):
        if pair != last:
            parts.append(f"\x1b[38;5;{_GRAYS[pair[0]]};48;5;{_GRAYS[pair[1]]}m")
            last = pair
        parts.append(_UPPER_HALF)
    return "".join(parts) + _RESET
