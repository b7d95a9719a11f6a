"""Shopping at the station: fuel and gear at fixed prices."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    BUY_TICKS,
    DECOY_COST,
    DECOYS_MAX,
    FUEL_MAX,
    REPAIR_KIT_COST,
    REPAIR_KITS_MAX,
    STABILIZER_COST,
    STABILIZERS_MAX,
    FuelOffer,
)
from diorama.worlds.prospector.reference.state import Ship, State
from diorama.worlds.prospector.reference.turn import Turn


def can_afford(ship: Ship, cost: float) -> bool:
    """Whether the ship is where things are sold and has the credits."""
    return ship.is_docked and ship.credits >= cost


def pay(state: State, cost: float) -> None:
    """Spend credits."""
    state.ship.credits -= cost
    state.counters.total_spend += cost


@dataclass(frozen=True, slots=True)
class BuyFuel:
    """Fill up; what does not fit into the tank is lost."""

    offer: FuelOffer

    def is_possible(self, state: State) -> bool:
        """The tank must not be full."""
        return can_afford(state.ship, self.offer.cost) and state.ship.fuel < FUEL_MAX

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Pay the whole portion."""
        ship = state.ship
        before = ship.fuel
        ship.fuel = min(FUEL_MAX, before + self.offer.fuel)
        _buy(state, turn, "fuel", ship.fuel - before, self.offer.cost)


@dataclass(frozen=True, slots=True)
class BuyRepairKit:
    """Buy a repair kit."""

    def is_possible(self, state: State) -> bool:
        """There must be room for it."""
        return can_afford(state.ship, REPAIR_KIT_COST) and state.ship.repair_kits < REPAIR_KITS_MAX

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Pay and stow it."""
        state.ship.repair_kits += 1
        _buy(state, turn, "repair_kit", 1.0, REPAIR_KIT_COST)


@dataclass(frozen=True, slots=True)
class BuyStabilizer:
    """Buy a stabilizer."""

    def is_possible(self, state: State) -> bool:
        """There must be room for it."""
        return can_afford(state.ship, STABILIZER_COST) and state.ship.stabilizers < STABILIZERS_MAX

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Pay and stow it."""
        state.ship.stabilizers += 1
        _buy(state, turn, "stabilizer", 1.0, STABILIZER_COST)


@dataclass(frozen=True, slots=True)
class BuyDecoy:
    """Buy a decoy."""

    def is_possible(self, state: State) -> bool:
        """There must be room for it."""
        return can_afford(state.ship, DECOY_COST) and state.ship.decoys < DECOYS_MAX

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Pay and stow it."""
        state.ship.decoys += 1
        _buy(state, turn, "decoy", 1.0, DECOY_COST)


def _buy(state: State, turn: Turn, item: str, quantity: float, cost: float) -> None:
    turn.dt = BUY_TICKS
    pay(state, cost)
    turn.events.record(Event.BUY, {"item": item, "quantity": quantity, "cost": cost})
