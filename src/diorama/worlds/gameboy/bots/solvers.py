"""Solvers: one for each of our games, by what is on the screen."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.gameboy.bots.board import newest_picture, read_board
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from diorama.worlds.gameboy.roms.tasks import game
from diorama.worlds.gameboy.roms.tasks.paths import MOVES, shortest_actions
from diorama.worlds.gameboy.roms.tasks.task import LEFT, NOOP, RIGHT

_PADDLE_ROW: Final = 16
_PADDLE_TILES: Final = 3
_COLUMNS: Final = 20


class GridGoalSolver:
    """Walks the shortest way to the flag of any maze, looking anew at every step."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Take the first step of the shortest way; wait where there is none to be seen."""
        picture = newest_picture(obs_u8)
        if picture is None:
            return (NOOP,)
        board = read_board(picture)
        players, flags = (board == game.PLAYER).nonzero(), (board == game.GOAL).nonzero()
        if len(players[0]) != 1 or len(flags[0]) != 1:
            return (NOOP,)
        player, flag = (int(players[1][0]), int(players[0][0])), (int(flags[1][0]), int(flags[0][0]))

        def neighbors(tile: tuple[int, int]) -> list[tuple[int, tuple[int, int]]]:
            x, y = tile
            ways = [(action, (x + dx, y + dy)) for action, dx, dy in MOVES]
            return [(action, (at_x, at_y)) for action, (at_x, at_y) in ways if board[at_y, at_x] != game.WALL]

        return (shortest_actions(player, neighbors, lambda tile: tile == flag)[0],)


class CatchSolver:
    """Moves the middle of the paddle under the object."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Take a step towards the object's column."""
        picture = newest_picture(obs_u8)
        if picture is None:
            return (NOOP,)
        board = read_board(picture)
        objects = (board[:_PADDLE_ROW] == game.KEY).nonzero()[1]
        paddle = (board[_PADDLE_ROW] == game.PLAYER).nonzero()[0]
        if not len(objects) or not len(paddle):
            return (NOOP,)
        target = min(max(int(objects[0]) - 1, 0), _COLUMNS - _PADDLE_TILES)
        way = target - int(paddle[0])
        return (RIGHT if way > 0 else LEFT if way < 0 else NOOP,)


class KeydoorSolver:
    """Walks to the key and back to the door by heart.

    Attributes:
        memory: Moves it has taken.
    """

    def __init__(self) -> None:
        """Begin at the first move."""
        self._moves = tuple(action for action in TASK_ROMS["KEYDOOR"].solve().actions if action != NOOP)
        self.memory = 0

    def reset(self, episode_seed: int) -> None:
        """Begin again at the first move."""
        self.memory = 0

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Take the next move; wait at the end."""
        self.memory += 1
        return (self._moves[self.memory - 1] if self.memory <= len(self._moves) else NOOP,)
