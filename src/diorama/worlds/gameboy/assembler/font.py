"""The 96 glyphs of the printable ASCII characters (and a full block at 127), drawn for this project.

`font.txt` shows them in six rows of sixteen, from blank to block.
"""

from functools import cache
from importlib.resources import files
from typing import Final

FIRST_CHARACTER: Final = 32
GLYPHS: Final = 96
_DRAWN_ROWS: Final = 7
_PER_BLOCK: Final = 16
_LEFT_MARGIN_BITS: Final = 2  # a glyph is 5 pixels wide; the byte has one free to its left and two to its right


@cache
def font_bits() -> bytes:
    """One byte per row, eight rows per glyph, the highest bit at the left; the last row is blank."""
    text = files(__package__).joinpath("font.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.strip("\n").split("\n\n")]
    return b"".join(_glyph(block, column) for block in blocks for column in range(_PER_BLOCK))


def _glyph(block: list[str], column: int) -> bytes:
    rows = [line.split(" ")[column] for line in block]
    if len(rows) != _DRAWN_ROWS:
        raise ValueError(f"font.txt: a block has {len(rows)} rows; glyphs have {_DRAWN_ROWS}")
    return bytes([*(_row_bits(row) for row in rows), 0])


def _row_bits(row: str) -> int:
    return int(row.replace(".", "0").replace("#", "1"), 2) << _LEFT_MARGIN_BITS
