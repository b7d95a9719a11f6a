"""What the games share: addresses, tiles, keys, and where a tile lies in the map."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm

MAZE_INDEX: Final = 0xC0E0
SEED: Final = 0xC0E1
STATE: Final = 0xC0F0
X: Final = 0xC0F0
Y: Final = 0xC0F1
MOVES: Final = 0xC0F2
DONE: Final = 0xC0F3
KEYS_BEFORE: Final = 0xFF81

FLOOR, WALL, PLAYER, GOAL, PATTERN, KEY, DOOR = range(7)
SCREEN_ON: Final = 0x91
SECOND_MAP: Final = 0x08  # LCDC bit: show the map at $9C00

KEY_RIGHT, KEY_LEFT, KEY_UP, KEY_DOWN, KEY_A, KEY_B, KEY_SELECT, KEY_START = range(8)  # bits of B and C

_PICTURES: Final = (
    ("........", "........", "........", "........", "........", "........", "........", "........"),
    ("########", "#......#", "#.####.#", "#.####.#", "#.####.#", "#.####.#", "#......#", "########"),
    ("..####..", ".#....#.", "#.#..#.#", "#......#", "#.#..#.#", "#..##..#", ".#....#.", "..####.."),
    ("###.....", "#..###..", "#.....##", "#..###..", "###.....", "#.......", "#.......", "#......."),
    ("##..##..", "##..##..", "..##..##", "..##..##", "##..##..", "##..##..", "..##..##", "..##..##"),
    ("........", ".###....", "#...#...", "#...####", "#...#.##", ".###....", "........", "........"),
    (".######.", "#......#", "#......#", "#......#", "#.....##", "#......#", "#......#", "########"),
)


def tile_bytes() -> bytes:
    """Two bytes a row; drawn pixels have the darkest shade, walls a lighter one."""
    data = bytearray()
    for number, picture in enumerate(_PICTURES):
        for row in picture:
            bits = int(row.replace(".", "0").replace("#", "1"), 2)
            data += bytes((0 if number == WALL else bits, bits))
    return bytes(data)


def add_tiles(a: Asm) -> None:
    """Place `load_tiles`: the games' tiles from number 0 on. Needs `memcpy`; the screen must be off."""
    data = tile_bytes()
    a(f"""
    load_tiles:
        ld de,game_tiles
        ld hl,$8000
        ld bc,{len(data)}
        jp memcpy
    """)
    a.label("game_tiles")
    a.db(data)


def add_read_keys(a: Asm) -> None:
    """Place `read_keys`: B gets the keys that are down, C those that went down since the last call."""
    a(f"""
    read_keys:
        ld a,$20
        ldh ($00),a
        ldh a,($00)
        ldh a,($00)
        cpl
        and $0F
        ld b,a
        ld a,$10
        ldh ($00),a
        ldh a,($00)
        ldh a,($00)
        cpl
        and $0F
        swap a
        or b
        ld b,a
        ld a,$30
        ldh ($00),a
        ldh a,({KEYS_BEFORE})
        cpl
        and b
        ld c,a
        ld a,b
        ldh ({KEYS_BEFORE}),a
        ret
    """)


def add_map_address(a: Asm) -> None:
    """Place `map_address`: HL gets the place of tile D, E (x, y) in the first map. B, C, D and E stay."""
    a("""
    map_address:
        ld l,e
        ld h,0
        add hl,hl
        add hl,hl
        add hl,hl
        add hl,hl
        add hl,hl
        ld a,l
        add a,d
        ld l,a
        ld a,h
        adc a,$98
        ld h,a
        ret
    """)


def add_direction(a: Asm) -> None:
    """Place `direction`: move D, E by the D-pad keys in C; the zero flag is set where none was pressed."""
    a(f"""
    direction:
        bit {KEY_RIGHT},c
        jr z,.not_right
        inc d
        ret
    .not_right:
        bit {KEY_LEFT},c
        jr z,.not_left
        dec d
        jr .moved
    .not_left:
        bit {KEY_UP},c
        jr z,.not_up
        dec e
        jr .moved
    .not_up:
        bit {KEY_DOWN},c
        ret z
        inc e
        ret
    .moved:
        or 1             ; x or y may have become 0, and that is a move all the same
        ret
    """)


def screen_on(a: Asm) -> None:
    """Emit code that enables VBlank and switches the screen on, keys that are down now taken as seen."""
    a(f"""
        ld a,$FF
        ldh ({KEYS_BEFORE}),a
        ld a,$E4
        ldh ($47),a
        ld a,1
        ldh ($FF),a
        ld a,{SCREEN_ON}
        ldh ($40),a
        xor a
        ldh ($0F),a
        ei
    """)


def turn(a: Asm) -> None:
    """Place `turn`, which every frame of a game begins with: B starts it over, and after its end nothing moves."""
    a(f"""
    turn:
        call wait_vblank
        call read_keys
        bit {KEY_B},c
        jp nz,start
        ld a,({DONE})
        and a
        jr nz,turn
    """)


def turn_of_a_player(a: Asm) -> None:
    """Place `turn`; past it D and E are the tile that the player was sent to. Needs `direction`."""
    turn(a)
    a(f"""
        ld a,({X})
        ld d,a
        ld a,({Y})
        ld e,a
        call direction
        jr z,turn
    """)
