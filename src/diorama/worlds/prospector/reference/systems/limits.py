"""Limits: inside a step quantities may leave their range, at its end they are brought back."""

from diorama.numerics import clamp
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.constants import (
    ALERT_MAX,
    CARGO_MAX,
    FUEL_MAX,
    HEAT_MAX,
    HULL_MAX,
    TOOL_MAX,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


def keep_limits(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Bring everything back into its range; an overfull hold shrinks evenly."""
    ship = state.ship
    ship.fuel = clamp(ship.fuel, 0.0, FUEL_MAX)
    ship.hull = clamp(ship.hull, 0.0, HULL_MAX)
    ship.heat = clamp(ship.heat, 0.0, HEAT_MAX)
    ship.tool = clamp(ship.tool, 0.0, TOOL_MAX)
    ship.alert = clamp(ship.alert, 0.0, ALERT_MAX)
    state.time_remaining = clamp(state.time_remaining, 0.0, config.time_max)
    ship.cargo = [clamp(units, 0.0, CARGO_MAX) for units in ship.cargo]
    total = ship.cargo_total()
    if total > CARGO_MAX:
        fit = CARGO_MAX / total
        ship.cargo = [units * fit for units in ship.cargo]
