"""Debris and radiation: every tick away from the station wears the hull, heats the ship and makes it louder."""

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.constants import (
    EDGE_DAMAGE_SPREAD,
    HAZARD_ALERT,
    HAZARD_HEAT,
    HAZARD_HULL,
    NODE_DAMAGE_SPREAD,
)
from diorama.worlds.prospector.reference.events import HullCause
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


def suffer_edge_hazards(state: State, config: ProspectorConfig, turn: Turn, threat: float) -> None:
    """Expose the ship to an edge for the ticks of the step."""
    spread = state.rng.uniform(*EDGE_DAMAGE_SPREAD)
    _expose(state, config, turn, threat, spread, HullCause.EDGE_HAZARD)


def suffer_node_hazards(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Expose the ship to its node for the ticks of the step; the station is safe and draws nothing."""
    if not state.ship.is_docked:
        spread = state.rng.uniform(*NODE_DAMAGE_SPREAD)
        _expose(state, config, turn, state.here.hazard, spread, HullCause.NODE_HAZARD)


def _expose(
    state: State, config: ProspectorConfig, turn: Turn, intensity: float, spread: float, cause: HullCause
) -> None:
    if not config.hazards:
        return
    ship = state.ship
    turn.damage(ship, turn.dt * intensity * HAZARD_HULL * spread, cause)
    ship.heat += turn.dt * intensity * HAZARD_HEAT
    ship.alert += turn.dt * intensity * HAZARD_ALERT
