"""At the station: lying low in the dock, and stopping while ahead."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import CASH_OUT_TICKS, DOCK_ALERT_RELIEF, DOCK_TICKS
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Dock:
    """Lie low."""

    def is_possible(self, state: State) -> bool:
        """Only at the station."""
        return state.ship.is_docked

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Let the alert die down."""
        turn.dt = DOCK_TICKS
        state.ship.alert = max(0.0, state.ship.alert - DOCK_ALERT_RELIEF)
        turn.events.record(Event.DOCK)


@dataclass(frozen=True, slots=True)
class CashOut:
    """End the episode with what is banked."""

    def is_possible(self, state: State) -> bool:
        """Only at the station."""
        return state.ship.is_docked

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Ask for the end, which comes after this step's dynamics."""
        turn.dt = CASH_OUT_TICKS
        turn.is_cashing_out = True
        turn.events.record(Event.CASH_OUT, {"credits": state.ship.credits})
