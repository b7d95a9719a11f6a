"""The registers $FF00-$FF7F and $FFFF (section 11)."""

from diorama.worlds.gameboy.kernel.dialect import Machine
from diorama.worlds.gameboy.kernel.parts.dma import write_dma
from diorama.worlds.gameboy.kernel.parts.joypad import key_lines, select_keys
from diorama.worlds.gameboy.kernel.parts.layout import AUDIO, first, mi
from diorama.worlds.gameboy.kernel.parts.mapper import select_banks
from diorama.worlds.gameboy.kernel.parts.power import write_lcdc
from diorama.worlds.gameboy.kernel.parts.serial_port import write_serial
from diorama.worlds.gameboy.kernel.parts.stat import evaluate_stat, mode_at, write_lyc
from diorama.worlds.gameboy.kernel.parts.sync import sync_all, sync_ppu, sync_timers
from diorama.worlds.gameboy.kernel.parts.timer import div_at, write_div, write_tac, write_tima, write_tma


def audio_ones(number: int) -> int:
    """Bits of an audio register that always read as ones."""
    ones = 0
    if number == 0x10:
        ones = 0x80
    elif number == 0x11 or number == 0x16:
        ones = 0x3F
    elif number == 0x1A:
        ones = 0x7F
    elif number == 0x1C:
        ones = 0x9F
    elif number == 0x14 or number == 0x19 or number == 0x1E or number == 0x23:
        ones = 0xBF
    elif (
        number == 0x13
        or number == 0x15
        or number == 0x18
        or number == 0x1B
        or number == 0x1D
        or number == 0x1F
        or number == 0x20
    ):
        ones = 0xFF
    elif number == 0x26:
        ones = 0x70
    return ones


def read_register(m: Machine, lane: int, now: int, number: int) -> int:
    """Read a register in a slot."""
    if number < 0x08:
        if number > 0:
            sync_timers(m, lane, now)
    elif number == 0x0F:
        sync_all(m, lane, now)
    elif number >= 0x40 and number < 0x4C:
        sync_ppu(m, lane, now)
    return register(m, lane, now, number)


def register(m: Machine, lane: int, now: int, number: int) -> int:
    """Read a register as it was last brought up to date."""
    value = 0xFF
    if number >= 0x40:
        value = picture_register(m, lane, now, number)
    elif number >= 0x10:
        if number < 0x27 or number >= 0x30:
            stored = m.mem[mi(first(m, lane), AUDIO + number - 0x10)]
            value = stored | audio_ones(number)
    elif number == 0x00:
        value = 0xC0 | m.joy_select[lane] | key_lines(m, lane)
    elif number == 0x01:
        value = m.sb[lane]
    elif number == 0x02:
        value = m.sc[lane] | 0x7E
    elif number == 0x04:
        value = div_at(m, lane, now) >> 8
    elif number == 0x05:
        value = m.tima[lane]
    elif number == 0x06:
        value = m.tma[lane]
    elif number == 0x07:
        value = m.tac[lane] | 0xF8
    elif number == 0x0F:
        value = m.iflag[lane] | 0xE0
    return value


def picture_register(m: Machine, lane: int, now: int, number: int) -> int:
    """Read $FF40 and above."""
    value = 0xFF
    if number == 0x40:
        value = m.lcdc[lane]
    elif number == 0x41:
        value = 0x80 | m.stat_en[lane] | m.lyc_flag[lane] << 2 | mode_at(m, lane, now)
    elif number == 0x42:
        value = m.scy[lane]
    elif number == 0x43:
        value = m.scx[lane]
    elif number == 0x44:
        value = m.line[lane]
    elif number == 0x45:
        value = m.lyc[lane]
    elif number == 0x46:
        value = m.dma_reg[lane]
    elif number == 0x47:
        value = m.bgp[lane]
    elif number == 0x48:
        value = m.obp0[lane]
    elif number == 0x49:
        value = m.obp1[lane]
    elif number == 0x4A:
        value = m.wy[lane]
    elif number == 0x4B:
        value = m.wx[lane]
    elif number == 0xFF:
        value = m.ie[lane]
    return value


def write_register(m: Machine, lane: int, now: int, number: int, value: int) -> int:
    """Write a register in a slot; tell whether the next boundary must look closely."""
    attention = 0
    if number == 0x00:
        attention = select_keys(m, lane, value)
    elif number < 0x08:
        write_timing(m, lane, now, number, value)
        attention = 1
    elif number == 0x0F:
        sync_all(m, lane, now)
        m.iflag[lane] = value & 0x1F
        attention = 1
    elif number >= 0x10 and number < 0x40:
        if number < 0x27 or number >= 0x30:
            m.mem[mi(first(m, lane), AUDIO + number - 0x10)] = value
    elif number >= 0x40 and number < 0x4C:
        sync_ppu(m, lane, now)
        write_picture(m, lane, now, number, value)
        attention = 1
    elif number == 0x50:
        if (value & 1) == 1:
            m.boot_mapped[lane] = 0
            select_banks(m, lane)
    elif number == 0xFF:
        m.ie[lane] = value
        attention = 1
    return attention


def write_timing(m: Machine, lane: int, now: int, number: int, value: int) -> None:
    """Serial port, divider and timer."""
    sync_timers(m, lane, now)
    if number == 0x01:
        m.sb[lane] = value
    elif number == 0x02:
        write_serial(m, lane, value)
    elif number == 0x04:
        write_div(m, lane, now)
    elif number == 0x05:
        write_tima(m, lane, now, value)
    elif number == 0x06:
        write_tma(m, lane, now, value)
    elif number == 0x07:
        write_tac(m, lane, now, value)


def write_picture(m: Machine, lane: int, now: int, number: int, value: int) -> None:
    """Picture unit and OAM DMA."""
    if number == 0x40:
        write_lcdc(m, lane, now, value)
    elif number == 0x41:
        m.stat_en[lane] = value & 0x78
        evaluate_stat(m, lane)
    elif number == 0x42:
        m.scy[lane] = value
    elif number == 0x43:
        m.scx[lane] = value
    elif number == 0x45:
        write_lyc(m, lane, now, value)
    elif number == 0x46:
        write_dma(m, lane, now, value)
    elif number == 0x47:
        m.bgp[lane] = value
    elif number == 0x48:
        m.obp0[lane] = value
    elif number == 0x49:
        m.obp1[lane] = value
    elif number == 0x4A:
        m.wy[lane] = value
    elif number == 0x4B:
        m.wx[lane] = value
