"""Length of mode 3 (section 17.2)."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine
from diorama.worlds.gameboy.kernel.parts.layout import OAM, first, mi

OBJECTS_ON: Final = 0x02
TALL_OBJECTS: Final = 0x04
OBJECTS: Final = 40
LINE_OBJECTS: Final = 10
FIRST_FREE_X: Final = 168  # objects from here on are right of the picture and cost nothing


def mode3_end_dot(m: Machine, lane: int) -> int:
    """Dot at which mode 3 ends, from the registers and OAM as they are."""
    scroll = ((m.scx[lane] & 7) + 3) & ~3
    objects = 0
    if (m.lcdc[lane] & OBJECTS_ON) != 0:
        objects = object_cost(m, lane)
    return 256 + scroll + (objects & ~3)


def object_cost(m: Machine, lane: int) -> int:
    """Dots that the line's objects take: six each, and once for every distinct X."""
    base = first(m, lane)
    line = m.line[lane] + 16
    height = 16 if (m.lcdc[lane] & TALL_OBJECTS) != 0 else 8
    scx = m.scx[lane]
    taken = 0
    cost = 0
    i = 0
    while i < OBJECTS and taken < LINE_OBJECTS:
        row = line - m.mem[mi(base, OAM + 4 * i)]
        if row >= 0 and row < height:
            taken += 1
            x = m.mem[mi(base, OAM + 4 * i + 1)]
            if x < FIRST_FREE_X:
                cost += 6
                if has_twin(m, base, i, x, line, height) == 0:
                    cost += max(5 - ((x + scx) & 7), 0)
        i += 1
    return cost


def has_twin(m: Machine, base: int, before: int, x: int, line: int, height: int) -> int:
    """Tell whether an earlier object of the line has the same X."""
    twin = 0
    j = 0
    while j < before and twin == 0:
        if m.mem[mi(base, OAM + 4 * j + 1)] == x:
            row = line - m.mem[mi(base, OAM + 4 * j)]
            if row >= 0 and row < height:
                twin = 1
        j += 1
    return twin
