"""Switching the LCD on and off (section 17.5)."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine
from diorama.worlds.gameboy.kernel.parts.drawing import clear_picture
from diorama.worlds.gameboy.kernel.parts.stat import LCD_ON, evaluate_stat, stat_line
from diorama.worlds.gameboy.kernel.parts.timing import MODE3_START, next_event

CLOCK_AT_SWITCH_OFF: Final = 4


def write_lcdc(m: Machine, lane: int, now: int, value: int) -> None:
    """Write LCDC."""
    was_on = m.lcdc[lane] & LCD_ON
    m.lcdc[lane] = value
    is_on = value & LCD_ON
    if was_on == 0 and is_on != 0:
        switch_on(m, lane, now)
    elif was_on != 0 and is_on == 0:
        switch_off(m, lane, now)


def switch_on(m: Machine, lane: int, now: int) -> None:
    """Begin with dot 4 of a line that has no scan; the first frame stays blank."""
    m.line[lane] = 0
    m.line_start[lane] = now - 4
    m.dot[lane] = 4
    m.lcd_first[lane] = 1
    m.lcd_blank[lane] = 1
    m.win_trig[lane] = 0
    m.win_line[lane] = 0
    m.mode3_end[lane] = 0
    m.frame_ended[lane] = 1
    m.frame_base[lane] = 0x7FFFFFFF
    m.lyc_flag[lane] = 1 if m.lyc[lane] == 0 else 0
    next_event(m, lane, MODE3_START, 84)
    evaluate_stat(m, lane)


def switch_off(m: Machine, lane: int, now: int) -> None:
    """End the frame and empty the picture; no request comes of it."""
    m.line[lane] = 0
    m.dot[lane] = 0
    m.lcd_first[lane] = 0
    m.lcd_blank[lane] = 0
    m.mode3_end[lane] = 0
    m.stat_src[lane] = -1
    m.stat_irq_line[lane] = stat_line(m, lane)
    m.frame_ended[lane] = 1
    m.ppu_event[lane] = 0x7FFFFFFF
    m.frame_base[lane] = now - CLOCK_AT_SWITCH_OFF
    clear_picture(m, lane)
