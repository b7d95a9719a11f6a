"""PPU_STAT_IRQ, LYC_ONOFF and VBLANK_COUNT: what the picture unit asks for, and how often."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, judged_program, program, wait_cycles
from diorama.worlds.gameboy.roms.ppu.scenery import set_register
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_HBLANK, _VBLANK, _OAM, _LYC = 0x08, 0x10, 0x20, 0x40
_COUNT: Final = 0xC010
_LCD_ON: Final = 0x91
_REQUESTS_PER_FRAME: Final = (
    # enabled sources, LYC, requests from one line 145 to the next
    (_HBLANK, 255, 144),
    (_VBLANK, 255, 1),
    (_OAM, 255, 145),  # line 144 counts too
    (_LYC, 0, 1),
    (_LYC, 5, 1),
    (_LYC, 144, 1),
    (_LYC, 153, 1),
    (_LYC, 154, 0),
    (_HBLANK | _OAM, 255, 145),  # HBlank holds the line up until the next line's OAM source is gone
    (_HBLANK | _VBLANK, 255, 145),
    (_HBLANK | _LYC, 20, 144),  # HBlank of line 20 comes while LYC still holds the line
    (_VBLANK | _LYC, 150, 1),
)


def _wait_for_line(a: Asm, line: int) -> None:
    name = f"line_{a.here:04x}"
    a(f"{name}: ldh a,($44)\ncp {line}\njr nz,{name}")


def _ppu_stat_irq() -> bytes:
    a, checks = judged_program("PPU_STAT_IRQ")
    a.vector(0x48, "count")
    set_register(a, 0x40, _LCD_ON)
    for sources, lyc, requests in _REQUESTS_PER_FRAME:
        set_register(a, 0x45, lyc)
        _wait_for_line(a, 145)
        set_register(a, 0x41, sources)
        a(f"ld hl,{_COUNT}\nld (hl),0")
        set_register(a, 0xFF, 2)
        a("xor a\nldh ($0F),a\nei")
        _wait_for_line(a, 10)
        _wait_for_line(a, 145)
        a("di\nld a,(hl)")
        checks.expect(requests)
        set_register(a, 0x41, 0)
    a("jp pass\ncount: inc (hl)\nreti")
    return checks.finish()


def _expect_flag(a: Asm, checks: Checks, flag: int) -> None:
    checks.expect_register(0x41, 0x04, flag << 2)


def _expect_request(a: Asm, checks: Checks, request: int) -> None:
    checks.expect_register(0x0F, 0x02, request << 1)


def _lyc_onoff() -> bytes:
    a, checks = judged_program("LYC_ONOFF")
    # The flag of line 66 outlives the screen, and LYC writes do not touch it while that is off.
    set_register(a, 0x45, 66)
    set_register(a, 0x40, _LCD_ON)
    _wait_for_line(a, 66)
    wait_cycles(a, 8)
    _expect_flag(a, checks, 1)
    set_register(a, 0x40, 0x11)
    _expect_flag(a, checks, 1)
    set_register(a, 0x45, 5)
    _expect_flag(a, checks, 1)
    set_register(a, 0x41, _LYC)
    a("xor a\nldh ($0F),a")
    # Switching on compares with line 0.
    set_register(a, 0x40, _LCD_ON)
    _expect_flag(a, checks, 0)
    _expect_request(a, checks, 0)
    set_register(a, 0x40, 0x11)
    set_register(a, 0x45, 0)
    _expect_flag(a, checks, 0)
    _expect_request(a, checks, 0)
    set_register(a, 0x40, _LCD_ON)
    _expect_flag(a, checks, 1)
    _expect_request(a, checks, 1)
    # Off and on again: the line stays up, so that nothing new is asked for.
    a("xor a\nldh ($0F),a")
    set_register(a, 0x40, 0x11)
    _expect_flag(a, checks, 1)
    _expect_request(a, checks, 0)
    set_register(a, 0x40, _LCD_ON)
    _expect_flag(a, checks, 1)
    _expect_request(a, checks, 0)
    # A write to LYC compares at once, and asks where it makes the line go up.
    set_register(a, 0x45, 77)
    _expect_flag(a, checks, 0)
    a("xor a\nldh ($0F),a")
    set_register(a, 0x45, 0)
    _expect_request(a, checks, 1)
    set_register(a, 0x40, 0x11)
    set_register(a, 0x41, 0)
    return checks.finish()


def _vblank_count() -> bytes:
    a = program("VBLANK_COUNT")
    a.vector(0x40, "count")
    a("start:")
    set_register(a, 0xFF, 1)
    set_register(a, 0x40, _LCD_ON)
    a(f"""
        xor a
        ldh ($0F),a
        ei
    sleep:
        halt
        nop
        ld a,({_COUNT})
        cp 60
        jr c,sleep
        ld a,$A1
        ld ($C000),a
        jr sleep
    count:
        ld hl,{_COUNT}
        inc (hl)
        reti
    """)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="PPU_STAT_IRQ",
        profiles=(Profile.SELFCHECK,),
        purpose="requests per frame of each STAT source and of pairs that block one another",
        assemble=_ppu_stat_irq,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="LYC_ONOFF",
        profiles=(Profile.SELFCHECK,),
        purpose="coincidence flag and request while the screen goes off and on",
        assemble=_lyc_onoff,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="VBLANK_COUNT",
        profiles=(Profile.SETTLED,),
        purpose="VBlanks counted by a handler; a mark after 60 of them",
        assemble=_vblank_count,
        boot=BootMode.STUB,
    ),
)
