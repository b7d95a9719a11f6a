"""The map of the belt that a pilot draws while it flies, and the cheapest ways through it.

A way has a time and a fuel cost which no other way shares, and both are the same from either end. So two exits of
visited nodes that cost the same are one way, and the chart needs to know nothing of what the pilot has decided: a
policy that it teaches may have gone elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.prospector.bots.view import View
from diorama.worlds.prospector.contract import MAX_NEIGHBORS, MAX_NODES
from diorama.worlds.prospector.reference.constants import FUEL_MAX, STATION, TRAVEL_FUEL_SCALE

UNKNOWN: Final = -1  # where an exit leads that no visited node shares
_COST_PER_TIME: Final = 8.0
_COST_PER_FUEL: Final = 1.6
_COST_OF_HAZARD: Final = 6.0
_TANK_PER_FUEL: Final = TRAVEL_FUEL_SCALE / FUEL_MAX


@dataclass(slots=True)
class Exit:
    """A way out of a visited node; quantities are the normalized entries."""

    time: float
    fuel: float
    is_station: bool
    is_hazard: bool
    leads_to: int = UNKNOWN

    @property
    def cost(self) -> float:
        """Danger and fuel of the way, as one number."""
        return _COST_PER_TIME * self.time + _COST_PER_FUEL * self.fuel + (_COST_OF_HAZARD if self.is_hazard else 0.0)


@dataclass(frozen=True, slots=True)
class Route:
    """The cheapest known way to a node: its cost, the slot it begins with, and its share of a full tank."""

    cost: float
    slot: int
    tank: float

    def then(self, way: Exit, slot: int) -> "Route":
        """Return the route that goes on through an exit; `slot` is its first one if this route is empty."""
        first = slot if self.slot == UNKNOWN else self.slot
        return Route(self.cost + way.cost, first, self.tank + _TANK_PER_FUEL * way.fuel)


@dataclass(slots=True)
class Chart:
    """What is known of the nodes, by their index: exits by slot, none where the pilot has not been, and hops to go."""

    exits: list[list[Exit | None]] = field(default_factory=lambda: [[] for _ in range(MAX_NODES)])
    hops: list[int] = field(default_factory=lambda: [0] * MAX_NODES)

    def ways(self, node: int) -> Iterator[tuple[int, Exit]]:
        """Return the exits of a node with their slots."""
        return ((slot, way) for slot, way in enumerate(self.exits[node]) if way is not None)

    def visit(self, view: View) -> None:
        """Draw the node the ship is at, if it is new."""
        node = view.node
        if self.exits[node]:
            return
        self.hops[node] = view.hops_to_station
        self.exits[node] = [None] * MAX_NEIGHBORS
        for seen in view.neighbors():
            way = Exit(seen.time, seen.fuel, seen.is_station, seen.is_hazard, STATION if seen.is_station else UNKNOWN)
            for other in range(MAX_NODES):
                for _, back in self.ways(other):
                    if other != node and (back.time, back.fuel) == (way.time, way.fuel):
                        way.leads_to, back.leads_to = other, node
            self.exits[node][seen.slot] = way

    def routes(self, start: int) -> list[Route | None]:
        """Return the cheapest known route from a node to each node; None where no way is known."""
        routes: list[Route | None] = [None] * MAX_NODES
        routes[start] = Route(0.0, UNKNOWN, 0.0)
        is_settled = False
        while not is_settled:
            is_settled = True
            for node in range(MAX_NODES):
                here = routes[node]
                if here is None:
                    continue
                for slot, way in self.ways(node):
                    if way.leads_to == UNKNOWN:
                        continue
                    known = routes[way.leads_to]
                    if known is None or here.cost + way.cost < known.cost:
                        routes[way.leads_to] = here.then(way, slot)
                        is_settled = False
        return routes
