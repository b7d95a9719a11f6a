"""Bank switching (section 16)."""

from diorama.worlds.gameboy.kernel.dialect import HAS_RTC, MBC1, MBC3, MBC5, MBC_KIND, ROM_ONLY, Machine
from diorama.worlds.gameboy.kernel.parts.clock import read_clock, write_clock, write_latch


def select_banks(m: Machine, lane: int) -> None:
    """Work out what the bank registers select: what to add to an address below $4000, and to one from there on."""
    low = 0
    high = 1
    ram = 0
    if MBC_KIND == MBC1:
        high = m.bank2[lane] << 5 | m.bank1[lane]
        if m.bank_mode[lane] == 1:
            ram = m.bank2[lane]
            low = ram << 5
    elif MBC_KIND != ROM_ONLY:
        high = m.bank1[lane]
        ram = m.bank2[lane]
    m.rom_low[lane] = (low & m.bank_mask) * 0x4000
    if m.boot_mapped[lane] == 1:
        # The stub lies over copies of the low banks: bank 0, and with MBC1 every 32nd one.
        m.rom_low[lane] = m.boot_start + ((low & m.bank_mask) >> 5) * 0x4000
    m.rom_high[lane] = (high & m.bank_mask) * 0x4000 - 0x4000
    m.ram_base[lane] = ram * 0x2000


def write_mapper(m: Machine, lane: int, now: int, address: int, value: int) -> None:
    """Take a write below $8000."""
    if MBC_KIND == MBC1:
        write_mbc1(m, lane, address, value)
    elif MBC_KIND == MBC3:
        write_mbc3(m, lane, now, address, value)
    elif MBC_KIND == MBC5:
        write_mbc5(m, lane, address, value)
    select_banks(m, lane)


def write_mbc1(m: Machine, lane: int, address: int, value: int) -> None:
    """Bank registers of MBC1."""
    area = address >> 13
    if area == 0:
        m.ram_enable[lane] = 1 if (value & 15) == 10 else 0
    elif area == 1:
        m.bank1[lane] = max(value & 0x1F, 1)
    elif area == 2:
        m.bank2[lane] = value & 3
    else:
        m.bank_mode[lane] = value & 1


def write_mbc3(m: Machine, lane: int, now: int, address: int, value: int) -> None:
    """Bank registers of MBC3, and the latch of its clock."""
    area = address >> 13
    choice = value & 15
    if area == 0:
        m.ram_enable[lane] = 1 if choice == 10 else 0
    elif area == 1:
        m.bank1[lane] = max(value & m.bank1_mask, 1)
    elif area == 2:
        if choice < 8:
            m.bank2[lane] = choice
            m.rtc_select[lane] = 0
        elif choice < 13:
            m.rtc_select[lane] = choice
    elif HAS_RTC == 1:
        write_latch(m, lane, now, value)


def write_mbc5(m: Machine, lane: int, address: int, value: int) -> None:
    """Bank registers of MBC5."""
    area = address >> 12
    if area < 2:
        m.ram_enable[lane] = 1 if value == 10 else 0
    elif area == 2:
        m.bank1[lane] = (m.bank1[lane] & 0x100) | value
    elif area == 3:
        m.bank1[lane] = (m.bank1[lane] & 0xFF) | (value & 1) << 8
    elif area < 6:
        m.bank2[lane] = value & m.bank2_mask


def ram_place(m: Machine, lane: int, address: int) -> int:
    """Index in `cram` of an address of $A000-$BFFF, or -1 where there is nothing to be seen."""
    index = -1
    if m.ram_bytes > 0:
        index = lane * m.cram_stride + ((m.ram_base[lane] + (address & 0x1FFF)) & (m.ram_bytes - 1))
    if MBC_KIND != ROM_ONLY and m.ram_enable[lane] == 0:
        index = -1
    return index


def read_cartridge(m: Machine, lane: int, address: int) -> int:
    """Read $A000-$BFFF."""
    value = 0xFF
    if MBC_KIND == MBC3:
        if m.rtc_select[lane] >= 8:
            if HAS_RTC == 1 and m.ram_enable[lane] == 1:
                value = read_clock(m, lane, m.rtc_select[lane] - 8)
        else:
            index = ram_place(m, lane, address)
            if index >= 0:
                value = m.cram[index]
    else:
        spot = ram_place(m, lane, address)
        if spot >= 0:
            value = m.cram[spot]
    return value


def write_cartridge(m: Machine, lane: int, now: int, address: int, value: int) -> None:
    """Write $A000-$BFFF."""
    if MBC_KIND == MBC3:
        if m.rtc_select[lane] >= 8:
            if HAS_RTC == 1 and m.ram_enable[lane] == 1:
                write_clock(m, lane, now, m.rtc_select[lane] - 8, value)
        else:
            index = ram_place(m, lane, address)
            if index >= 0:
                m.cram[index] = value
    else:
        spot = ram_place(m, lane, address)
        if spot >= 0:
            m.cram[spot] = value
