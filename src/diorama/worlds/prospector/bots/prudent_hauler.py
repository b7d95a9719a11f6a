"""`prudent_hauler`: short trips to rocks that pay for their risk, repairs in time, stops while ahead."""

from dataclasses import dataclass, field

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.numerics import sigmoid
from diorama.worlds.prospector.bots.moves import (
    best_asteroid,
    dig,
    refit,
    sell_largest,
    station_neighbor,
    travel,
    trip_score,
)
from diorama.worlds.prospector.bots.view import Asteroid, View
from diorama.worlds.prospector.contract import Act


@dataclass(slots=True)
class Memory:
    """What a hauler remembers: exhausted slots of the station, the slot it last left by, and nodes it has scanned."""

    exhausted_slots: set[int] = field(default_factory=set)
    slot_left_by: int | None = None
    scanned_nodes: set[int] = field(default_factory=set)


class PrudentHauler:
    """Prospector.md 15.5, the strong baseline."""

    def __init__(self) -> None:
        """Begin without memories."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Forget the last belt."""
        self.memory = Memory()

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Trade and refit at the station, haul elsewhere."""
        view = View(obs)
        return (self._at_station(view) if view.is_at_station else self._in_field(view),)

    def _at_station(self, view: View) -> int:
        business = sell_largest(view) or refit(view)
        return business if business is not None else self._set_out(view)

    def _set_out(self, view: View) -> int:
        open_slots = [neighbor for neighbor in view.neighbors() if neighbor.slot not in self.memory.exhausted_slots]
        if view.hull < 0.70 or not open_slots:
            return Act.CASH_OUT_END_EPISODE
        destination = max(open_slots, key=trip_score)
        self.memory.slot_left_by = destination.slot
        return travel(destination)

    def _in_field(self, view: View) -> int:
        home = station_neighbor(view)
        if home is None:
            return travel(next(iter(view.neighbors()), None))
        if view.hull < 0.60 or view.fuel < 0.24 * home.fuel + 0.03 or view.alert > 0.60 or view.load > 0.25:
            return travel(home)
        if view.heat > 0.75:
            return Act.ACTIVE_COOLDOWN
        if view.node not in self.memory.scanned_nodes:
            self.memory.scanned_nodes.add(view.node)
            return Act.WIDE_SCAN
        prospect = _Prospect(view)
        target = best_asteroid(view, prospect.utility)
        if target is None or prospect.utility(target) < 0.0:
            if self.memory.slot_left_by is not None:
                self.memory.exhausted_slots.add(self.memory.slot_left_by)
            return travel(home)
        return dig(view, target)


class _Prospect:
    """What digging a rock once seems to be worth, in thousands of credits, against the risk of shattering it."""

    def __init__(self, view: View) -> None:
        self._prices = view.prices_in_credits
        self._tool = view.tool

    def utility(self, asteroid: Asteroid) -> float:
        value = asteroid.unit_value(self._prices)
        income = 1.1 * (1.0 - asteroid.depletion) * value
        fracture = sigmoid(-3.8 + 2.5 * (1.0 - asteroid.stability) + 1.5 * (1.0 - self._tool))
        return 0.85 * income / 1000.0 - 0.06 * (9.0 * fracture + 0.25)
