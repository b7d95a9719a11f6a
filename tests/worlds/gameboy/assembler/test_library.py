"""The common routines, run on the oracle; and the font."""

import numpy as np

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.font import FIRST_CHARACTER, GLYPHS, font_bits
from diorama.worlds.gameboy.assembler.library import FAILED, FAILED_CHECK, PASSED, RESULT, include
from diorama.worlds.gameboy.boot import BootMode
from tests.worlds.gameboy.on_oracle import needs_oracle, running


def test_the_font_has_96_glyphs_and_no_two_are_alike() -> None:
    glyphs = [font_bits()[start : start + 8] for start in range(0, len(font_bits()), 8)]

    assert len(glyphs) == GLYPHS == len(set(glyphs))
    assert not any(glyphs[0])
    assert glyphs[ord("L") - FIRST_CHARACTER] == bytes([0x40] * 6 + [0x7C, 0])


@needs_oracle
def test_memory_is_filled_and_copied() -> None:
    a = Asm("T")
    a("""
    start:
        ld hl,$C100
        ld bc,300
        ld a,$A7
        call memset
        ld hl,$C400
        ld de,text
        ld bc,5
        call memcpy
    spin: jr spin
    """)
    include(a, "memset", "memcpy")
    a.label("text")
    a.db(b"HELLO")

    with running(a.build(), frames=3) as oracle:
        assert oracle.read_memory(0xC0FF, 0xC22D) == b"\0" + b"\xa7" * 300 + b"\0"
        assert oracle.read_memory(0xC3FF, 0xC406) == b"\0HELLO\0"


@needs_oracle
def test_numbers_are_printed_with_the_font() -> None:
    a = Asm("T")
    a("""
    start:
        call lcd_off_safe
        call load_font
        ld hl,$9800
        ld a,$3C
        call print_hex
        ld a,$E4
        ldh ($47),a
        ld a,$91
        ldh ($40),a
    spin: jr spin
    """)
    include(a, "lcd_off_safe", "font", "print_hex")

    with running(a.build(), boot=BootMode.STUB_LCD, frames=8) as oracle:
        assert oracle.read_memory(0x9800, 0x9802) == b"3C"
        picture = oracle.shades()[:8, :16] // 3
    expected = np.unpackbits(np.frombuffer(font_bits(), np.uint8).reshape(GLYPHS, 8, 1), axis=2)
    glyphs = [expected[ord(letter) - FIRST_CHARACTER] for letter in "3C"]
    assert np.array_equal(picture, np.concatenate(glyphs, axis=1))


@needs_oracle
def test_waiting_for_vblank_takes_one_frame_each_time() -> None:
    a = Asm("T")
    a("""
    start:
        ld a,1
        ldh ($FF),a
        ei
    loop:
        call wait_vblank
        ld hl,$C000
        inc (hl)
        jr loop
    """)
    include(a, "wait_vblank")

    with running(a.build(), boot=BootMode.STUB_LCD, frames=10) as oracle:
        before = oracle.read_memory(0xC000, 0xC001)[0]
        for _ in range(50):
            oracle.tick()

        assert oracle.read_memory(0xC000, 0xC001)[0] - before == 50


@needs_oracle
def test_verdicts_are_written_and_sent() -> None:
    for code, result, text in (("jp pass", PASSED, b"PASS"), ("ld a,$3F\njp fail", FAILED, b"FAIL 3F")):
        a = Asm("T")
        a(f"start: {code}")
        include(a, "serial_puts", "verdict")

        with running(a.build(), frames=5) as oracle:
            assert oracle.read_memory(RESULT, RESULT + 1)[0] == result
            assert oracle.read_memory(FAILED_CHECK, FAILED_CHECK + 1)[0] == (0 if result == PASSED else 0x3F)
            assert oracle.serial == text
