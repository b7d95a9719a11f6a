"""Repairs: a little anywhere with a kit, everything at the station for credits."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    HULL_MAX,
    HULL_PER_KIT,
    OVERHAUL_COST,
    OVERHAUL_TICKS,
    REPAIR_TICKS,
    TOOL_MAX,
    TOOL_PER_KIT,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.systems.purchases import can_afford, pay
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class MaintainTool:
    """Spend a repair kit on the drill."""

    def is_possible(self, state: State) -> bool:
        """Needs a kit and a worn tool."""
        return state.ship.repair_kits > 0 and state.ship.tool < TOOL_MAX

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Restore part of the tool."""
        ship = state.ship
        before = ship.tool
        turn.dt = REPAIR_TICKS
        ship.repair_kits -= 1
        ship.tool = min(TOOL_MAX, before + TOOL_PER_KIT)
        turn.events.record(Event.REPAIR, {"what": "tool", "amount": ship.tool - before})


@dataclass(frozen=True, slots=True)
class PatchHull:
    """Spend a repair kit on the hull."""

    def is_possible(self, state: State) -> bool:
        """Needs a kit and a damaged hull."""
        return state.ship.repair_kits > 0 and state.ship.hull < HULL_MAX

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Restore part of the hull."""
        ship = state.ship
        before = ship.hull
        turn.dt = REPAIR_TICKS
        ship.repair_kits -= 1
        ship.hull = min(HULL_MAX, before + HULL_PER_KIT)
        turn.events.record(Event.REPAIR, {"what": "hull", "amount": ship.hull - before})


@dataclass(frozen=True, slots=True)
class Overhaul:
    """Have hull and tool made as new."""

    def is_possible(self, state: State) -> bool:
        """Only at the station, for credits, and when there is something to repair."""
        ship = state.ship
        return can_afford(ship, OVERHAUL_COST) and (ship.hull < HULL_MAX or ship.tool < TOOL_MAX)

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Pay and restore both."""
        turn.dt = OVERHAUL_TICKS
        pay(state, OVERHAUL_COST)
        state.ship.hull = HULL_MAX
        state.ship.tool = TOOL_MAX
        turn.events.record(Event.OVERHAUL, {"cost": OVERHAUL_COST})
