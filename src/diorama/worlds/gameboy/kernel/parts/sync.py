"""Bringing the parts of a machine up to a time, in the order of section 7, and when the next one is due."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import STEPPED, Machine
from diorama.worlds.gameboy.kernel.parts.dma import sync_dma
from diorama.worlds.gameboy.kernel.parts.serial_port import SERIAL_REQUEST, serial_due, sync_serial
from diorama.worlds.gameboy.kernel.parts.stat import LCD_ON, LYC_SOURCE, STAT_REQUEST, VISIBLE_LINES
from diorama.worlds.gameboy.kernel.parts.timer import NEVER, SLOT, TIMER_REQUEST, sync_timer, timer_due
from diorama.worlds.gameboy.kernel.parts.timing import (
    COMPARE,
    FRAME_END,
    LINE,
    LINES,
    VBLANK_REQUEST,
    frame_dot,
    sync_ppu_to,
)

FRAME: Final = 70224
REQUESTS: Final = 0x1F
LINE_SOURCES: Final = 0x28
VBLANK_SOURCE: Final = 0x10


def sync_timers(m: Machine, lane: int, now: int) -> None:
    """Bring timer and serial port to now."""
    sync_timer(m, lane, now)
    if STEPPED == 0:
        sync_serial(m, lane, now)


def sync_ppu(m: Machine, lane: int, now: int) -> None:
    """Bring DMA and then the picture unit to now."""
    sync_dma(m, lane, now)
    sync_ppu_to(m, lane, now)


def sync_all(m: Machine, lane: int, now: int) -> None:
    """Bring everything to now."""
    sync_timers(m, lane, now)
    sync_ppu(m, lane, now)


def requested(m: Machine, lane: int) -> int:
    """Requests that are set and enabled."""
    return m.ie[lane] & m.iflag[lane] & REQUESTS


def sample(m: Machine, lane: int, now: int) -> int:
    """Requests as a boundary samples them: the picture unit one M-cycle behind the others."""
    sync_dma(m, lane, now)
    sync_timers(m, lane, now)
    sync_ppu_to(m, lane, now - SLOT)
    return requested(m, lane)


def next_due(m: Machine, lane: int) -> int:
    """Earliest time at which an enabled request may rise, DMA moves or a frame ends; never later than it does."""
    due = 0
    if STEPPED == 0:
        ie = m.ie[lane]
        due = min(m.dma_due[lane], ppu_due(m, lane, ie))
        if (ie & TIMER_REQUEST) != 0:
            due = min(due, timer_due(m, lane))
        if (ie & SERIAL_REQUEST) != 0:
            due = min(due, serial_due(m, lane))
    return due


def ppu_due(m: Machine, lane: int, ie: int) -> int:
    """Earliest time at which the picture unit may raise an enabled request, or a frame ends."""
    due = 0
    enabled = m.stat_en[lane]
    if (m.lcdc[lane] & LCD_ON) == 0:
        due = m.frame_base[lane] + FRAME
    elif (ie & STAT_REQUEST) != 0 and (enabled & LINE_SOURCES) != 0:
        due = m.ppu_event[lane]
    else:
        line = m.line[lane]
        start = m.line_start[lane]
        stage = m.ppu_stage[lane]
        lines = LINES - line
        if line == 0 and stage >= COMPARE and stage <= FRAME_END:
            lines = 0
        due = start + lines * LINE + frame_dot(m, lane)
        if (ie & VBLANK_REQUEST) != 0 or ((ie & STAT_REQUEST) != 0 and (enabled & VBLANK_SOURCE) != 0):
            due = min(due, compare_due(line, start, stage, VISIBLE_LINES))
        if (ie & STAT_REQUEST) != 0 and (enabled & LYC_SOURCE) != 0:
            lyc = m.lyc[lane]
            if lyc == 0:
                due = min(due, start + (LINES - line) * LINE)
            elif lyc < LINES:
                due = min(due, compare_due(line, start, stage, lyc))
    return due


def compare_due(line: int, start: int, stage: int, target: int) -> int:
    """Dot 4 of a line still to come in this frame."""
    due = NEVER
    if target > line or (target == line and stage == COMPARE):
        due = start + (target - line) * LINE + 4
    return due
