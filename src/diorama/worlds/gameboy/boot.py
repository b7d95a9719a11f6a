"""How a console starts: two 256-byte stubs of our own, and the state a real one has after its boot code."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.canonical import POWER_ON

STUB_BYTES: Final = 256
UNMAP: Final = 0x00FC  # the last four bytes unmap the stub, so that execution falls through to $0100


class BootMode(StrEnum):
    """What runs before the program."""

    STUB_LCD = "stub_lcd"  # the stub leaves the screen on; games expect that
    STUB = "stub"  # the screen stays off, for programs that test the CPU
    POST = "post"  # no stub: the state of a DMG-ABC console at $0100


@cache
def boot_stub(mode: BootMode) -> bytes:
    """Assemble the stub of a mode.

    Raises:
        ValueError: For `post`, which runs no stub.
    """
    if mode is BootMode.POST:
        raise ValueError("boot mode 'post' starts at $0100 and has no stub; stubs are those of 'stub_lcd' and 'stub'")
    a = Asm("BOOT")
    a.org(0x0000)
    a("""
        ld sp,$FFFE
        ld a,$30
        ldh ($00),a      ; no key group selected
        ld a,$FC
        ldh ($47),a      ; background palette
        ld a,$FF
        ldh ($48),a      ; object palettes
        ldh ($49),a
    """)
    if mode is BootMode.STUB_LCD:
        a("""
        ld a,$91
        ldh ($40),a      ; screen and background on
        """)
    a("""
        ld bc,$01B0
        push bc
        pop af           ; the only way to set the flags; nothing below changes them
        ld bc,$0013
        ld de,$00D8
        ld hl,$014D
    """)
    a.ds(UNMAP - a.here)
    a("""
        ld a,1
        ldh ($50),a
    """)
    return a.build_raw(STUB_BYTES)


POST_BOOT: Final[Mapping[str, int]] = {
    **POWER_ON,
    "pc": 0x0100,
    "sp": 0xFFFE,
    "a": 0x01,
    "f": 0xB0,
    "c": 0x13,
    "e": 0xD8,
    "h": 0x01,
    "l": 0x4D,
    "div16": 0xABCC,
    "iflag": 1,
    "boot_mapped": 0,
    "lcdc": 0x91,
    "lyc_flag": 1,
    "bgp": 0xFC,
    "line": 153,
    "dot": 400,
    "stat_src": 1,
}
"""Scalar fields at `$0100` on a DMG-ABC console."""

POST_BOOT_AUDIO: Final = bytes.fromhex("80BFF3FFBFFF3F00FFBF7FFF9FFFBFFFFF0000BF77F3F1")
"""Stored audio registers `$FF10..$FF26` at the same moment."""
