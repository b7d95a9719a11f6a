"""PPU_WINDOW and WIN_LINE_COUNT: the window's edges and its own line counter."""

from typing import Final

from diorama.worlds.gameboy.assembler.library import include
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import program
from diorama.worlds.gameboy.roms.ppu.scenery import add_scenery, set_register
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_LCDC_WINDOW: Final = 0xF1  # screen, window with the second map, tiles at $8000, background
_LCDC_NO_WINDOW: Final = 0xD1
_PLACES: Final = (
    *((wx, 20) for wx in range(8)),
    *((wx, 0) for wx in (7, 8, 87, 165, 166)),
    *((167, 0), (255, 0)),
    *((47, wy) for wy in (1, 142, 143, 144, 255)),
)


def _ppu_window() -> bytes:
    """Go through places of the window, one every second frame."""
    a = program("PPU_WINDOW")
    a("start:\ncall draw_scenery")
    set_register(a, 0x47, 0xE4)
    set_register(a, 0xFF, 1)
    set_register(a, 0x40, _LCDC_WINDOW)
    a(f"""
        xor a
        ldh ($0F),a
        ei
    first_place:
        ld hl,places
        ld d,{len(_PLACES)}
    next_place:
        ld a,(hl+)
        ldh ($4B),a
        ld a,(hl+)
        ldh ($4A),a
        ld a,d
        ld ($C000),a
        call wait_vblank
        call wait_vblank
        dec d
        jr nz,next_place
        jr first_place
    """)
    include(a, "wait_vblank")
    a.label("places")
    for wx, wy in _PLACES:
        a.db(wx, wy)
    add_scenery(a)
    return a.build()


def _win_line_count() -> bytes:
    """Hide the window from line 40 to 79 of every frame: it goes on below where it stopped."""
    a = program("WIN_LINE_COUNT")
    a.vector(0x48, "switch")
    a("start:\ncall draw_scenery")
    set_register(a, 0x47, 0xE4)
    set_register(a, 0x4A, 10)
    set_register(a, 0x4B, 30)
    set_register(a, 0x41, 0x40)
    set_register(a, 0x45, 40)
    set_register(a, 0xFF, 3)
    set_register(a, 0x40, _LCDC_WINDOW)
    a(f"""
        xor a
        ldh ($0F),a
        ei
    every_frame:
        call wait_vblank
        ld hl,$C000
        inc (hl)
        ld a,(hl)
        and $3F
        add a,7
        ldh ($4B),a
        jr every_frame
    switch:
        push af
        ldh a,($45)
        cp 40
        jr nz,show
        ld a,{_LCDC_NO_WINDOW}
        ldh ($40),a
        ld a,80
        ldh ($45),a
        pop af
        reti
    show:
        ld a,{_LCDC_WINDOW}
        ldh ($40),a
        ld a,40
        ldh ($45),a
        pop af
        reti
    """)
    include(a, "wait_vblank")
    add_scenery(a)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="PPU_WINDOW",
        profiles=(Profile.SETTLED,),
        purpose="the window at WX 0 to 7, 166 and beyond, and at WY up to and past the last line",
        assemble=_ppu_window,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC001),
    ),
    MicroRom(
        name="WIN_LINE_COUNT",
        profiles=(Profile.SETTLED,),
        purpose="a window hidden in the middle of a frame continues with its own line counter",
        assemble=_win_line_count,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC001),
    ),
)
