"""Refining: low-grade metal becomes a smaller amount of the dearest commodity, anywhere."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    REFINE_ALERT,
    REFINE_FUEL,
    REFINE_HEAT,
    REFINE_INPUT_SHARE,
    REFINE_INPUTS,
    REFINE_KEPT_SHARE,
    REFINE_OUTPUT,
    REFINE_TICKS,
    REFINE_YIELD,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Refine:
    """Turn part of the iron and nickel in the hold into rare isotopes."""

    def is_possible(self, state: State) -> bool:
        """There must be some of either."""
        return _metal(state) > 0.0

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Refine a fixed share; it costs fuel and makes heat and noise."""
        ship = state.ship
        turn.dt = REFINE_TICKS
        ship.fuel -= REFINE_FUEL
        ship.heat += REFINE_HEAT
        ship.alert += REFINE_ALERT
        consumed = REFINE_INPUT_SHARE * _metal(state)
        produced = REFINE_YIELD * consumed
        for commodity in REFINE_INPUTS:
            ship.cargo[commodity] *= REFINE_KEPT_SHARE
        ship.cargo[REFINE_OUTPUT] += produced
        turn.events.record(Event.REFINE, {"input": consumed, "output": produced})


def _metal(state: State) -> float:
    iron, nickel = REFINE_INPUTS
    return state.ship.cargo[iron] + state.ship.cargo[nickel]
