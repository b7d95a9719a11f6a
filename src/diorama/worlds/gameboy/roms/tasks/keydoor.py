"""KEYDOOR: fetch the key from the far room and come back to the door.

`$C0F0` x, `$C0F1` y, `$C0F2` room (0 or 1), `$C0F3` 1 at the open door, `$C0F4` 1 with the key.
The board of each room lies in a bank of its own. A direction moves one tile each time it is pressed; B starts again.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.library import include
from diorama.worlds.gameboy.roms.kit import program
from diorama.worlds.gameboy.roms.tasks import game
from diorama.worlds.gameboy.roms.tasks.paths import MOVES, shortest_actions
from diorama.worlds.gameboy.roms.tasks.task import NOOP, Solution, TaskRom
from diorama.worlds.gameboy.schedule import PressSchedule

ROOM: Final = 0xC0F2
HAS_KEY: Final = 0xC0F4
_START: Final = (0, 2, 3)  # room, x, y
_LAST_COLUMN: Final = 19
_BOARD: Final = 0x4000
_TILES: Final = {".": game.FLOOR, "#": game.WALL, "K": game.KEY, "D": game.DOOR}
_ROOMS: Final = (
    (
        "####################",
        "#..........#########",
        "#..........#########",
        "#..........#########",
        "#....##....#########",
        "D....##....#########",
        "#....##....#########",
        "#..........#########",
        "#..........#########",
        "#...................",
        "#..........#########",
        "#..........#########",
        "#....####..#########",
        "#..........#########",
        "#..........#########",
        "#..........#########",
        "#..........#########",
        "####################",
    ),
    (
        "####################",
        "########...........#",
        "########...........#",
        "########..######...#",
        "########.......#...#",
        "########...K...#...#",
        "########.......#...#",
        "########..######...#",
        "########...........#",
        "...................#",
        "########...........#",
        "########...........#",
        "########...####....#",
        "########...........#",
        "########...........#",
        "########...........#",
        "########...........#",
        "####################",
    ),
)
_Place = tuple[int, int, int, bool]  # room, x, y, has the key


def _assemble() -> bytes:
    a = program("KEYDOOR", cart_type=0x01, rom_banks=4)
    _restart(a)
    _play(a)
    _board(a)
    include(a, "wait_vblank", "lcd_off_safe", "memcpy")
    game.add_tiles(a)
    game.add_read_keys(a)
    game.add_map_address(a)
    game.add_direction(a)
    for number, room in enumerate(_ROOMS):
        a.org(_BOARD, bank=number + 1)
        for row in room:
            a.db(bytes(_TILES[tile] for tile in row))
    return a.build()


def _restart(a: Asm) -> None:
    room, x, y = _START
    a(f"""
    start:
        di
        call lcd_off_safe
        call load_tiles
        ld a,1
        ld hl,$9800
        call draw_room
        ld a,2
        ld hl,$9C00
        call draw_room
        ld a,{x}
        ld ({game.X}),a
        ld a,{y}
        ld ({game.Y}),a
        ld a,{room}
        ld ({ROOM}),a
        xor a
        ld ({game.DONE}),a
        ld ({HAS_KEY}),a
        ld b,{game.PLAYER}
        call put_at_player
    """)
    game.screen_on(a)


def _play(a: Asm) -> None:
    game.turn_of_a_player(a)
    a(f"""
        ld a,d
        cp {_LAST_COLUMN + 1}
        jr z,to_far_room
        cp $FF
        jr z,to_first_room
        call board_tile
        cp {game.WALL}
        jr z,turn
        cp {game.DOOR}
        jr z,at_door
        cp {game.KEY}
        jr nz,step
        ld a,1
        ld ({HAS_KEY}),a
    step:
        push de
        ld b,{game.FLOOR}
        call put_at_player
        pop de
        ld a,d
        ld ({game.X}),a
        ld a,e
        ld ({game.Y}),a
        ld b,{game.PLAYER}
        call put_at_player
        jr turn
    at_door:
        ld a,({HAS_KEY})
        and a
        jr z,turn
        ld ({game.DONE}),a
        jr step
    to_far_room:
        ld d,0
        ld c,1
        jr change_room
    to_first_room:
        ld d,{_LAST_COLUMN}
        ld c,0
    change_room:
        push de
        ld b,{game.FLOOR}
        call put_at_player
        pop de
        ld a,c
        ld ({ROOM}),a
        ld a,d
        ld ({game.X}),a
        ld b,{game.PLAYER}
        call put_at_player
        ld a,({ROOM})
        swap a
        rrca                 ; room 1 is bit 3, the second map
        or {game.SCREEN_ON}
        ldh ($40),a
        jp turn
    """)


def _board(a: Asm) -> None:
    a(f"""
    draw_room:               ; board of bank A into the map at HL
        ld ($2000),a
        ld de,{_BOARD}
        ld b,{len(_ROOMS[0])}
    .row:
        ld c,{_LAST_COLUMN + 1}
    .tile:
        ld a,(de)
        inc de
        ld (hl+),a
        dec c
        jr nz,.tile
        push de
        ld de,{32 - _LAST_COLUMN - 1}
        add hl,de
        pop de
        dec b
        jr nz,.row
        ret
    board_tile:              ; A: tile D, E of the current room; a key that was taken is floor
        ld a,({ROOM})
        inc a
        ld ($2000),a
        ld hl,{_BOARD}
        ld a,e
        and a
        jr z,.row_found
        ld bc,{_LAST_COLUMN + 1}
    .row:
        add hl,bc
        dec a
        jr nz,.row
    .row_found:
        ld c,d
        ld b,0
        add hl,bc
        ld a,(hl)
        ret
    put_at_player:           ; tile B where the player is
        ld a,({game.X})
        ld d,a
        ld a,({game.Y})
        ld e,a
        call map_address
        ld a,({ROOM})
        add a,a
        add a,a
        or h                 ; the second map is $0400 further
        ld h,a
        ld (hl),b
        ret
    """)


def _solve() -> Solution:
    moves = shortest_actions((*_START, False), _neighbors, lambda place: place[3] and _tile(*place[:3]) == "D")
    goal = {game.DONE: 1, HAS_KEY: 1, ROOM: 0}
    return Solution(schedule=PressSchedule(), actions=(NOOP, *moves), goal=goal)


def _neighbors(place: _Place) -> list[tuple[int, _Place]]:
    room, x, y, has_key = place
    found = []
    for action, dx, dy in MOVES:
        to_room, to_x, to_y = room, x + dx, y + dy
        if to_x > _LAST_COLUMN:
            to_room, to_x = 1, 0
        elif to_x < 0:
            to_room, to_x = 0, _LAST_COLUMN
        tile = _tile(to_room, to_x, to_y)
        if tile == "#" or (tile == "D" and not has_key):
            continue
        found.append((action, (to_room, to_x, to_y, has_key or tile == "K")))
    return found


def _tile(room: int, x: int, y: int) -> str:
    return _ROOMS[room][y][x]


def _shortest_paths() -> tuple[int, ...]:
    return (len(_solve().actions) - 1,)


ROMS: Final = (
    TaskRom(
        name="KEYDOOR",
        purpose="fetch the key from the far room and return to the door; for novelty and backtracking",
        assemble=_assemble,
        solve=_solve,
        shortest_paths=_shortest_paths,
    ),
)
