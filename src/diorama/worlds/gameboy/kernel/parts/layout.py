"""Where a lane's bytes lie; the only part that knows the memory layout."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import FLAT, TILED, Machine

RAM_STRIDE: Final = 0x4200
VRAM: Final = 0x0000
WRAM: Final = 0x2000
OAM: Final = 0x4000
HRAM: Final = 0x4100
AUDIO: Final = 0x4180


def first(m: Machine, lane: int) -> int:
    """Index in `mem` of a lane's first byte."""
    index = m.ram_start + lane * RAM_STRIDE
    if FLAT == 1:
        index = lane * 0x10000
    if TILED == 1:
        index = m.ram_start + (lane >> 5) * (RAM_STRIDE * 32) + (lane & 31)
    return index


def mi(base: int, offset: int) -> int:
    """Index in `mem` of a byte of the lane that begins at `base`."""
    index = base + offset
    if TILED == 1:
        index = base + offset * 32
    return index


def plain(base: int, address: int) -> int:
    """Index in `mem` of a byte of work RAM or high RAM; -1 for everything else."""
    if FLAT == 1:
        return base + address
    if (address & 0xE000) == 0xC000:
        return mi(base, WRAM + (address & 0x1FFF))
    if address >= 0xFF80 and address < 0xFFFF:
        return mi(base, HRAM + (address & 0x7F))
    return -1


def place(base: int, address: int, rom_low: int, rom_high: int) -> int:
    """Index in `mem` of a byte of ROM, work RAM or high RAM; -1 for everything that needs a closer look."""
    if FLAT == 0 and address < 0x8000:
        return (rom_low if address < 0x4000 else rom_high) + address
    return plain(base, address)
