"""The three games on the oracle: their solvers solve them, and their rules hold."""

import pytest

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.oracle import Oracle
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from diorama.worlds.gameboy.roms.tasks import catch, game, keydoor
from diorama.worlds.gameboy.roms.tasks.mazes import HEIGHT, MAZES, WIDTH, mazes
from diorama.worlds.gameboy.roms.tasks.task import DOWN, LEFT, NOOP, RIGHT, UP, TaskRom
from diorama.worlds.gameboy.schedule import PressSchedule
from tests.worlds.gameboy.on_oracle import built, needs_oracle

B = 2
QUICK = PressSchedule(frames_per_step=4, release_after_frames=2)


def console(name: str, schedule: PressSchedule = QUICK) -> Oracle:
    return Oracle(built(name), boot=BootMode.STUB_LCD, schedule=schedule)


def bytes_at(oracle: Oracle, *addresses: int) -> list[int]:
    return [oracle.read_memory(address, address + 1)[0] for address in addresses]


def play(oracle: Oracle, *actions: int) -> None:
    for action in actions:
        oracle.step(action)


def test_mazes_grow_and_every_goal_can_be_reached() -> None:
    lengths = TASK_ROMS["GRID_GOAL"].shortest_paths()

    assert len(mazes()) == len(lengths) == MAZES
    assert lengths == (6, 14, 30, 18, 58, 86, 42, 98)
    for maze in mazes():
        assert {maze.start, maze.goal} <= maze.floor
        assert all(0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1 for x, y in maze.floor)


@needs_oracle
@pytest.mark.parametrize("task", TASK_ROMS.values(), ids=lambda task: task.name)
def test_the_solver_reaches_the_goal(task: TaskRom) -> None:
    solution = task.solve()

    with console(task.name, solution.schedule) as oracle:
        play(oracle, *solution.actions[:-1])
        before = bytes_at(oracle, *solution.goal)
        play(oracle, solution.actions[-1])
        play(oracle, NOOP)

        assert bytes_at(oracle, *solution.goal) == list(solution.goal.values())
        if task.name != "CATCH":
            assert before != list(solution.goal.values())


@needs_oracle
@pytest.mark.parametrize("index", range(MAZES))
def test_every_maze_can_be_chosen_and_solved(index: int) -> None:
    maze = mazes()[index]
    moves = maze.solve()

    with console("GRID_GOAL") as oracle:
        play(oracle, *[NOOP] * 4)
        oracle.write_memory(game.MAZE_INDEX, index)
        play(oracle, B, *[NOOP] * 4)
        assert bytes_at(oracle, game.X, game.Y, game.MOVES, game.DONE) == [*maze.start, 0, 0]
        play(oracle, *moves)

        assert bytes_at(oracle, game.X, game.Y, game.MOVES, game.DONE) == [*maze.goal, len(moves), 1]
        won = oracle.shades()
        play(oracle, UP, LEFT, NOOP)
        assert bytes_at(oracle, game.X, game.Y) == list(maze.goal)  # the game is over, keys do nothing
        assert (oracle.shades() == won).all()


@needs_oracle
def test_walls_stop_the_player_and_a_held_key_moves_once() -> None:
    with console("GRID_GOAL", PressSchedule(frames_per_step=24, release_after_frames=24)) as oracle:
        play(oracle, NOOP, UP, LEFT)
        assert bytes_at(oracle, game.X, game.Y, game.MOVES) == [1, 1, 0]
        play(oracle, mazes()[0].solve()[0])
        assert bytes_at(oracle, game.MOVES) == [1]


@needs_oracle
def test_catch_is_over_after_five_misses_and_b_starts_again() -> None:
    with console("CATCH", PressSchedule(frames_per_step=96, release_after_frames=96)) as oracle:
        for _ in range(60):
            if bytes_at(oracle, game.DONE) == [1]:
                break
            play(oracle, LEFT)
        assert bytes_at(oracle, catch.MISSES, game.DONE, catch.PADDLE) == [5, 1, 0]
        play(oracle, NOOP, B)
        assert bytes_at(oracle, catch.SCORE, catch.MISSES, game.DONE) == [0, 0, 0]


@needs_oracle
def test_catch_drops_where_the_shift_register_says() -> None:
    with console("CATCH", PressSchedule(frames_per_step=96, release_after_frames=0)) as oracle:
        seen: list[int] = []
        for _ in range(6):  # the paddle stands still, and one more miss ends the game
            for _ in range(20):
                oracle.tick(draw=False)
            seen += bytes_at(oracle, catch.OBJECT_X)
            for _ in range(76):
                oracle.tick(draw=False)

    assert seen == catch.columns(6)


@needs_oracle
def test_the_door_stays_shut_without_the_key() -> None:
    with console("KEYDOOR") as oracle:
        play(oracle, *[NOOP] * 4, DOWN, DOWN, LEFT, LEFT, LEFT)
        assert bytes_at(oracle, game.X, game.Y, game.DONE, keydoor.HAS_KEY) == [1, 5, 0, 0]
        play(oracle, *[DOWN] * 4, *[RIGHT] * 19)
        assert bytes_at(oracle, game.X, game.Y, keydoor.ROOM) == [0, 9, 1]
        play(oracle, LEFT)
        assert bytes_at(oracle, game.X, game.Y, keydoor.ROOM) == [19, 9, 0]
