"""Shortest ways through grids of tiles."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Final, TypeVar

from diorama.worlds.gameboy.roms.tasks.task import DOWN, LEFT, RIGHT, UP

MOVES: Final = ((UP, 0, -1), (DOWN, 0, 1), (LEFT, -1, 0), (RIGHT, 1, 0))  # action, x, y


Place = TypeVar("Place", bound=Hashable)


def shortest_actions(
    start: Place, neighbors: Callable[[Place], Iterable[tuple[int, Place]]], is_goal: Callable[[Place], bool]
) -> tuple[int, ...]:
    """Search breadth first.

    Args:
        start: Where to begin.
        neighbors: Gives the actions that can be taken at a place, with the places they lead to, in a fixed order.
        is_goal: Tells whether a place is the end.

    Raises:
        ValueError: If no way leads there.
    """
    ways: dict[Place, tuple[int, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if is_goal(place):
            return ways[place]
        for action, neighbor in neighbors(place):
            if neighbor not in ways:
                ways[neighbor] = (*ways[place], action)
                queue.append(neighbor)
    raise ValueError(f"no way leads from {start} to the goal")
