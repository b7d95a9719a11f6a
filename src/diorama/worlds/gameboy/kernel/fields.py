"""Rows of the table of scalars: the canonical 32-bit fields, then what a lane needs while it runs."""

from typing import Final

from diorama.worlds.gameboy.canonical import SCALAR_FIELDS, WIDE_FIELDS

CANONICAL_FIELDS: Final = tuple(name for name in SCALAR_FIELDS if name not in WIDE_FIELDS)
COUNTERS: Final = ("cycle_count", "instr_count", "frame_count")  # rows of the 64-bit table

WORKING_FIELDS: Final = (
    # Times in T-cycles since the launch began.
    *("now", "next_due", "div_base", "timer_synced", "serial_synced", "clock_synced", "reloaded_at"),
    *("dma_at", "dma_next_at", "dma_due", "line_start", "ppu_event", "ppu_synced", "frame_base"),
    # What the picture unit does next, and what it is for.
    *("ppu_stage", "frame_ended", "is_drawing"),
    # Frames of this launch that are over, and those that a stopped console has skipped.
    *("frame", "skipped"),
    # Whether an instruction comes next, by how much its fetch moves pc, and whether the last one was HALT, and where.
    *("running", "fetched", "halting", "instruction_at"),
    # What the mapper selects.
    *("rom_low", "rom_high", "ram_base"),
)

FIELD_ROWS: Final = {name: row for row, name in enumerate((*CANONICAL_FIELDS, *WORKING_FIELDS))}

HEADER_ADDRESSES: Final = ("wide", "cram", "serial", "picture")
"""Memory that is rarely touched; its addresses, 64 bits each, stand before the table of scalars."""
HEADER_NUMBERS: Final = (
    *("ram_start", "boot_start", "bank_mask", "ram_bytes"),
    *("cram_stride", "bank1_mask", "bank2_mask", "lanes", "picture_stride"),
)
FIRST_NUMBER: Final = 16  # place of the first of them, in units of 32 bits
HEADER: Final = 32  # numbers before the table
TILE: Final = 32  # lanes whose scalars lie side by side


def constant_name(field: str) -> str:
    """Name of a field's place in the generated module."""
    return f"FIELD_{field.upper()}"
