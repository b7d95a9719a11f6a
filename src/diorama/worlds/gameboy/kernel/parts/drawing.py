"""A line of shades (section 18), from registers and memory as they are now, straight into the picture."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import (
    NO_PICTURE,
    OBS_FORMAT,
    SHADE_FULL,
    SHADE_HALF,
    Machine,
    out_of_line,
)
from diorama.worlds.gameboy.kernel.parts.layout import OAM, first, mi
from diorama.worlds.gameboy.kernel.parts.mode3 import LINE_OBJECTS, OBJECTS, OBJECTS_ON, TALL_OBJECTS

BACKGROUND_ON: Final = 0x01
SECOND_BACKGROUND: Final = 0x08
FIRST_TILES: Final = 0x10
SECOND_WINDOW: Final = 0x40
NOWHERE: Final = 256  # left edge of a window that is not drawn
FULL_BYTES: Final = 23040
HALF_BYTES: Final = 5760
PACKED_BYTES: Final = 1440


@out_of_line
def clear_picture(m: Machine, lane: int) -> None:
    """Make the picture all 0."""
    if OBS_FORMAT != NO_PICTURE:
        size = m.picture_stride
        i = lane * size
        end = i + size
        while i < end:
            m.picture[i] = 0
            i += 1


def needs_line(line: int) -> int:
    """Tell whether the picture shows a line."""
    needed = 0
    if OBS_FORMAT == SHADE_FULL:
        needed = 1
    elif OBS_FORMAT != NO_PICTURE:
        needed = 1 - (line & 1)
    return needed


def shows_window(m: Machine, lane: int) -> int:
    """Tell whether the window is drawn on this line."""
    return 1 if m.win_trig[lane] == 1 and may_show_window(m, lane) == 1 else 0


def may_show_window(m: Machine, lane: int) -> int:
    """Tell whether the window is drawn once it is triggered."""
    return 1 if (m.lcdc[lane] & 0x21) == 0x21 and m.wx[lane] <= 166 else 0


def tile_row(m: Machine, base: int, lcdc: int, tile: int, row: int) -> int:
    """Low and high bits of a background tile's row, as one number."""
    start = 16 * tile
    if (lcdc & FIRST_TILES) == 0:
        start = 0x1000 + 16 * ((tile ^ 0x80) - 0x80)
    at = start + 2 * row
    return m.mem[mi(base, at)] | m.mem[mi(base, at + 1)] << 8


def pixel(row: int, column: int) -> int:
    """Color index of a tile row's pixel, 0 being the leftmost."""
    bit = 7 - column
    return ((row >> bit) & 1) | ((row >> (bit + 8)) & 1) << 1


@out_of_line
def draw_line(m: Machine, lane: int) -> None:
    """Draw the current line: every second pixel only, where the picture needs no more."""
    base = first(m, lane)
    lcdc = m.lcdc[lane]
    line = m.line[lane]
    bgp = m.bgp[lane]
    scx = m.scx[lane]
    y = (line + m.scy[lane]) & 255
    background = (0x1C00 if (lcdc & SECOND_BACKGROUND) != 0 else 0x1800) + 32 * (y >> 3)
    left = NOWHERE
    window_y = 0
    if shows_window(m, lane) == 1:
        left = m.wx[lane] - 7
        window_y = m.win_line[lane]
    window = (0x1C00 if (lcdc & SECOND_WINDOW) != 0 else 0x1800) + 32 * (window_y >> 3)
    low = 0
    high = 0
    if (lcdc & OBJECTS_ON) != 0:
        low, high = objects_of_line(m, base, line, lcdc)
    cached = -1
    row = 0
    packed = 0
    x = 0
    while x < 160:
        index = 0
        if (lcdc & BACKGROUND_ON) != 0:
            column = (x + scx) & 255
            source = background + (column >> 3)
            fine = y & 7
            if x >= left:
                column = x - left
                source = window + (column >> 3)
                fine = window_y & 7
            if source != cached:
                cached = source
                row = tile_row(m, base, lcdc, m.mem[mi(base, source)], fine)
            index = pixel(row, column & 7)
        shade = (bgp >> (2 * index)) & 3
        if low != 0 or high != 0:
            shade = object_shade(m, lane, base, lcdc, line, x, index, shade, low, high)
        if OBS_FORMAT == SHADE_FULL:
            m.picture[lane * FULL_BYTES + line * 160 + x] = shade
            x += 1
        elif OBS_FORMAT == SHADE_HALF:
            m.picture[lane * HALF_BYTES + (line >> 1) * 80 + (x >> 1)] = shade
            x += 2
        else:
            packed = packed | shade << (x & 6)
            if (x & 6) == 6:
                m.picture[lane * PACKED_BYTES + (line >> 1) * 20 + (x >> 3)] = packed
                packed = 0
            x += 2


def objects_of_line(m: Machine, base: int, line: int, lcdc: int) -> tuple[int, int]:
    """Mark the first ten objects that cover the line, whatever their X: the lower and the upper twenty of OAM."""
    height = 16 if (lcdc & TALL_OBJECTS) != 0 else 8
    low = 0
    high = 0
    taken = 0
    i = 0
    while i < OBJECTS and taken < LINE_OBJECTS:
        below = line + 16 - m.mem[mi(base, OAM + 4 * i)]
        if below >= 0 and below < height:
            taken += 1
            if i < 20:
                low = low | 1 << i
            else:
                high = high | 1 << (i - 20)
        i += 1
    return low, high


def object_shade(
    m: Machine, lane: int, base: int, lcdc: int, line: int, x: int, behind: int, shade: int, low: int, high: int
) -> int:
    """Shade of a pixel with objects: of those with a color there the one with the smallest X wins, then the earlier."""
    height = 16 if (lcdc & TALL_OBJECTS) != 0 else 8
    rest = int(low)
    after = int(high)
    best = 256
    result = int(shade)
    i = OAM
    while rest != 0 or after != 0:
        if (rest & 1) == 1:
            left = m.mem[mi(base, i + 1)]
            column = x + 8 - left
            if column >= 0 and column < 8 and left < best:
                below = line + 16 - m.mem[mi(base, i)]
                tile = m.mem[mi(base, i + 2)]
                attributes = m.mem[mi(base, i + 3)]
                if height == 16:
                    tile = tile & 0xFE
                if (attributes & 0x40) != 0:
                    below = height - 1 - below
                if (attributes & 0x20) != 0:
                    column = 7 - column
                at = 16 * tile + 2 * below
                row = m.mem[mi(base, at)] | m.mem[mi(base, at + 1)] << 8
                index = pixel(row, column)
                if index != 0:
                    best = left
                    result = shade
                    if (attributes & 0x80) == 0 or behind == 0:
                        palette = m.obp1[lane] if (attributes & 0x10) != 0 else m.obp0[lane]
                        result = (palette >> (2 * index)) & 3
        rest = rest >> 1 | (after & 1) << 19
        after = after >> 1
        i += 4
    return result
