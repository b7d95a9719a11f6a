"""Routines that programs share. Each function places one of them at the current address, under its own name.

Registers that a routine does not name as its result are lost. Results of self-checks go to `RESULT`.
"""

from collections.abc import Callable
from typing import Final

from diorama.worlds.gameboy.assembler.font import FIRST_CHARACTER, font_bits
from diorama.worlds.gameboy.assembler.program import Asm

RESULT: Final = 0xC000  # PASSED, FAILED, or still 0
FAILED_CHECK: Final = 0xC001  # number of the check that failed
LAST_VALUE: Final = 0xC002  # what the last check looked at
PASSED: Final = 0xA1
FAILED: Final = 0xEE
VBLANK_FLAG: Final = 0xFF80
FONT_TILES: Final = 0x8000 + FIRST_CHARACTER * 16  # the tile number of a character is its ASCII code


def add_wait_vblank(a: Asm) -> None:
    """`wait_vblank`: sleep until the next VBlank. The screen must be on and the VBlank interrupt enabled."""
    a.vector(0x40, "vblank_handler")
    a(f"""
    wait_vblank:
        xor a
        ldh ({VBLANK_FLAG}),a
    .sleep:
        halt
        nop
        ldh a,({VBLANK_FLAG})
        and a
        jr z,.sleep
        ret
    vblank_handler:
        push af
        ld a,1
        ldh ({VBLANK_FLAG}),a
        pop af
        reti
    """)


def add_lcd_off_safe(a: Asm) -> None:
    """`lcd_off_safe`: switch the screen off in VBlank; nothing happens where it is off."""
    a("""
    lcd_off_safe:
        ldh a,($40)
        rlca
        ret nc
    .wait:
        ldh a,($44)
        cp 144
        jr nz,.wait
        ldh a,($40)
        and $7F
        ldh ($40),a
        ret
    """)


def add_memset(a: Asm) -> None:
    """`memset`: write A to BC bytes from HL on; BC is not 0."""
    a("""
    memset:
        ld d,a
    .byte:
        ld a,d
        ld (hl+),a
        dec bc
        ld a,b
        or c
        jr nz,.byte
        ret
    """)


def add_memcpy(a: Asm) -> None:
    """`memcpy`: copy BC bytes from DE to HL; BC is not 0."""
    a("""
    memcpy:
        ld a,(de)
        ld (hl+),a
        inc de
        dec bc
        ld a,b
        or c
        jr nz,memcpy
        ret
    """)


def add_print_hex(a: Asm) -> None:
    """`print_hex`: write A as two digits into the tile map at HL; HL is 2 more afterwards."""
    a("""
    print_hex:
        ld b,a
        swap a
        call .digit
        ld a,b
    .digit:
        and $0F
        add a,$30
        cp $3A
        jr c,.write
        add a,7
    .write:
        ld (hl+),a
        ret
    """)


def add_font(a: Asm) -> None:
    """`load_font`: put the 96 glyphs where tile numbers are ASCII codes. The screen must be off."""
    bits = font_bits()
    a(f"""
    load_font:
        ld de,font_bits
        ld hl,{FONT_TILES}
        ld bc,{len(bits)}
    .row:
        ld a,(de)
        inc de
        ld (hl+),a
        ld (hl+),a
        dec bc
        ld a,b
        or c
        jr nz,.row
        ret
    """)
    a.label("font_bits")
    a.db(bits)


def add_serial_puts(a: Asm) -> None:
    """`serial_puts`: send the zero-terminated string at HL; HL is behind it afterwards.

    It waits 5120 T-cycles for each byte, more than a transfer takes, and does not look at the port: so it takes the
    same time on emulators whose transfers have another length.
    """
    a("""
    serial_puts:
        ld a,(hl+)
        and a
        ret z
        call serial_putc
        jr serial_puts
    serial_putc:
        ldh ($01),a
        ld a,$81
        ldh ($02),a
        xor a
    .wait:
        nop
        dec a
        jr nz,.wait
        ret
    """)


def add_verdict(a: Asm) -> None:
    """`pass` and `fail`: note the result, say it on the serial port, and spin. `fail` takes the check's number in A."""
    a(f"""
    pass:
        di
        ld a,{PASSED}
        ld ({RESULT}),a
        ld hl,pass_text
        call serial_puts
    passed:
        jr passed
    fail:
        di
        ld ({FAILED_CHECK}),a
        ld a,{FAILED}
        ld ({RESULT}),a
        ld hl,fail_text
        call serial_puts
        ld a,({FAILED_CHECK})
        swap a
        call .digit
        ld a,({FAILED_CHECK})
        call .digit
    .spin:
        jr .spin
    .digit:
        and $0F
        add a,$30
        cp $3A
        jr c,serial_putc
        add a,7
        jr serial_putc
    """)
    a.label("pass_text")
    a.db(b"PASS\0")
    a.label("fail_text")
    a.db(b"FAIL \0")


ROUTINES: Final[dict[str, Callable[[Asm], None]]] = {
    "wait_vblank": add_wait_vblank,
    "lcd_off_safe": add_lcd_off_safe,
    "memset": add_memset,
    "memcpy": add_memcpy,
    "print_hex": add_print_hex,
    "font": add_font,
    "serial_puts": add_serial_puts,
    "verdict": add_verdict,
}


def include(a: Asm, *routines: str) -> None:
    """Place routines by name, in the order given. `verdict` needs `serial_puts`."""
    for name in routines:
        ROUTINES[name](a)
