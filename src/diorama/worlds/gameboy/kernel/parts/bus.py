"""Everything behind the memory map (section 11) that is not plain memory."""

from diorama.worlds.gameboy.kernel.dialect import Machine, out_of_line
from diorama.worlds.gameboy.kernel.parts.access import is_locked, locks_oam_read, locks_oam_write
from diorama.worlds.gameboy.kernel.parts.dma import owns_oam, sync_dma
from diorama.worlds.gameboy.kernel.parts.layout import OAM, VRAM, WRAM, first, mi, place, plain
from diorama.worlds.gameboy.kernel.parts.mapper import read_cartridge, write_cartridge, write_mapper
from diorama.worlds.gameboy.kernel.parts.registers import read_register, register, write_register
from diorama.worlds.gameboy.kernel.parts.sync import sync_ppu


@out_of_line
def read_slow(m: Machine, lane: int, now: int, address: int) -> int:
    """Read what is neither ROM nor plain memory, in a slot."""
    value = 0xFF
    base = first(m, lane)
    if address >= 0xFF00:
        value = read_register(m, lane, now, address & 0xFF)
    elif address < 0xA000:
        sync_ppu(m, lane, now)
        if is_locked(m, lane, now, 80) == 0:
            value = m.mem[mi(base, VRAM + (address & 0x1FFF))]
    elif address < 0xC000:
        value = read_cartridge(m, lane, address)
    elif address < 0xFE00:
        value = m.mem[mi(base, WRAM + (address & 0x1FFF))]
    elif address < 0xFEA0:
        sync_ppu(m, lane, now)
        if owns_oam(m, lane, now) == 0 and locks_oam_read(m, lane, now) == 0:
            value = m.mem[mi(base, OAM + (address & 0xFF))]
    else:
        value = 0
    return value


@out_of_line
def write_slow(m: Machine, lane: int, now: int, address: int, value: int) -> int:
    """Write what is not plain memory, in a slot; tell whether the next boundary must look closely."""
    attention = 0
    base = first(m, lane)
    if address >= 0xFF00:
        attention = write_register(m, lane, now, address & 0xFF, value)
    elif address < 0x8000:
        write_mapper(m, lane, now, address, value)
    elif address < 0xA000:
        sync_ppu(m, lane, now)
        if is_locked(m, lane, now, 84) == 0:
            m.mem[mi(base, VRAM + (address & 0x1FFF))] = value
    elif address < 0xC000:
        write_cartridge(m, lane, now, address, value)
    elif address < 0xFE00:
        m.mem[mi(base, WRAM + (address & 0x1FFF))] = value
    elif address < 0xFEA0:
        sync_ppu(m, lane, now)
        if owns_oam(m, lane, now) == 0 and locks_oam_write(m, lane, now) == 0:
            m.mem[mi(base, OAM + (address & 0xFF))] = value
    return attention


def read8(m: Machine, lane: int, base: int, now: int, address: int, rom_low: int, rom_high: int) -> int:
    """Read a byte in a slot."""
    index = place(base, address, rom_low, rom_high)
    if index >= 0:
        return m.mem[index]
    return read_slow(m, lane, now, address)


def push_byte(m: Machine, lane: int, now: int, address: int, value: int) -> None:
    """Write a byte in a slot of an interrupt dispatch."""
    sync_dma(m, lane, now)
    index = plain(first(m, lane), address)
    if index >= 0:
        m.mem[index] = value
    else:
        write_slow(m, lane, now, address, value)


def peek(m: Machine, lane: int, now: int, address: int) -> int:
    """Read a byte as it lies in memory: banks apply, locks do not."""
    value = 0
    base = first(m, lane)
    index = place(base, address, m.rom_low[lane], m.rom_high[lane])
    if index >= 0:
        value = m.mem[index]
    elif address >= 0xFF00:
        value = register(m, lane, now, address & 0xFF)
    elif address < 0xA000:
        value = m.mem[mi(base, VRAM + (address & 0x1FFF))]
    elif address < 0xC000:
        value = read_cartridge(m, lane, address)
    elif address < 0xFE00:
        value = m.mem[mi(base, WRAM + (address & 0x1FFF))]
    elif address < 0xFEA0:
        value = m.mem[mi(base, OAM + (address & 0xFF))]
    return value
