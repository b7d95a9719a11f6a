"""`explorer`: works the rocks two legs around the station, on a chart that it draws as it goes.

far       The rocks next door to the station are a third of those two legs away, and there is time for all of them. What
          is dug far out must be worth the way, so the hold may hold more there.
one rock  A rock that is begun is dug until it is not worth a dig. Prices move with every tick, and a ship that goes
          after them spends half of its time selecting.
burning   Pirates seldom catch a ship under an emergency burn, and a burn lasts for a whole leg.
margins   A ship goes on only if it is fit to dig for a while when it arrives, and it leaves with enough hull and fuel
          to lose its way once. Policies that learn from this script do lose it, because their memory is short.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.prospector.bots.chart import UNKNOWN, Chart, Route
from diorama.worlds.prospector.bots.moves import refine, rock_to_dig, select, sell_largest
from diorama.worlds.prospector.bots.view import View
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.constants import FUEL_LARGE, OVERHAUL_COST, STATION

MAX_HOPS: Final = 2
WORTH_A_BURN: Final = 300.0  # credits
WORTH_A_DIG: Final = 10.0  # credits
FIT_TO_LEAVE: Final = 0.65  # hull
FUEL_RESERVE: Final = 0.03  # of the tank, beside what the load adds to the way home
LOAD_FACTOR: Final = 1.3
LAST_TRIP: Final = 0.03  # share of time left
LAST_CALL_PER_HOP: Final = 0.012


class Limits(NamedTuple):
    """When a ship goes home: with less hull or fuel, or with more alert or credits aboard."""

    hull: float
    fuel: float
    alert: float
    hold_value: float

    def are_passed(self, view: View) -> bool:
        """Whether the ship is beyond one of them."""
        is_worn = view.hull < self.hull or view.fuel < self.fuel
        return is_worn or view.alert > self.alert or view.hold_value > self.hold_value


NEXT_DOOR: Final = Limits(hull=0.40, fuel=0.20, alert=0.60, hold_value=800.0)
FAR_OUT: Final = Limits(hull=0.50, fuel=0.40, alert=0.60, hold_value=1400.0)
BEFORE_GOING_ON: Final = Limits(hull=0.65, fuel=0.55, alert=0.40, hold_value=250.0)


@dataclass(slots=True)
class Memory:
    """What an explorer remembers: its chart, nodes it has scanned, those without rocks worth a dig, and a burn."""

    chart: Chart = field(default_factory=Chart)
    scanned_nodes: set[int] = field(default_factory=set)
    exhausted_nodes: set[int] = field(default_factory=set)
    has_burned: bool = False


class Explorer:
    """Goes to the cheapest place that may have rocks until there is none, then cashes out."""

    def __init__(self) -> None:
        """Begin without memories."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Forget the last belt."""
        self.memory = Memory()

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Refine, sell and refit at the station, dig elsewhere."""
        view = View(obs)
        self.memory.chart.visit(view)
        return (self._at_station(view) if view.is_at_station else self._in_field(view),)

    def _at_station(self, view: View) -> int:
        business = refine(view) or sell_largest(view) or _refit(view)
        if business is not None:
            return business
        destination = self._destination(view, self.memory.chart.routes(STATION))
        if view.hull < FIT_TO_LEAVE or view.time < LAST_TRIP or destination is None:
            return Act.CASH_OUT_END_EPISODE
        return Act.TRAVEL_NEIGHBOR + destination.slot

    def _in_field(self, view: View) -> int:
        memory = self.memory
        routes = memory.chart.routes(view.node)
        home = routes[STATION]
        destination = self._destination(view, routes)
        if home is None:  # only a ship that was put here does not know the way
            return Act.TRAVEL_NEIGHBOR + (destination.slot if destination else 0)
        if _must_go_home(view, home):
            return self._depart(view, home)
        if view.heat > 0.75:
            return Act.ACTIVE_COOLDOWN
        if view.node not in memory.exhausted_nodes:
            if view.node not in memory.scanned_nodes:
                memory.scanned_nodes.add(view.node)
                return Act.WIDE_SCAN
            rock = rock_to_dig(view, WORTH_A_DIG)
            if rock is not None:
                return Act.MINE_CONSERVATIVE_SELECTED if rock.is_selected else select(rock)
            memory.exhausted_nodes.add(view.node)
        return self._depart(view, destination if destination and _may_go_on(view, home, destination) else home)

    def _depart(self, view: View, route: Route) -> int:
        """Burn before a leg with a hold worth taking; legs into the station are safe."""
        memory = self.memory
        is_safe = any(slot == route.slot and way.is_station for slot, way in memory.chart.ways(view.node))
        is_worth_it = view.hold_value > WORTH_A_BURN and view.fuel > 0.25
        memory.has_burned = is_worth_it and not is_safe and not memory.has_burned
        return Act.EMERGENCY_BURN if memory.has_burned else Act.TRAVEL_NEIGHBOR + route.slot

    def _destination(self, view: View, routes: list[Route | None]) -> Route | None:
        """Return the cheapest route to a node with rocks or through an exit into the unknown."""
        memory = self.memory
        best: Route | None = None
        for node, route in enumerate(routes):
            if route is None:
                continue
            candidates: list[Route] = []
            has_rocks = node not in (STATION, view.node) and node not in memory.exhausted_nodes
            if has_rocks and memory.chart.exits[node] and memory.chart.hops[node] <= MAX_HOPS:
                candidates.append(route)
            if memory.chart.hops[node] < MAX_HOPS:
                ways = memory.chart.ways(node)
                candidates += [route.then(way, slot) for slot, way in ways if way.leads_to == UNKNOWN]
            for candidate in candidates:
                if best is None or candidate.cost < best.cost:
                    best = candidate
        return best


def _must_go_home(view: View, home: Route) -> bool:
    hops = view.hops_to_station
    is_low = view.fuel < LOAD_FACTOR * home.tank + FUEL_RESERVE or view.time < LAST_CALL_PER_HOP * hops
    return is_low or (NEXT_DOOR if hops <= 1 else FAR_OUT).are_passed(view)


def _may_go_on(view: View, home: Route, destination: Route) -> bool:
    """Whether ship and tank bear the way there and back from here."""
    there_and_back = LOAD_FACTOR * (home.tank + 2.0 * destination.tank)
    return view.fuel >= there_and_back + FUEL_RESERVE and not BEFORE_GOING_ON.are_passed(view)


def _refit(view: View) -> int | None:
    """Return the next action that readies the ship for a trip; None if it is ready."""
    if (view.hull < 0.70 or view.tool < 0.85) and view.credits >= OVERHAUL_COST:
        return Act.FULL_REPAIR_OVERHAUL
    if view.fuel < 0.65 and view.credits >= FUEL_LARGE.cost:
        return Act.BUY_FUEL_LARGE
    if view.alert > 1e-6:
        return Act.DOCK
    return Act.HOLD_DRIFT if view.heat > 0.20 else None
