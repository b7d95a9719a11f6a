"""`refiner`: brings home little at a time, digs rocks until they shatter, and refines cheap metal in the harbor.

little    Pirates come the sooner the more a hold is worth, and take a share of it. Legs into the station are safe.
digging   A shattered rock costs hull, which an overhaul repairs for 280 credits whatever is broken, so a rock is dug
          for as long as a dig earns more than it costs.
refining  Iron and nickel sell for 50 credits a unit, and refined for more than twice as much. At the station it costs
          nothing but time, of which there is plenty.
"""

from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.prospector.bots.moves import (
    dig,
    refine,
    refit,
    rock_to_dig,
    sell_largest,
    station_neighbor,
    travel,
    trip_score,
)
from diorama.worlds.prospector.bots.view import Neighbor, View
from diorama.worlds.prospector.contract import MAX_NEIGHBORS, Act

HOLD_VALUE_LIMIT: Final = 600.0  # credits
WORTH_A_DIG: Final = 10.0  # credits
LAST_TRIP: Final = 0.03  # share of time left
LAST_CALL: Final = 0.012
_NO_WAY: Final = (0.0, 0.0)


@dataclass(slots=True)
class Memory:
    """What a refiner remembers: the ways out of the station, those that lead to exhausted rocks, and scanned nodes.

    A way is its time and fuel, which no other way shares. It looks the same from both ends, so that rocks are known by
    where the ship is and not by where the bot would have gone: a policy that it teaches may have gone elsewhere.
    """

    ways: list[tuple[float, float]] = field(default_factory=lambda: [_NO_WAY] * MAX_NEIGHBORS)
    exhausted_slots: set[int] = field(default_factory=set)
    scanned_nodes: set[int] = field(default_factory=set)


class Refiner:
    """Goes to a rock next door to the station until none is worth a dig, then cashes out."""

    def __init__(self) -> None:
        """Begin without memories."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Forget the last belt."""
        self.memory = Memory()

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Refine, sell and refit at the station, dig elsewhere."""
        view = View(obs)
        return (self._at_station(view) if view.is_at_station else self._in_field(view),)

    def _at_station(self, view: View) -> int:
        business = refine(view) or sell_largest(view) or refit(view)
        return business if business is not None else self._set_out(view)

    def _set_out(self, view: View) -> int:
        neighbors = view.neighbors()
        for neighbor in neighbors:
            self.memory.ways[neighbor.slot] = _way(neighbor)
        open_slots = [neighbor for neighbor in neighbors if neighbor.slot not in self.memory.exhausted_slots]
        if view.hull < 0.70 or view.time < LAST_TRIP or not open_slots:
            return Act.CASH_OUT_END_EPISODE
        return travel(max(open_slots, key=trip_score))

    def _in_field(self, view: View) -> int:
        home = station_neighbor(view)
        if home is None:
            return travel(next(iter(view.neighbors()), None))
        is_worn = view.hull < 0.50 or view.fuel < 0.24 * home.fuel + 0.03 or view.alert > 0.60
        if is_worn or view.time < LAST_CALL or view.hold_value > HOLD_VALUE_LIMIT:
            return travel(home)
        if view.heat > 0.75:
            return Act.ACTIVE_COOLDOWN
        if view.node not in self.memory.scanned_nodes:
            self.memory.scanned_nodes.add(view.node)
            return Act.WIDE_SCAN
        rock = rock_to_dig(view, WORTH_A_DIG)
        if rock is None:
            if _way(home) in self.memory.ways:
                self.memory.exhausted_slots.add(self.memory.ways.index(_way(home)))
            return travel(home)
        return dig(view, rock)


def _way(neighbor: Neighbor) -> tuple[float, float]:
    return (neighbor.time, neighbor.fuel)
