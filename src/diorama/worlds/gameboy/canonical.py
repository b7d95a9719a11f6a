"""The canonical state of one console: exactly these fields define it, in this order.

Savestates, state hashes and the comparison of tiers all follow the tables below.
"""

from collections.abc import Mapping
from typing import Final

ABI_VERSION: Final = 1  # 1: the first layout. A change to any table here needs a new number and a line about it.

CPU_FIELDS: Final = (
    *("pc", "sp", "a", "f", "b", "c", "d", "e", "h", "l"),
    *("ime", "ei_delay", "halted", "halt_bug", "dispatch_pending"),
)
TRAP_FIELDS: Final = ("trap_kind", "trap_pc", "trap_opcode")
INTERRUPT_FIELDS: Final = ("ie", "iflag")
TIMER_FIELDS: Final = ("div16", "tima", "tma", "tac", "tima_state")
SERIAL_FIELDS: Final = ("sb", "sc", "ser_bits", "serial_len", "serial_overflow")  # the bytes sent follow the memory
JOYPAD_FIELDS: Final = ("joy_select", "dpad", "buttons")
PPU_REGISTER_FIELDS: Final = (
    *("lcdc", "stat_en", "lyc_flag"),
    *("scy", "scx", "lyc", "bgp", "obp0", "obp1", "wy", "wx"),
)
PPU_STATE_FIELDS: Final = (
    *("line", "dot", "lcd_first", "lcd_blank", "stat_irq_line", "stat_src"),
    *("mode3_end", "win_trig", "win_line"),
)
DMA_FIELDS: Final = ("dma_reg", "dma_t", "dma_next", "dma_next_t")
CARTRIDGE_FIELDS: Final = (
    *("boot_mapped", "ram_enable", "bank1", "bank2", "bank_mode", "rtc_select", "rtc_latch_armed"),
    *("rtc_s", "rtc_m", "rtc_h", "rtc_dl", "rtc_dh"),
    *("rtcl_s", "rtcl_m", "rtcl_h", "rtcl_dl", "rtcl_dh"),
    "rtc_sub",
)
COUNTER_FIELDS: Final = ("cycle_count", "instr_count", "frame_count", "frame_clock")
WIDE_FIELDS: Final = frozenset(("cycle_count", "instr_count", "frame_count"))  # 64 bits; all others have 32

SCALAR_FIELDS: Final[tuple[str, ...]] = (
    *CPU_FIELDS,
    *TRAP_FIELDS,
    *INTERRUPT_FIELDS,
    *TIMER_FIELDS,
    *SERIAL_FIELDS,
    *JOYPAD_FIELDS,
    *PPU_REGISTER_FIELDS,
    *PPU_STATE_FIELDS,
    *DMA_FIELDS,
    *CARTRIDGE_FIELDS,
    *COUNTER_FIELDS,
)

RAM_STRIDE: Final = 0x4200
VRAM_OFFSET: Final = 0x0000
WRAM_OFFSET: Final = 0x2000
OAM_OFFSET: Final = 0x4000
HRAM_OFFSET: Final = 0x4100
AUDIO_OFFSET: Final = 0x4180
SERIAL_BUFFER_BYTES: Final = 1024

POWER_ON: Final[Mapping[str, int]] = {
    **dict.fromkeys(SCALAR_FIELDS, 0),
    "stat_src": -1,
    "dma_reg": 0xFF,
    "dma_t": -1,
    "dma_next": -1,
    "boot_mapped": 1,
    "bank1": 1,
}
"""What every field holds before the first boundary; all memory is zero then."""


def dtype_of(field: str) -> str:
    """Type of a scalar field: `int64` for counters that outgrow 32 bits, else `int32`."""
    return "int64" if field in WIDE_FIELDS else "int32"
