"""The eight mazes of GRID_GOAL, from a small one to one that fills the screen."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from diorama.worlds.gameboy.roms.tasks.paths import MOVES, shortest_actions

WIDTH: Final = 20
HEIGHT: Final = 18
MAZES: Final = 8
_START: Final = (1, 1)
_LOOPS_EACH: Final = 2  # walls taken down beyond what a maze needs, so that ways are not unique
Tile = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maze:
    """Floor tiles, where the player begins and where the goal is; all other tiles are walls."""

    floor: frozenset[Tile]
    start: Tile
    goal: Tile

    def bitmap(self) -> bytes:
        """Three bytes a row, the leftmost tile in the highest bit; set bits are walls."""
        rows = (sum(((x, y) not in self.floor) << (23 - x) for x in range(WIDTH)) for y in range(HEIGHT))
        return b"".join(row.to_bytes(3, "big") for row in rows)

    def solve(self) -> tuple[int, ...]:
        """Give the fewest actions that lead from the start to the goal."""
        return shortest_actions(self.start, self._neighbors, lambda tile: tile == self.goal)

    def _neighbors(self, tile: Tile) -> list[tuple[int, Tile]]:
        x, y = tile
        return [(action, (x + dx, y + dy)) for action, dx, dy in MOVES if (x + dx, y + dy) in self.floor]


class _Draws:
    """A small stream of numbers that never changes: the mazes are part of a ROM whose hash is known."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        self._state = (self._state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        return (self._state >> 16) % limit


@cache
def mazes() -> tuple[Maze, ...]:
    """All mazes in the order of their index; each is one cell wider and higher than the one before it."""
    return tuple(_carve(columns=min(3 + index, 9), rows=min(2 + index, 8), seed=index + 1) for index in range(MAZES))


def _carve(*, columns: int, rows: int, seed: int) -> Maze:
    """Join cells at odd coordinates by a depth-first walk, then open some more walls between them."""
    draws = _Draws(seed)
    floor, stack = {_START}, [_START]
    while stack:
        x, y = stack[-1]
        steps = [(x + 2 * dx, y + 2 * dy) for _, dx, dy in MOVES]
        free = [cell for cell in steps if _is_cell(cell, columns, rows) and cell not in floor]
        if not free:
            stack.pop()
            continue
        cell = free[draws.below(len(free))]
        floor |= {cell, _between((x, y), cell)}
        stack.append(cell)
    for _ in range(_LOOPS_EACH):
        x, y = 2 * draws.below(columns - 1) + 1, 2 * draws.below(rows) + 1
        floor.add((x + 1, y))
    return Maze(floor=frozenset(floor), start=_START, goal=(2 * columns - 1, 2 * rows - 1))


def _is_cell(tile: Tile, columns: int, rows: int) -> bool:
    return 0 < tile[0] < 2 * columns and 0 < tile[1] < 2 * rows


def _between(first: Tile, second: Tile) -> Tile:
    return (first[0] + second[0]) // 2, (first[1] + second[1]) // 2
