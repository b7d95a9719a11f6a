"""Tiles and maps that the picture programs share, and the code that puts them into video RAM."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.library import include

TILES: Final = 32
MAP_BYTES: Final = 0x400


def tile_bytes() -> bytes:
    """Draw 32 tiles in which row, column and shade can be told apart: the first is blank, no two are alike."""
    data = bytearray(16)
    for tile in range(1, TILES):
        for row in range(8):
            low = (0x81 >> (row & 3)) ^ (tile * 9 & 0xFF)
            high = (tile * 37 + row * 11) & 0xFF if tile & 1 else (0xF0 >> (tile % 5)) & 0xFF
            data += bytes((low & 0xFF, high))
    return bytes(data)


def map_bytes(step: int) -> bytes:
    """Number 32 by 32 tiles so that neighbors differ; `step` makes another map."""
    return bytes((column * step + row * 5 + 1) % TILES for row in range(32) for column in range(32))


def add_scenery(a: Asm) -> None:
    """Place `draw_scenery`: tiles at `$8000` and `$9000`, one map at `$9800`, another at `$9C00`. The screen is off."""
    include(a, "memcpy")
    a(f"""
    draw_scenery:
        ld de,tiles
        ld hl,$8000
        ld bc,{TILES * 16}
        call memcpy
        ld de,tiles
        ld hl,$9000
        ld bc,{TILES * 16}
        call memcpy
        ld de,first_map
        ld hl,$9800
        ld bc,{MAP_BYTES}
        call memcpy
        ld de,second_map
        ld hl,$9C00
        ld bc,{MAP_BYTES}
        jp memcpy
    """)
    a.label("tiles")
    a.db(tile_bytes())
    a.label("first_map")
    a.db(map_bytes(3))
    a.label("second_map")
    a.db(map_bytes(7))


def set_register(a: Asm, register: int, value: int) -> None:
    """Emit code that writes a constant to a register; A is lost."""
    a(f"ld a,{value}\nldh ({register}),a")
