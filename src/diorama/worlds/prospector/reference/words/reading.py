"""From words back to a state, refusing what no belt can be."""

import math
from collections.abc import Sequence
from typing import Final

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import U64
from diorama.rng import Pcg32
from diorama.snapshots import WordReader, plain_number
from diorama.worlds.prospector.contract import MAX_ASTEROIDS, MAX_NEIGHBORS, MAX_NODES, N_COMMODITIES, NODE_TYPES
from diorama.worlds.prospector.reference.constants import (
    ALERT_MAX,
    ASTEROIDS_MIN,
    CARGO_MAX,
    DECOYS_MAX,
    ESCAPE_TICKS,
    FUEL_MAX,
    HEAT_MAX,
    HULL_MAX,
    NODES_MIN,
    PERIOD_RANGE_TICKS,
    PRICE_MAX,
    PRICE_MIN,
    REPAIR_KITS_MAX,
    RICHNESS_RANGE,
    STABILIZED_TICKS,
    STABILIZERS_MAX,
    STATION,
    TOOL_MAX,
    TRAVEL_FUEL_SCALE,
    TRAVEL_TICKS_MAX,
    TRAVEL_TICKS_MIN,
)
from diorama.worlds.prospector.reference.state import (
    NO_SELECTION,
    Asteroid,
    Counters,
    Edge,
    Market,
    Node,
    Ship,
    State,
)
from diorama.worlds.prospector.reference.words.writing import ASTEROID_FLOATS

COUNT_MAX: Final = (1 << 32) - 1  # of ticks and events in one episode
_NO_LEAST: Final = (-math.inf,) * N_COMMODITIES
_NO_MOST: Final = (math.inf,) * N_COMMODITIES
_NONE_HELD: Final = (0.0,) * N_COMMODITIES


def read_state(words: U64) -> State:
    """Return the state that words describe.

    Raises:
        SnapshotError: When they do not describe a state of this world.
    """
    reader = _CheckedReader(words)
    rng = Pcg32(reader.read_u64(), reader.read_u64(), reader.read_u64())
    seed = reader.read_u64()
    ticks = reader.count("ticks")
    time_remaining = reader.number("time_remaining")
    is_over = bool(reader.integer("episode-over flag", 0, 1))
    node_count = reader.integer("node count", NODES_MIN, MAX_NODES)
    node = reader.integer("current node", 0, node_count - 1)
    selection = reader.integer("selection", NO_SELECTION, MAX_ASTEROIDS - 1)

    nodes = _read_nodes(reader, node_count)
    if selection >= len(nodes[node].asteroids):
        raise SnapshotError(f"asteroid {selection} is selected; node {node} has {len(nodes[node].asteroids)} of them")
    ship = _read_ship(reader, node, selection)
    market = _read_market(reader)
    counters = _read_counters(reader)
    reader.finish()
    return State(
        rng=rng,
        seed=seed,
        time_remaining=time_remaining,
        nodes=nodes,
        market=market,
        ship=ship,
        counters=counters,
        ticks=ticks,
        is_over=is_over,
    )


class _CheckedReader(WordReader):
    """Reads words and says by name which one is wrong."""

    __slots__ = ()

    def integer(self, name: str, lowest: int, highest: int) -> int:
        value = self.read_int()
        _check_range(name, value, lowest, highest)
        return value

    def count(self, name: str) -> int:
        return self.integer(name, 0, COUNT_MAX)

    def number(self, name: str) -> float:
        (value,) = self.numbers(name, 1)
        return value

    def numbers(self, name: str, count: int) -> list[float]:
        values = self.read_floats(count)
        _check_finite(name, values)
        return values

    def per_commodity(
        self, name: str, lowest: Sequence[float] = _NO_LEAST, highest: Sequence[float] = _NO_MOST
    ) -> list[float]:
        values = self.numbers(name, N_COMMODITIES)
        _check_each(name, values, lowest, highest)
        return values

    def rows(self, name: str, count: int, columns: str) -> list[tuple[list[int], list[float]]]:
        """Take rows of mixed words apart; `columns` has an `i` or an `f` for each, as in `iffi`."""
        table = self._take(count * len(columns)).reshape(count, len(columns))
        ints = table[:, [place for place, kind in enumerate(columns) if kind == "i"]].view("<i8")
        floats = table[:, [place for place, kind in enumerate(columns) if kind == "f"]].view("<f8")
        _check_finite(name, floats.ravel().tolist())
        return list(zip(ints.tolist(), floats.tolist(), strict=True))


def _check_range(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        bounds = f"{plain_number(lowest)} to {plain_number(highest)}"
        raise SnapshotError(f"{name} is {plain_number(value)}; it must be {bounds}")


def _check_finite(name: str, values: list[float]) -> None:
    if not all(map(math.isfinite, values)):
        wrong = next(value for value in values if not math.isfinite(value))
        raise SnapshotError(f"{name} is {plain_number(wrong)}; it must be a finite number")


def _read_nodes(reader: _CheckedReader, node_count: int) -> list[Node]:
    nodes = [
        _node(index, kind, hops, hazard, pirate)
        for index, ((kind, hops), (hazard, pirate)) in enumerate(reader.rows("node", node_count, "iffi"))
    ]
    slots = reader.rows("neighbor slot", node_count * MAX_NEIGHBORS, "iifff")
    for index, node in enumerate(nodes):
        node.edges = _read_edges(slots[index * MAX_NEIGHBORS : (index + 1) * MAX_NEIGHBORS], index, node_count)
    for node in nodes:
        node.asteroids = _read_hidden(reader, node)
    asteroids = [asteroid for node in nodes for asteroid in node.asteroids]
    _read_seen(reader, asteroids)
    return nodes


def _node(index: int, kind: int, hops: int, hazard: float, pirate: float) -> Node:
    lowest, highest = (STATION, STATION) if index == STATION else (STATION + 1, len(NODE_TYPES) - 1)
    _check_range(f"type of node {index}", kind, lowest, highest)
    _check_range(f"hops of node {index}", hops, 0, MAX_NODES - 1)
    _check_shares(f"hazard or pirates of node {index}", (hazard, pirate))
    return Node(kind, hazard, pirate, hops)


def _check_shares(name: str, values: Sequence[float]) -> None:
    for value in values:
        _check_range(name, value, 0.0, 1.0)


def _check_each(name: str, values: Sequence[float], lowest: Sequence[float], highest: Sequence[float]) -> None:
    for value, least, most in zip(values, lowest, highest, strict=True):
        _check_range(name, value, least, most)


def _read_edges(slots: list[tuple[list[int], list[float]]], index: int, node_count: int) -> list[Edge]:
    edges: list[Edge] = []
    for slot, ((neighbor, travel_ticks), (fuel, threat, threat_estimate)) in enumerate(slots):
        _check_range(f"neighbor slot {slot} of node {index}", neighbor, -1, node_count - 1)
        place = f"slot {slot} of node {index}"
        if neighbor < 0:
            for value in (travel_ticks, fuel, threat, threat_estimate):
                _check_range(f"travel time, fuel or threat of {place}", value, 0, 0)
            continue
        if len(edges) < slot:
            raise SnapshotError(f"neighbor slot {slot} of node {index} is used after an unused one")
        _check_range(f"travel time of {place}", travel_ticks, TRAVEL_TICKS_MIN, TRAVEL_TICKS_MAX)
        _check_range(f"fuel of {place}", fuel, 0.0, TRAVEL_FUEL_SCALE)
        _check_shares(f"threat of {place}", (threat, threat_estimate))
        edges.append(Edge(neighbor, travel_ticks, fuel, threat, threat_estimate))
    return edges


def _read_hidden(reader: _CheckedReader, node: Node) -> list[Asteroid]:
    lowest, highest = (0, 0) if node.kind == STATION else (ASTEROIDS_MIN, MAX_ASTEROIDS)
    count = reader.integer("asteroid count", lowest, highest)
    values = reader.numbers("asteroid", count * ASTEROID_FLOATS)
    return [_asteroid(values[first : first + ASTEROID_FLOATS]) for first in range(0, len(values), ASTEROID_FLOATS)]


def _asteroid(hidden: list[float]) -> Asteroid:
    richness, stability, noise = hidden[N_COMMODITIES:]
    _check_range("richness", richness, *RICHNESS_RANGE)
    _check_shares("stability or noise", (stability, noise))
    return Asteroid(hidden[:N_COMMODITIES], richness, stability, noise, comp_est=[], stability_est=0.0, scan_conf=0.0)


def _read_seen(reader: _CheckedReader, asteroids: list[Asteroid]) -> None:
    values = reader.numbers("asteroid estimate", len(asteroids) * ASTEROID_FLOATS)
    for place, asteroid in enumerate(asteroids):
        first = place * ASTEROID_FLOATS
        estimates = values[first : first + ASTEROID_FLOATS]
        asteroid.comp_est = estimates[:N_COMMODITIES]
        _check_shares("an estimate, a confidence or a depletion", estimates[N_COMMODITIES:])
        asteroid.stability_est, asteroid.scan_conf, asteroid.depletion = estimates[N_COMMODITIES:]


def _read_ship(reader: _CheckedReader, node: int, selection: int) -> Ship:
    fuel, hull, heat, tool, alert, credits_held = reader.numbers("ship", 6)
    levels, highest = (fuel, hull, heat, tool, alert), (FUEL_MAX, HULL_MAX, HEAT_MAX, TOOL_MAX, ALERT_MAX)
    _check_each("fuel, hull, heat, tool or alert", levels, (0.0,) * len(levels), highest)
    return Ship(
        node=node,
        selection=selection,
        fuel=fuel,
        hull=hull,
        heat=heat,
        tool=tool,
        alert=alert,
        credits=credits_held,
        cargo=reader.per_commodity("cargo", _NONE_HELD, (CARGO_MAX,) * N_COMMODITIES),
        repair_kits=reader.integer("repair kits", 0, REPAIR_KITS_MAX),
        stabilizers=reader.integer("stabilizers", 0, STABILIZERS_MAX),
        decoys=reader.integer("decoys", 0, DECOYS_MAX),
        escape_ticks=reader.integer("escape buff", 0, ESCAPE_TICKS),
        stabilize_ticks=[
            reader.integer(f"stabilize buff {slot}", 0, STABILIZED_TICKS) for slot in range(MAX_ASTEROIDS)
        ],
    )


def _read_market(reader: _CheckedReader) -> Market:
    return Market(
        price=reader.per_commodity("price", PRICE_MIN, PRICE_MAX),
        prev_price=reader.per_commodity("previous price", PRICE_MIN, PRICE_MAX),
        inventory=reader.per_commodity("inventory", _NONE_HELD),
        phase=reader.per_commodity("phase"),
        period=reader.per_commodity("period", *((end,) * N_COMMODITIES for end in PERIOD_RANGE_TICKS)),
        amp=reader.per_commodity("amplitude"),
        recent_sales=reader.per_commodity("recent sales"),
    )


def _read_counters(reader: _CheckedReader) -> Counters:
    return Counters(
        total_spend=reader.number("total_spend"),
        gross_revenue=reader.number("gross_revenue"),
        overheat_ticks=reader.count("overheat_ticks"),
        pirate_encounters=reader.count("pirate_encounters"),
        value_lost_to_pirates=reader.number("value_lost_to_pirates"),
        scan_count=reader.count("scan_count"),
        mining_ticks=reader.count("mining_ticks"),
        fuel_used=reader.number("fuel_used"),
        hull_damage=reader.number("hull_damage"),
        tool_wear=reader.number("tool_wear"),
        utilization_sum=reader.number("utilization_sum"),
        utilization_ticks=reader.count("utilization_ticks"),
    )
