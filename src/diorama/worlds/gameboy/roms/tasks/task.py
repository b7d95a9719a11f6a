"""What is known about a task ROM: how it is built, and an action trace that solves it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.schedule import PressSchedule

_NAMES: Final = get_action_codec().action_names
NOOP: Final = _NAMES.index("NOOP")
UP: Final = _NAMES.index("UP")
DOWN: Final = _NAMES.index("DOWN")
LEFT: Final = _NAMES.index("LEFT")
RIGHT: Final = _NAMES.index("RIGHT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """An action trace from power-on, and what memory holds when it has ended."""

    schedule: PressSchedule
    actions: tuple[int, ...]
    goal: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRom:
    """A game. `shortest_paths` gives the fewest moves of each of its mazes, where it has some."""

    name: str
    purpose: str
    assemble: Callable[[], bytes]
    solve: Callable[[], Solution]
    shortest_paths: Callable[[], tuple[int, ...]] = tuple
