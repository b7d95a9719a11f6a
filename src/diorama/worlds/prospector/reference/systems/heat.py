"""Heat: it leaks away slowly, can be vented, and above the limit it burns the hull."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    COOLDOWN_ALERT,
    COOLDOWN_FUEL,
    COOLDOWN_HEAT,
    COOLDOWN_TICKS,
    HEAT_MAX,
    OVERHEAT_HULL_PER_HEAT,
    PASSIVE_COOLING_PER_TICK,
)
from diorama.worlds.prospector.reference.events import HullCause
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Cooldown:
    """Vent heat."""

    def is_possible(self, state: State) -> bool:
        """Always."""
        return True

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Vent, which costs a little fuel and silence."""
        ship = state.ship
        turn.dt = COOLDOWN_TICKS
        ship.fuel -= COOLDOWN_FUEL
        ship.heat = max(0.0, ship.heat - COOLDOWN_HEAT)
        ship.alert += COOLDOWN_ALERT
        turn.events.record(Event.COOLDOWN)


def radiate_heat(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Lose heat with every tick."""
    state.ship.heat = max(0.0, state.ship.heat - PASSIVE_COOLING_PER_TICK * turn.dt)


def burn_overheated_hull(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Turn heat above the limit into hull damage.

    Heat that hazards add later in the step is cut off at the limit without damage.
    """
    ship = state.ship
    if ship.heat > HEAT_MAX:
        overflow = ship.heat - HEAT_MAX
        hull = OVERHEAT_HULL_PER_HEAT * overflow
        turn.damage(ship, hull, HullCause.OVERHEAT)
        ship.heat = HEAT_MAX
        state.counters.overheat_ticks += turn.dt
        turn.events.record(Event.OVERHEAT_TICK, {"overflow": overflow, "hull": hull})
