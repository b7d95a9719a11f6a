"""Drifting quietly, and the opposite: a loud burn that shakes off pursuers."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    BURN_ALERT,
    BURN_FUEL,
    BURN_TICKS,
    ESCAPE_TICKS,
    HOLD_ALERT_RELIEF,
    HOLD_COOLING,
    HOLD_TICKS,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class HoldDrift:
    """Do nothing, quietly; what every invalid action becomes."""

    def is_possible(self, state: State) -> bool:
        """Always."""
        return True

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Calm down and cool a little, on top of the passive cooling."""
        turn.dt = HOLD_TICKS
        state.ship.alert = max(0.0, state.ship.alert - HOLD_ALERT_RELIEF)
        state.ship.heat = max(0.0, state.ship.heat - HOLD_COOLING)


@dataclass(frozen=True, slots=True)
class EmergencyBurn:
    """Trade fuel and silence for some ticks in which pirates hardly catch the ship."""

    def is_possible(self, state: State) -> bool:
        """Always."""
        return True

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Burn; an escape buff that already lasts longer is kept."""
        ship = state.ship
        turn.dt = BURN_TICKS
        ship.fuel -= BURN_FUEL
        ship.alert += BURN_ALERT
        ship.escape_ticks = max(ship.escape_ticks, ESCAPE_TICKS)
        turn.events.record(Event.EMERGENCY_BURN)
