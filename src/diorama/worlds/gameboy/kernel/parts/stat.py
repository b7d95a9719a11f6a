"""The STAT register and the line that raises its request (sections 17.1 and 17.3)."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import STEPPED, Machine

STAT_REQUEST: Final = 2
LYC_SOURCE: Final = 0x40
VISIBLE_LINES: Final = 144
LCD_ON: Final = 0x80


def dot_at(m: Machine, lane: int, now: int) -> int:
    """Dot of the line at a time up to the next event; 0 while the LCD is off."""
    dot = 0
    if STEPPED == 1:
        dot = m.dot[lane]
    elif (m.lcdc[lane] & LCD_ON) != 0:
        dot = now - m.line_start[lane]
    return dot


def stat_line(m: Machine, lane: int) -> int:
    """Work out whether an enabled source is active."""
    source = m.stat_src[lane]
    enabled = m.stat_en[lane]
    high = 0
    if source >= 0 and ((enabled >> (3 + max(source, 0))) & 1) == 1:
        high = 1
    if m.lyc_flag[lane] == 1 and (enabled & LYC_SOURCE) != 0:
        high = 1
    return high


def evaluate_stat(m: Machine, lane: int) -> None:
    """Work the line out again; a rise is a request."""
    high = stat_line(m, lane)
    if high == 1 and m.stat_irq_line[lane] == 0:
        m.iflag[lane] = m.iflag[lane] | STAT_REQUEST
    m.stat_irq_line[lane] = high


def mode_at(m: Machine, lane: int, now: int) -> int:
    """Mode as STAT shows it."""
    mode = 0
    if (m.lcdc[lane] & LCD_ON) != 0:
        dot = dot_at(m, lane, now)
        line = m.line[lane]
        if line >= VISIBLE_LINES:
            if line > VISIBLE_LINES or dot > 0:
                mode = 1
        elif dot < 84:
            if dot > 0 and m.lcd_first[lane] == 0:
                mode = 2
        elif dot < m.mode3_end[lane]:
            mode = 3
    return mode


def write_lyc(m: Machine, lane: int, now: int, value: int) -> None:
    """Compare with the new value at once, except at dot 0 of lines after the first."""
    m.lyc[lane] = value
    if (m.lcdc[lane] & LCD_ON) != 0:
        m.lyc_flag[lane] = 0
        if value == m.line[lane] and (value == 0 or dot_at(m, lane, now) > 0):
            m.lyc_flag[lane] = 1
        evaluate_stat(m, lane)
