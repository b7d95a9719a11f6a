"""Travel: the ship arrives at once and then lives through the ticks of the way, edge first, destination after."""

from dataclasses import dataclass

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import MAX_ASTEROIDS, Event
from diorama.worlds.prospector.reference.constants import CARGO_MAX, LOAD_FUEL_FACTOR
from diorama.worlds.prospector.reference.state import NO_SELECTION, State
from diorama.worlds.prospector.reference.systems.hazards import suffer_edge_hazards
from diorama.worlds.prospector.reference.systems.pirates import watch_for_pirates
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Travel:
    """Fly along the edge of a neighbor slot."""

    slot: int

    def is_possible(self, state: State) -> bool:
        """The slot must be used."""
        return self.slot < len(state.here.edges)

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Burn fuel for the loaded ship, move it, and cross the dangers of the edge."""
        ship = state.ship
        origin = ship.node
        edge = state.here.edges[self.slot]
        turn.dt = edge.travel_ticks
        fuel = edge.fuel * (1.0 + LOAD_FUEL_FACTOR * (ship.cargo_total() / CARGO_MAX))
        ship.fuel -= fuel
        ship.node = edge.neighbor
        ship.selection = NO_SELECTION
        ship.stabilize_ticks = [0] * MAX_ASTEROIDS
        suffer_edge_hazards(state, config, turn, edge.threat)
        # The ship already counts as arrived, so legs into the station are patrolled: no pirates, no draw.
        watch_for_pirates(state, config, turn, edge.threat)
        turn.events.record(Event.TRAVEL, {"from": origin, "to": edge.neighbor, "slot": self.slot, "fuel": fuel})
