"""One observation row, read by name and in binary64."""

from collections.abc import Iterator, Sequence
from typing import Final

from diorama.contracts.values import F32
from diorama.numerics import exp, log1p
from diorama.worlds.prospector.contract import (
    MAX_ASTEROIDS,
    MAX_NEIGHBORS,
    MAX_NODES,
    N_COMMODITIES,
    NODE_TYPES,
    AsteroidObs,
    NeighborObs,
    Obs,
)
from diorama.worlds.prospector.reference.constants import (
    CARGO_MAX,
    CLUSTER,
    CREDITS_CAP,
    HAZARD,
    PRICE_MAX,
    PRICE_MIN,
    STATION,
)

_CREDITS_SCALE: Final = log1p(CREDITS_CAP)
_GONE: Final = 0.999  # bots take a rock of this depletion for dug out


class Neighbor:
    """A used neighbor slot; quantities are the normalized entries."""

    __slots__ = ("fuel", "is_cluster", "is_hazard", "is_station", "slot", "threat", "time")

    def __init__(self, slot: int, entries: list[float]) -> None:
        """Read the entries of one slot."""
        kind = entries[NeighborObs.TYPE_ONEHOT : NeighborObs.TYPE_ONEHOT + len(NODE_TYPES)]
        self.slot = slot
        self.is_station = kind[STATION] == 1.0
        self.is_cluster = kind[CLUSTER] == 1.0
        self.is_hazard = kind[HAZARD] == 1.0
        self.time = entries[NeighborObs.TRAVEL_TIME_NORM]
        self.fuel = entries[NeighborObs.TRAVEL_FUEL_COST_NORM]
        self.threat = entries[NeighborObs.THREAT_NORM]


class Asteroid:
    """An existing asteroid slot of the current node; quantities are estimates."""

    __slots__ = ("composition", "confidence", "depletion", "is_selected", "slot", "stability")

    def __init__(self, slot: int, entries: list[float]) -> None:
        """Read the entries of one slot."""
        self.slot = slot
        self.composition = entries[AsteroidObs.COMP_EST : AsteroidObs.COMP_EST + N_COMMODITIES]
        self.stability = entries[AsteroidObs.STABILITY_EST]
        self.depletion = entries[AsteroidObs.DEPLETION_FRAC]
        self.confidence = entries[AsteroidObs.SCAN_CONF]
        self.is_selected = entries[AsteroidObs.SELECTED_FLAG] == 1.0

    @property
    def is_gone(self) -> bool:
        """Whether nothing worth digging is left."""
        return self.depletion >= _GONE

    def unit_value(self, prices: Sequence[float]) -> float:
        """Return what a unit of the rock seems to be worth, in credits if `prices` are."""
        value = 0.0
        for price, share in zip(prices, self.composition, strict=True):
            value += price * share
        return value


class View:
    """What a pilot sees; shares and fractions run from 0 to 1."""

    __slots__ = (
        "_row",
        "alert",
        "cargo",
        "fuel",
        "heat",
        "hull",
        "is_at_station",
        "load",
        "price_deltas",
        "prices",
        "repair_kits",
        "stabilizers",
        "time",
        "tool",
    )

    def __init__(self, obs: F32) -> None:
        """Read the row; single precision is widened, never rounded again."""
        row: list[float] = obs.tolist()
        self._row = row
        self.fuel = row[Obs.FUEL_FRAC]
        self.hull = row[Obs.HULL_FRAC]
        self.heat = row[Obs.HEAT_FRAC]
        self.tool = row[Obs.TOOL_FRAC]
        self.load = row[Obs.CARGO_LOAD_FRAC]
        self.alert = row[Obs.ALERT_FRAC]
        self.time = row[Obs.TIME_FRAC]
        self.cargo = row[Obs.CARGO_BY_COMMODITY_FRAC : Obs.CARGO_BY_COMMODITY_FRAC + N_COMMODITIES]
        self.repair_kits = row[Obs.REPAIR_KITS_NORM]
        self.stabilizers = row[Obs.STABILIZERS_NORM]
        self.is_at_station = row[Obs.AT_STATION_FLAG] == 1.0
        self.prices = row[Obs.PRICE_NORM : Obs.PRICE_NORM + N_COMMODITIES]
        self.price_deltas = row[Obs.PRICE_DELTA_NORM : Obs.PRICE_DELTA_NORM + N_COMMODITIES]

    @property
    def credits(self) -> float:
        """Credits, recovered from their logarithm."""
        return exp(self._row[Obs.CREDITS_LOG_NORM] * _CREDITS_SCALE) - 1.0

    @property
    def prices_in_credits(self) -> list[float]:
        """Prices per unit, in the order of the commodities."""
        return [low + share * (high - low) for share, low, high in zip(self.prices, PRICE_MIN, PRICE_MAX, strict=True)]

    @property
    def hold_value(self) -> float:
        """What the hold would bring at present prices, in credits."""
        value = 0.0
        for price, share in zip(self.prices_in_credits, self.cargo, strict=True):
            value += CARGO_MAX * share * price
        return value

    @property
    def node(self) -> int:
        """Index of the current node."""
        return round(self._row[Obs.CURRENT_NODE_INDEX_NORM] * (MAX_NODES - 1))

    @property
    def hops_to_station(self) -> int:
        """Legs of the shortest way to the station."""
        return round(self._row[Obs.STEPS_TO_STATION_NORM] * (MAX_NODES - 1))

    def neighbors(self) -> list[Neighbor]:
        """Return the used neighbor slots, lowest first."""
        return [
            Neighbor(slot, entries) for slot, entries in self._blocks(Obs.NEIGHBORS, NeighborObs.SIZE, MAX_NEIGHBORS)
        ]

    def asteroids(self) -> list[Asteroid]:
        """Return the existing asteroid slots, lowest first."""
        return [
            Asteroid(slot, entries) for slot, entries in self._blocks(Obs.ASTEROIDS, AsteroidObs.SIZE, MAX_ASTEROIDS)
        ]

    def _blocks(self, start: int, size: int, count: int) -> Iterator[tuple[int, list[float]]]:
        # Slots of both kinds begin with the flag that says whether they are used.
        for slot in range(count):
            first = start + slot * size
            if self._row[first] == 1.0:
                yield slot, self._row[first : first + size]
