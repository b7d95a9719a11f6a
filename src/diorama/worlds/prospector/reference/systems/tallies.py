"""Tallies: how full the hold has been, and what has been used up gross of refills and repairs."""

from diorama.numerics import clamp
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.constants import CARGO_MAX
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


def tally_utilization(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Count the load of the hold for the ticks of the step."""
    load = clamp(state.ship.cargo_total() / CARGO_MAX, 0.0, 1.0)
    state.counters.utilization_sum += load * turn.dt
    state.counters.utilization_ticks += turn.dt


def tally_losses(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Count what the step took of fuel, hull and tool."""
    ship, before, counters = state.ship, turn.before, state.counters
    counters.fuel_used += max(0.0, before.fuel - ship.fuel)
    counters.hull_damage += max(0.0, before.hull - ship.hull)
    counters.tool_wear += max(0.0, before.tool - ship.tool)
