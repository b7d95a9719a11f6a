"""Time: the budget runs down, buffs wear off, and the tick count goes up."""

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


def spend_time(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Take the step's ticks from the budget; the last step of an episode may overdraw it."""
    state.time_remaining -= turn.dt


def wear_off_buffs(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Count down the escape buff and every stabilize buff."""
    ship = state.ship
    ship.escape_ticks = max(0, ship.escape_ticks - turn.dt)
    ship.stabilize_ticks = [max(0, ticks - turn.dt) for ticks in ship.stabilize_ticks]


def count_ticks(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Put the step's ticks on the clock."""
    state.ticks += turn.dt
