"""Between the canonical state and the form in which a lane runs: times count from the start of the launch."""

from diorama.worlds.gameboy.kernel.dialect import HAS_RTC, Machine
from diorama.worlds.gameboy.kernel.parts.clock import sync_clock
from diorama.worlds.gameboy.kernel.parts.dma import DMA_START, finish_dma
from diorama.worlds.gameboy.kernel.parts.mapper import select_banks
from diorama.worlds.gameboy.kernel.parts.stat import LCD_ON, dot_at
from diorama.worlds.gameboy.kernel.parts.sync import sync_all
from diorama.worlds.gameboy.kernel.parts.timer import div_at
from diorama.worlds.gameboy.kernel.parts.timing import resume_ppu


def enter(m: Machine, lane: int) -> None:
    """Take over the canonical state at time 0."""
    m.now[lane] = 0
    m.div_base[lane] = -m.div16[lane]
    m.timer_synced[lane] = 0
    m.serial_synced[lane] = 0
    m.clock_synced[lane] = 0
    m.reloaded_at[lane] = -1
    m.dma_at[lane] = -4 * m.dma_t[lane]
    m.dma_next_at[lane] = -4 * m.dma_next_t[lane]
    m.dma_due[lane] = 0x7FFFFFFF
    if m.dma_next[lane] >= 0:
        m.dma_due[lane] = m.dma_next_at[lane] + DMA_START
    elif m.dma_t[lane] >= 0 and m.dma_at[lane] + DMA_START > 0:
        m.dma_due[lane] = m.dma_at[lane] + DMA_START
    m.frame_base[lane] = 0x7FFFFFFF
    if (m.lcdc[lane] & LCD_ON) == 0:
        m.frame_base[lane] = -m.frame_clock[lane]
    m.frame_ended[lane] = 0
    m.is_drawing[lane] = 0
    m.frame[lane] = 0
    m.skipped[lane] = 0
    m.halting[lane] = 0
    select_banks(m, lane)
    resume_ppu(m, lane)


def leave(m: Machine, lane: int) -> None:
    """Bring everything up to date and write the canonical state."""
    now = m.now[lane]
    sync_all(m, lane, now)
    finish_dma(m, lane, now)
    if HAS_RTC == 1:
        sync_clock(m, lane, now)
    div16 = div_at(m, lane, now)
    dot = dot_at(m, lane, now)
    m.div16[lane] = div16
    m.dot[lane] = dot
    if m.dma_t[lane] >= 0:
        m.dma_t[lane] = (now - m.dma_at[lane]) >> 2
    m.dma_next_t[lane] = 0
    if m.dma_next[lane] >= 0:
        m.dma_next_t[lane] = (now - m.dma_next_at[lane]) >> 2
    m.frame_clock[lane] = 0
    if (m.lcdc[lane] & LCD_ON) == 0:
        m.frame_clock[lane] = now - m.frame_base[lane]
