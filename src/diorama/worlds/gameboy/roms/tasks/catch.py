"""CATCH: catch what falls with a paddle of three tiles.

`$C0E1` seed of the columns (0 means $5A), `$C0F0` score, `$C0F1` misses, `$C0F3` 1 after five misses; beside them
`$C0F4` paddle (its left tile), `$C0F5` and `$C0F6` column and row of the object, `$C0F7` the shift register.
The paddle moves one tile for every frame in which LEFT or RIGHT is down; B starts again.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.library import include
from diorama.worlds.gameboy.roms.kit import program
from diorama.worlds.gameboy.roms.tasks import game
from diorama.worlds.gameboy.roms.tasks.task import LEFT, NOOP, RIGHT, Solution, TaskRom
from diorama.worlds.gameboy.schedule import PressSchedule

SCORE: Final = 0xC0F0
MISSES: Final = 0xC0F1
PADDLE: Final = 0xC0F4
OBJECT_X: Final = 0xC0F5
OBJECT_Y: Final = 0xC0F6
REGISTER: Final = 0xC0F7
_FALL_CLOCK: Final = 0xC0F8

_DEFAULT_SEED: Final = 0x5A
_COLUMNS: Final = 20
_PADDLE_TILES: Final = 3
_PADDLE_ROW: Final = 16
_PADDLE_START: Final = 8
_FRAMES_PER_TILE: Final = 6
_MISSES_ALLOWED: Final = 5


def _assemble() -> bytes:
    a = program("CATCH")
    _restart(a)
    _play(a)
    _objects(a)
    _paddle(a)
    include(a, "wait_vblank", "lcd_off_safe", "memset", "memcpy", "print_hex", "font")
    game.add_tiles(a)
    game.add_read_keys(a)
    game.add_map_address(a)
    return a.build()


def _restart(a: Asm) -> None:
    a(f"""
    start:
        di
        call lcd_off_safe
        call load_font
        call load_tiles
        ld hl,$9800
        ld bc,$400
        xor a
        call memset
        ld hl,{game.STATE}
        ld bc,16
        xor a
        call memset
        ld a,({game.SEED})
        and a
        jr nz,.seeded
        ld a,{_DEFAULT_SEED}
    .seeded:
        ld ({REGISTER}),a
        ld a,{_PADDLE_START}
        ld ({PADDLE}),a
        ld b,{game.PLAYER}
        call draw_paddle
        call next_object
        call draw_score
    """)
    game.screen_on(a)


def _play(a: Asm) -> None:
    game.turn(a)
    a(f"""
        call move_paddle
        ld hl,{_FALL_CLOCK}
        inc (hl)
        ld a,(hl)
        cp {_FRAMES_PER_TILE}
        jr nz,turn
        ld (hl),0
        call fall
        jr turn
    """)


def _objects(a: Asm) -> None:
    a(f"""
    object_address:
        ld a,({OBJECT_X})
        ld d,a
        ld a,({OBJECT_Y})
        ld e,a
        jp map_address
    fall:
        call object_address
        ld (hl),{game.FLOOR}
        ld hl,{OBJECT_Y}
        inc (hl)
        ld a,(hl)
        cp {_PADDLE_ROW}
        jr z,land
    show_object:
        call object_address
        ld (hl),{game.KEY}
        ret
    land:
        ld a,({PADDLE})
        ld b,a
        ld a,({OBJECT_X})
        sub b
        cp {_PADDLE_TILES}   ; a column left of the paddle has wrapped to a large number
        jr nc,.missed
        ld hl,{SCORE}
        inc (hl)
        jr nz,next_object_and_score
        dec (hl)
        jr next_object_and_score
    .missed:
        ld hl,{MISSES}
        inc (hl)
        ld d,(hl)
        dec d
        ld e,{_PADDLE_ROW + 1}
        ld a,(hl)
        cp {_MISSES_ALLOWED}
        jr c,.go_on
        ld a,1
        ld ({game.DONE}),a
    .go_on:
        call map_address
        ld (hl),{game.WALL}
    next_object_and_score:
        call draw_score
    next_object:
        ld a,({REGISTER})    ; shift left; bits 7, 5, 4 and 3 make the new lowest one
        ld b,a
        swap a
        ld c,a               ; bits 5 and 4 of it are bits 1 and 0 here
        rrca
        xor c                ; bit 0: bits 5 and 4
        ld c,a
        ld a,b
        rlca                 ; bit 0: bit 7
        xor c
        ld c,a
        ld a,b
        rrca
        rrca
        rrca                 ; bit 0: bit 3
        xor c
        rrca                 ; into the carry
        ld a,b
        rla
        ld ({REGISTER}),a
    .modulo:
        cp {_COLUMNS}
        jr c,.column
        sub {_COLUMNS}
        jr .modulo
    .column:
        ld ({OBJECT_X}),a
        xor a
        ld ({OBJECT_Y}),a
        jp show_object
    draw_score:
        ld hl,{0x9800 + 32 * (_PADDLE_ROW + 1) + _COLUMNS - 3}
        ld a,({SCORE})
        jp print_hex
    """)


def _paddle(a: Asm) -> None:
    a(f"""
    draw_paddle:
        ld a,({PADDLE})
        ld d,a
        ld e,{_PADDLE_ROW}
        call map_address
        ld a,b
        ld (hl+),a
        ld (hl+),a
        ld (hl),a
        ret
    move_paddle:
        ld a,({PADDLE})
        ld d,a
        bit {game.KEY_LEFT},b
        jr z,.not_left
        and a
        jr z,.not_left
        dec d
    .not_left:
        bit {game.KEY_RIGHT},b
        jr z,.not_right
        cp {_COLUMNS - _PADDLE_TILES}
        jr z,.not_right
        inc d
    .not_right:
        push de
        ld b,{game.FLOOR}
        call draw_paddle
        pop de
        ld a,d
        ld ({PADDLE}),a
        ld b,{game.PLAYER}
        jp draw_paddle
    """)


def columns(count: int, seed: int = _DEFAULT_SEED) -> list[int]:
    """Give the columns of the first objects."""
    found = []
    for _ in range(count):
        bit = (seed >> 7 ^ seed >> 5 ^ seed >> 4 ^ seed >> 3) & 1
        seed = (seed << 1 | bit) & 0xFF
        found.append(seed % _COLUMNS)
    return found


def _solve() -> Solution:
    """Catch the first objects; one tile a step, and each object takes as many frames as its steps."""
    schedule = PressSchedule(frames_per_step=4, release_after_frames=1)
    caught = 12
    steps_per_object = _PADDLE_ROW * _FRAMES_PER_TILE // schedule.frames_per_step
    actions = [NOOP] * 4  # the game needs some frames to set up; the paddle may come late, not early
    paddle = _PADDLE_START
    for column in columns(caught):
        target = min(max(column - 1, 0), _COLUMNS - _PADDLE_TILES)
        way = target - paddle
        actions += [RIGHT if way > 0 else LEFT] * abs(way)
        actions += [NOOP] * (steps_per_object - abs(way))
        paddle = target
    return Solution(schedule=schedule, actions=tuple(actions), goal={SCORE: caught, MISSES: 0, game.DONE: 0})


ROMS: Final = (TaskRom(name="CATCH", purpose="move a paddle under what falls", assemble=_assemble, solve=_solve),)
