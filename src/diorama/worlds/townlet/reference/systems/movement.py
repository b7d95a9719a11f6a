"""Movement: one tile per tick, one citizen per tile, and a way past each other when nothing else helps."""

from typing import Final

from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town

MOST_ON_A_TILE: Final = 2


def try_move(town: Town, citizen: Citizen, direction: int) -> bool:
    """Move a citizen one tile in a direction (0 north to 3 west); False if it stays where it is."""
    target = next((tile for way, tile in town.tables.paths.neighbors[citizen.tile] if way == direction), NOTHING)
    if citizen.is_running or target == NOTHING or not _can_enter(town, citizen, target):
        citizen.blocked_streak += 1
        return False
    if town.occupancy[target]:
        town.queues.ghost_move_events += 1
        town.record(EventKind.GHOST_STEP, citizen.number, _someone_on(town, target).number, citizen.tile, target)
    place(town, citizen, target)
    citizen.blocked_streak = 0
    return True


def place(town: Town, citizen: Citizen, tile: int) -> None:
    """Put a citizen on a tile, whatever is there."""
    town.occupancy[citizen.tile] -= 1
    citizen.tile = tile
    town.occupancy[tile] += 1


def nearest_free_tile(town: Town, tile: int) -> int:
    """The tile itself if nobody stands there, else the nearest free one; the tile where all are taken."""
    seen = {tile}
    frontier = [tile]
    while frontier:
        for candidate in frontier:
            if not town.occupancy[candidate]:
                return candidate
        following: list[int] = []
        for candidate in frontier:
            for _, neighbor in town.tables.paths.neighbors[candidate]:
                if neighbor not in seen:
                    seen.add(neighbor)
                    following.append(neighbor)
        frontier = following
    return tile


def _can_enter(town: Town, citizen: Citizen, tile: int) -> bool:
    others = town.occupancy[tile]
    if not others:
        return True
    patience = town.config.queue_fairness.ghost_step_after
    return 0 < patience <= citizen.blocked_streak and others < MOST_ON_A_TILE


def _someone_on(town: Town, tile: int) -> Citizen:
    return next(citizen for citizen in town.living() if citizen.tile == tile)
