"""BG_STATIC, BG_SCROLL_SIGNED, BG_SCROLL_ANIM and RASTER_SCX: the background."""

from typing import Final

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import program
from diorama.worlds.gameboy.roms.ppu.scenery import add_scenery, set_register
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_SCY, _SCX, _LYC, _BGP = 0x42, 0x43, 0x45, 0x47
_BAND_LINES: Final = 16
_BANDS: Final = 9


def _static(name: str, *, lcdc: int, scx: int, scy: int) -> bytes:
    """Draw the scenery once, and spin."""
    a = program(name)
    a("start:\ncall draw_scenery")
    set_register(a, _BGP, 0xE4)
    set_register(a, _SCX, scx)
    set_register(a, _SCY, scy)
    set_register(a, 0x40, lcdc)
    a("""
        ld hl,$C000
    spin:
        inc (hl)
        jr spin
    """)
    add_scenery(a)
    return a.build()


def _bg_static() -> bytes:
    return _static("BG_STATIC", lcdc=0x91, scx=0, scy=0)


def _bg_scroll_signed() -> bytes:
    """Tiles counted from $9000, the second map, and a window on it that wraps on both sides."""
    return _static("BG_SCROLL_SIGNED", lcdc=0x89, scx=0xC3, scy=0xEE)


def _bg_scroll_anim() -> bytes:
    a = program("BG_SCROLL_ANIM")
    a.vector(0x40, "every_frame")
    a("start:\ncall draw_scenery")
    set_register(a, _BGP, 0x1B)
    set_register(a, 0xFF, 1)
    set_register(a, 0x40, 0x91)
    a("""
        xor a
        ldh ($0F),a
        ei
    spin:
        jr spin
    every_frame:
        ld hl,$C000
        inc (hl)
        ld a,(hl+)
        ldh ($43),a
        and 3
        jr nz,no_row
        inc (hl)
    no_row:
        ld a,(hl)
        ldh ($42),a
        reti
    """)
    add_scenery(a)
    return a.build()


def _raster_scx() -> bytes:
    """Nine bands with their own SCX and BGP; the values move on by one band each frame."""
    a = program("RASTER_SCX")
    a.vector(0x40, "next_frame")
    a.vector(0x48, "next_band")
    a("start:\ncall draw_scenery")
    set_register(a, 0x41, 0x40)
    set_register(a, 0xFF, 3)
    a("ld de,$C000\ncall prepare")
    set_register(a, 0x40, 0x91)
    a(f"""
        xor a
        ldh ($0F),a
        ei
    sleep:
        halt
        nop
        jr sleep
    next_band:               ; SCX and BGP first: they must be there before the line is drawn
        ld a,b
        ldh ({_SCX}),a
        ld a,c
        ldh ({_BGP}),a
        ldh a,({_LYC})
        add a,{_BAND_LINES}
        cp {_BANDS * _BAND_LINES}
        jr c,.set
        ld a,255             ; no band begins in VBlank
    .set:
        ldh ({_LYC}),a
        ld a,b
        add a,13
        ld b,a
        rlc c
        rlc c
        reti
    next_frame:
        ld a,(de)
        inc a
        ld (de),a
        call prepare
        reti
    prepare:                 ; B and C for the first band, which begins at line {_BAND_LINES}
        ld a,(de)
        ld b,a
        ld c,$E4
        ld a,{_BAND_LINES}
        ldh ({_LYC}),a
        xor a
        ldh ({_SCX}),a
        ld a,$1B
        ldh ({_BGP}),a
        ret
    """)
    add_scenery(a)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="BG_STATIC",
        profiles=(Profile.EXACT,),
        purpose="tiles at $8000, first map, no scroll",
        assemble=_bg_static,
        boot=BootMode.STUB,
        signature=range(0x9800, 0x9C00),
    ),
    MicroRom(
        name="BG_SCROLL_SIGNED",
        profiles=(Profile.EXACT,),
        purpose="tiles counted from $9000, second map, SCX and SCY that wrap",
        assemble=_bg_scroll_signed,
        boot=BootMode.STUB,
        signature=range(0x9C00, 0xA000),
    ),
    MicroRom(
        name="BG_SCROLL_ANIM",
        profiles=(Profile.EXACT, Profile.SETTLED),
        purpose="SCX and SCY changed once per frame in VBlank",
        assemble=_bg_scroll_anim,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC002),
    ),
    MicroRom(
        name="RASTER_SCX",
        profiles=(Profile.SETTLED,),
        purpose="an LYC interrupt changes SCX and BGP in bands of 16 lines",
        assemble=_raster_scx,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC001),
    ),
)
