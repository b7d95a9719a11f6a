"""LOCKS and LCD_TOGGLE: when memory is closed, and where frames end while the screen goes off and on.

The screen is switched on in a slot at dot 4 of line 0; an access n M-cycles after that instruction is at dot 12 + 4n.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import judged_program, program, wait_cycles
from diorama.worlds.gameboy.roms.ppu.scenery import set_register
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_LINE_DOTS: Final = 456
_FIRST_DOT: Final = 12
_VRAM: Final = 0x8000
_OAM: Final = 0xFE00
_INSIDE: Final = 0x3C
_WRITTEN: Final = 0xC3

# line, dot, and whether the access gets through; mode 3 ends at dot 256 with nothing to slow it down
_READS_VRAM: Final = (
    (0, 80, 1),
    (0, 84, 0),
    (0, 252, 0),
    (0, 256, 1),
    (1, 76, 1),
    (1, 80, 0),
    (1, 252, 0),
    (1, 256, 1),
)
_WRITES_VRAM: Final = ((0, 80, 1), (0, 84, 0), (0, 256, 1), (1, 80, 1), (1, 84, 0), (1, 252, 0), (1, 256, 1))
_READS_OAM: Final = ((0, 80, 1), (0, 84, 0), (0, 256, 1), (0, 452, 1), (1, 0, 0), (1, 80, 0), (1, 252, 0), (1, 256, 1))
_WRITES_OAM: Final = (
    *((0, 80, 1), (0, 84, 0), (0, 256, 1), (0, 452, 1)),
    *((1, 0, 1), (1, 4, 0), (1, 76, 0), (1, 80, 1), (1, 84, 0), (1, 252, 0), (1, 256, 1)),
)


def _locks() -> bytes:
    a, checks = judged_program("LOCKS")
    a("jp tests\nscreen_off: xor a\nldh ($40),a\nret\ntests:")
    for address, reads, writes in ((_VRAM, _READS_VRAM, _WRITES_VRAM), (_OAM, _READS_OAM, _WRITES_OAM)):
        for line, dot, open_ in reads:
            _at_dot(a, address, line, dot, "ld a,(hl)")
            a("ld b,a\ncall screen_off\nld a,b")
            checks.expect(_INSIDE if open_ else 0xFF)
        for line, dot, open_ in writes:
            _at_dot(a, address, line, dot, "ld (hl),c")
            a("call screen_off\nld a,(hl)")
            checks.expect(_WRITTEN if open_ else _INSIDE)
    for line in (144, 150):
        _at_dot(a, _OAM, line, 100, "ld a,(hl)")
        a("ld b,a\ncall screen_off\nld a,b")
        checks.expect(_INSIDE)
    return checks.finish()


def _at_dot(a: Asm, address: int, line: int, dot: int, access: str) -> None:
    """Fill the byte while the screen is off, switch it on, and access the byte at a dot."""
    a(f"ld hl,{address}\nld (hl),{_INSIDE}\nld c,{_WRITTEN}\nld a,$80\nldh ($40),a")
    wait_cycles(a, (line * _LINE_DOTS + dot - _FIRST_DOT) // 4)
    a(access)


def _lcd_toggle() -> bytes:
    """Switch the screen on and off after ever-changing times, without looking at the line."""
    a = program("LCD_TOGGLE")
    a("start:")
    set_register(a, 0x47, 0xE4)
    a("""
        ld de,$0101
    toggle:
        ld a,$91
        ldh ($40),a
        call pause_d
        ld a,$11
        ldh ($40),a
        call pause_e
        ld hl,$C000
        inc (hl)
        ld a,d
        add a,23
        ld d,a
        ld a,e
        add a,41
        ld e,a
        jr toggle
    pause_d:             ; D times 256 turns, up to four frames
        ld b,d
        jr pause
    pause_e:
        ld b,e
    pause:
        inc b
        ld c,0
    .turn:
        dec c
        jr nz,.turn
        dec b
        jr nz,.turn
        ret
    """)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="LOCKS",
        profiles=(Profile.SELFCHECK,),
        purpose="the first and last dot at which video RAM and OAM are closed to reads and to writes",
        assemble=_locks,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="LCD_TOGGLE",
        profiles=(Profile.EXACT,),
        purpose="the screen goes on and off at ever-changing times; where frames end",
        assemble=_lcd_toggle,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC001),
    ),
)
