"""When the processor is kept out of VRAM and OAM (section 17.4)."""

from diorama.worlds.gameboy.kernel.dialect import Machine
from diorama.worlds.gameboy.kernel.parts.stat import LCD_ON, VISIBLE_LINES, dot_at


def is_locked(m: Machine, lane: int, now: int, since: int) -> int:
    """Tell whether the dot lies between `since` and the end of mode 3 of a shown line."""
    locked = 0
    if (m.lcdc[lane] & LCD_ON) != 0 and m.line[lane] < VISIBLE_LINES:
        dot = dot_at(m, lane, now)
        start = 84 if m.lcd_first[lane] == 1 else since
        if dot >= start and (dot < 84 or dot < m.mode3_end[lane]):
            locked = 1
    return locked


def locks_oam_read(m: Machine, lane: int, now: int) -> int:
    """From the start of the line, on the first one from dot 4."""
    return is_locked(m, lane, now, 4 if m.line[lane] == 0 else 0)


def locks_oam_write(m: Machine, lane: int, now: int) -> int:
    """As for reads but from dot 4, with dot 80 left open."""
    locked = is_locked(m, lane, now, 4)
    if dot_at(m, lane, now) == 80:
        locked = 0
    return locked
