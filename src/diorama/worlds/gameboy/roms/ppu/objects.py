"""PPU_SPRITES and SPRITE_LIMIT: how objects are drawn, and how many on a line."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.library import include
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import program
from diorama.worlds.gameboy.roms.ppu.scenery import add_scenery, set_register
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_Object = tuple[int, int, int, int]  # Y, X, tile, attributes
_BEHIND, _FLIP_Y, _FLIP_X, _OBP1 = 0x80, 0x40, 0x20, 0x10
_OAM_COPY: Final = 0xC100
_OBJECTS: Final = 40

_SPRITES: Final[tuple[_Object, ...]] = (
    *((30, 16 + 12 * turn, 3 + turn, turn << 4) for turn in range(16)),  # all attributes
    *((60, 40 + 3 * turn, 5 + turn, _BEHIND if turn & 1 else _OBP1) for turn in range(5)),  # overlap by X
    *((70, 80, 9 + turn, turn << 4) for turn in range(3)),  # same X: the first in OAM wins
    *((84, 100 - 3 * turn, 13 + turn, _FLIP_X) for turn in range(4)),  # OAM order against X order
    *((y, x, 20, _FLIP_Y) for y, x in ((9, 60), (152, 70), (159, 80), (100, 1), (100, 167), (100, 168), (0, 90))),
)


def _add_frames(a: Asm, lcdc: int, objects: tuple[_Object, ...]) -> None:
    """Show the objects, and move them by one pixel each frame through a copy in work RAM."""
    a("start:\ncall draw_scenery")
    set_register(a, 0x47, 0xE4)
    set_register(a, 0x48, 0xD2)
    set_register(a, 0x49, 0x1C)
    set_register(a, 0xFF, 1)
    a(f"ld de,objects\nld hl,{_OAM_COPY}\nld bc,{_OBJECTS * 4}\ncall memcpy\ncall copy_objects")
    set_register(a, 0x40, lcdc)
    a(f"""
        xor a
        ldh ($0F),a
        ei
    every_frame:
        call wait_vblank
        call copy_objects
        ld hl,$C000
        inc (hl)
        ld a,(hl)
        and 1
        jr nz,every_frame
        ld hl,{_OAM_COPY + 1}
        ld b,{_OBJECTS}
    move:
        inc (hl)
        ld a,l
        add a,4
        ld l,a
        dec b
        jr nz,move
        ld a,($C000)
        and $1F
        jr nz,every_frame
        ldh a,($40)
        xor 4            ; the other height every 32 frames
        ldh ($40),a
        jr every_frame
    copy_objects:
        ld a,hi({_OAM_COPY})
        ldh ($46),a
        ld a,50
    .wait:
        dec a
        jr nz,.wait
        ret
    """)
    include(a, "wait_vblank")
    a.label("objects")
    for entry in objects:
        a.db(*entry)
    a.ds(4 * (_OBJECTS - len(objects)))
    add_scenery(a)


def _ppu_sprites() -> bytes:
    a = program("PPU_SPRITES")
    _add_frames(a, 0x93, _SPRITES)
    return a.build()


def _sprite_limit() -> bytes:
    """Eleven objects on each of three lines; on the second and third some of the first ten are off the screen."""
    a = program("SPRITE_LIMIT")
    on_screen = tuple((40, 20 + 12 * turn, 1 + turn, 0) for turn in range(11))
    left_out = tuple((64, 0 if turn < 4 else 20 + 12 * turn, 1 + turn, 0) for turn in range(11))
    right_out = tuple((100, 200 if turn < 3 else 10 * turn, 12 + turn, _OBP1) for turn in range(11))
    _add_frames(a, 0x93, on_screen + left_out + right_out)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="PPU_SPRITES",
        profiles=(Profile.SETTLED,),
        purpose="flips, palettes, both heights, priority bit, order by X and by OAM, edges of the screen",
        assemble=_ppu_sprites,
        boot=BootMode.STUB,
        signature=range(0xFE00, 0xFEA0),
    ),
    MicroRom(
        name="SPRITE_LIMIT",
        profiles=(Profile.SETTLED,),
        purpose="eleven objects on a line; those beside the screen count",
        assemble=_sprite_limit,
        boot=BootMode.STUB,
        signature=range(0xFE00, 0xFEA0),
    ),
)
