"""Choosing the rock to work on, and steadying it."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import SELECT_TICKS, STABILIZE_TICKS, STABILIZED_TICKS
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Select:
    """Turn to the asteroid in a slot of the current node."""

    slot: int

    def is_possible(self, state: State) -> bool:
        """The asteroid must exist and have something left."""
        asteroids = state.here.asteroids
        return self.slot < len(asteroids) and asteroids[self.slot].depletion < 1.0

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Select it."""
        turn.dt = SELECT_TICKS
        state.ship.selection = self.slot
        turn.events.record(Event.SELECT, {"asteroid": self.slot})


@dataclass(frozen=True, slots=True)
class Stabilize:
    """Spend a stabilizer so that the selected asteroid shatters less easily for some ticks."""

    def is_possible(self, state: State) -> bool:
        """Needs a selected asteroid and a stabilizer."""
        return state.ship.has_selection and state.ship.stabilizers > 0

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Start the buff of the slot anew."""
        ship = state.ship
        turn.dt = STABILIZE_TICKS
        ship.stabilizers -= 1
        ship.stabilize_ticks[ship.selection] = STABILIZED_TICKS
        turn.events.record(Event.STABILIZE, {"asteroid": ship.selection})
