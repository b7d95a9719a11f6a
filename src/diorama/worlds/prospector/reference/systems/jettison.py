"""Throwing cargo overboard: pursuers lose interest."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import COMMODITIES, Event
from diorama.worlds.prospector.reference.constants import JETTISON_ALERT_RELIEF, JETTISON_TICKS
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Jettison:
    """Throw all of one commodity overboard."""

    commodity: int

    def is_possible(self, state: State) -> bool:
        """There must be some of it."""
        return state.ship.cargo[self.commodity] > 0.0

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Empty that part of the hold."""
        ship = state.ship
        turn.dt = JETTISON_TICKS
        units = ship.cargo[self.commodity]
        ship.cargo[self.commodity] = 0.0
        ship.alert = max(0.0, ship.alert - JETTISON_ALERT_RELIEF)
        turn.events.record(Event.JETTISON, {"commodity": COMMODITIES[self.commodity], "units": units})
