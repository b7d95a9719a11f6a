"""GRID_GOAL: find the flag in a maze.

`$C0E0` maze (0 to 7, read at every start), `$C0F0` x, `$C0F1` y, `$C0F2` moves (up to 255), `$C0F3` 1 at the goal.
A direction moves one tile each time it is pressed; B starts again.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.library import include
from diorama.worlds.gameboy.roms.kit import program
from diorama.worlds.gameboy.roms.tasks import game
from diorama.worlds.gameboy.roms.tasks.mazes import HEIGHT, MAZES, mazes
from diorama.worlds.gameboy.roms.tasks.task import NOOP, Solution, TaskRom
from diorama.worlds.gameboy.schedule import PressSchedule

_BITMAP_BYTES: Final = 3 * HEIGHT
_GOAL_X: Final = 0xC0E8
_GOAL_Y: Final = 0xC0E9


def _assemble() -> bytes:
    a = program("GRID_GOAL")
    _restart(a)
    _play(a)
    _draw_maze(a)
    include(a, "wait_vblank", "lcd_off_safe", "memset", "memcpy")
    game.add_tiles(a)
    game.add_read_keys(a)
    game.add_map_address(a)
    game.add_direction(a)
    a.label("bitmaps")
    for maze in mazes():
        a.db(maze.bitmap())
    a.label("ends")
    for maze in mazes():
        a.db(*maze.start, *maze.goal)
    return a.build()


def _restart(a: Asm) -> None:
    a(f"""
    start:
        di
        call lcd_off_safe
        call load_tiles
        ld hl,$9C00
        ld bc,{32 * HEIGHT}
        ld a,{game.PATTERN}
        call memset
        call draw_maze
        ld a,({game.MAZE_INDEX})
        and {MAZES - 1}
        add a,a
        add a,a
        ld c,a
        ld b,0
        ld hl,ends
        add hl,bc
        ld a,(hl+)
        ld ({game.X}),a
        ld d,a
        ld a,(hl+)
        ld ({game.Y}),a
        ld e,a
        push hl
        call map_address
        ld (hl),{game.PLAYER}
        pop hl
        ld a,(hl+)
        ld ({_GOAL_X}),a
        ld d,a
        ld a,(hl+)
        ld ({_GOAL_Y}),a
        ld e,a
        call map_address
        ld (hl),{game.GOAL}
        xor a
        ld ({game.MOVES}),a
        ld ({game.DONE}),a
    """)
    game.screen_on(a)


def _play(a: Asm) -> None:
    """The map in video RAM is the board: everything here happens in VBlank."""
    game.turn_of_a_player(a)
    a(f"""
        call map_address
        ld a,(hl)
        cp {game.WALL}
        jr z,turn
        ld (hl),{game.PLAYER}
        push de
        ld a,({game.X})
        ld d,a
        ld a,({game.Y})
        ld e,a
        call map_address
        ld (hl),{game.FLOOR}
        pop de
        ld a,d
        ld ({game.X}),a
        ld a,e
        ld ({game.Y}),a
        ld hl,{game.MOVES}
        inc (hl)
        jr nz,.counted
        dec (hl)
    .counted:
        ld a,({_GOAL_X})
        cp d
        jr nz,turn
        ld a,({_GOAL_Y})
        cp e
        jr nz,turn
        ld a,1
        ld ({game.DONE}),a
        ld a,{game.SCREEN_ON | game.SECOND_MAP}
        ldh ($40),a
        jr turn
    """)


def _draw_maze(a: Asm) -> None:
    """`draw_maze`: 24 bits a row from the bitmap of the chosen maze; the last four fall beside the screen."""
    a(f"""
    draw_maze:
        ld a,({game.MAZE_INDEX})
        and {MAZES - 1}
        ld de,bitmaps
        jr z,.found
        ld b,a
    .next_bitmap:
        ld a,e
        add a,{_BITMAP_BYTES}
        ld e,a
        ld a,d
        adc a,0
        ld d,a
        dec b
        jr nz,.next_bitmap
    .found:
        ld hl,$9800
        ld b,{HEIGHT}
    .row:
        push bc
        ld b,3
    .byte:
        ld a,(de)
        inc de
        ld c,a
        push bc
        ld b,8
    .bit:
        rlc c
        ld a,{game.FLOOR}
        adc a,0
        ld (hl+),a
        dec b
        jr nz,.bit
        pop bc
        dec b
        jr nz,.byte
        ld bc,{32 - 24}
        add hl,bc
        pop bc
        dec b
        jr nz,.row
        ret
    """)


def _solve() -> Solution:
    maze = mazes()[0]
    moves = maze.solve()
    goal = {game.X: maze.goal[0], game.Y: maze.goal[1], game.MOVES: len(moves), game.DONE: 1}
    return Solution(schedule=PressSchedule(), actions=(NOOP, *moves), goal=goal)


def _shortest_paths() -> tuple[int, ...]:
    return tuple(len(maze.solve()) for maze in mazes())


ROMS: Final = (
    TaskRom(
        name="GRID_GOAL",
        purpose="walk to the flag; eight mazes",
        assemble=_assemble,
        solve=_solve,
        shortest_paths=_shortest_paths,
    ),
)
