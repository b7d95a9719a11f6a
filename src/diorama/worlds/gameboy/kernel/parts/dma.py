"""OAM DMA (section 15): all bytes move at once when the transfer takes hold of OAM."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine, out_of_line
from diorama.worlds.gameboy.kernel.parts.layout import OAM, VRAM, WRAM, first, mi
from diorama.worlds.gameboy.kernel.parts.mapper import read_cartridge
from diorama.worlds.gameboy.kernel.parts.timing import sync_ppu_to

DMA_START: Final = 8  # from the write to the moment the transfer owns OAM
DMA_END: Final = 648  # from the write to the moment OAM is free again
OAM_BYTES: Final = 160


def write_dma(m: Machine, lane: int, now: int, page: int) -> None:
    """Start a transfer, or have one follow the one that runs."""
    finish_dma(m, lane, now)
    m.dma_reg[lane] = page
    if m.dma_t[lane] >= 0:
        m.dma_next[lane] = page
        m.dma_next_at[lane] = now
    else:
        m.dma_t[lane] = 0
        m.dma_at[lane] = now
    m.dma_due[lane] = now + DMA_START


def finish_dma(m: Machine, lane: int, now: int) -> None:
    """Forget a transfer that is over."""
    if m.dma_t[lane] >= 0 and now >= m.dma_at[lane] + DMA_END:
        m.dma_t[lane] = -1


def owns_oam(m: Machine, lane: int, now: int) -> int:
    """Tell whether a transfer keeps the processor out of OAM."""
    age = now - m.dma_at[lane]
    return 1 if m.dma_t[lane] >= 0 and age >= DMA_START and age < DMA_END else 0


def sync_dma(m: Machine, lane: int, now: int) -> None:
    """Move the bytes if it is time."""
    if now >= m.dma_due[lane]:
        copy_objects(m, lane)


@out_of_line
def copy_objects(m: Machine, lane: int) -> None:
    """Fill OAM; what the picture unit did before this moment saw it without the new bytes."""
    sync_ppu_to(m, lane, m.dma_due[lane] - 4)
    m.dma_due[lane] = 0x7FFFFFFF
    page = m.dma_reg[lane]
    if m.dma_next[lane] >= 0:
        page = m.dma_next[lane]
        m.dma_next[lane] = -1
        m.dma_t[lane] = 0
        m.dma_at[lane] = m.dma_next_at[lane]
    if page >= 0xE0:
        page = page - 0x20
    base = first(m, lane)
    for i in range(OAM_BYTES):
        address = page << 8 | i
        m.mem[mi(base, OAM + i)] = read_plain(m, lane, base, address)


def read_plain(m: Machine, lane: int, base: int, address: int) -> int:
    """Read below $E000 as it lies in memory."""
    value = 0xFF
    if address < 0x8000:
        value = m.mem[(m.rom_low[lane] if address < 0x4000 else m.rom_high[lane]) + address]
    elif address < 0xA000:
        value = m.mem[mi(base, VRAM + (address & 0x1FFF))]
    elif address < 0xC000:
        value = read_cartridge(m, lane, address)
    else:
        value = m.mem[mi(base, WRAM + (address & 0x1FFF))]
    return value
