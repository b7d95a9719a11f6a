"""From a state to its words."""

import struct
from itertools import accumulate
from typing import Final

import numpy as np

from diorama.contracts.values import F64, U64
from diorama.snapshots import WordWriter, float_words, int_words
from diorama.worlds.prospector.contract import MAX_NEIGHBORS, N_COMMODITIES
from diorama.worlds.prospector.reference.state import Counters, Market, Node, Ship, State

ASTEROID_FLOATS: Final = N_COMMODITIES + 3  # of what is hidden, and as many of what is seen
_UNUSED: Final = -1
_NO_FLOATS: Final = (0.0, 0.0, 0.0)


def write_state(state: State) -> U64:
    """Return the canonical words of a state."""
    words = WordWriter()
    _write_episode(words, state)
    _write_graph(words, state.nodes)
    _write_asteroids(words, state.nodes)
    _write_ship(words, state.ship)
    _write_market(words, state.market)
    _write_counters(words, state.counters)
    return words.words()


def _write_episode(words: WordWriter, state: State) -> None:
    words.add_ints([state.rng.state, state.rng.inc, state.rng.draws, state.seed, state.ticks])
    words.add_float(state.time_remaining)
    words.add_ints([state.is_over, len(state.nodes), state.ship.node, state.ship.selection])


def _write_graph(words: WordWriter, nodes: list[Node]) -> None:
    places = np.empty((len(nodes), 4), dtype=np.uint64)
    places[:, (0, 3)] = int_words([(node.kind, node.hops) for node in nodes]).reshape(-1, 2)
    places[:, (1, 2)] = float_words([(node.hazard, node.pirate) for node in nodes]).reshape(-1, 2)
    words.add_ints(places)

    ints: list[int] = []
    floats: list[float] = []
    for node in nodes:
        for edge in node.edges:
            ints += (edge.neighbor, edge.travel_ticks)
            floats += (edge.fuel, edge.threat, edge.threat_estimate)
        unused = MAX_NEIGHBORS - len(node.edges)
        ints += (_UNUSED, 0) * unused
        floats += _NO_FLOATS * unused
    slots = np.empty((len(nodes) * MAX_NEIGHBORS, 5), dtype=np.uint64)
    slots[:, :2] = int_words(ints).reshape(-1, 2)
    slots[:, 2:] = float_words(floats).reshape(-1, 3)
    words.add_ints(slots)


def _write_asteroids(words: WordWriter, nodes: list[Node]) -> None:
    hidden: list[float] = []
    seen: list[float] = []
    for node in nodes:
        for asteroid in node.asteroids:
            hidden += asteroid.true_comp
            hidden += (asteroid.richness, asteroid.stability, asteroid.noise)
            seen += asteroid.comp_est
            seen += (asteroid.stability_est, asteroid.scan_conf, asteroid.depletion)
    counts = [len(node.asteroids) for node in nodes]
    words.add_ints(_with_counts(_packed_floats(hidden), counts))
    words.add_floats(_packed_floats(seen))


def _write_ship(words: WordWriter, ship: Ship) -> None:
    words.add_floats([ship.fuel, ship.hull, ship.heat, ship.tool, ship.alert, ship.credits, *ship.cargo])
    words.add_ints([ship.repair_kits, ship.stabilizers, ship.decoys, ship.escape_ticks, *ship.stabilize_ticks])


def _write_market(words: WordWriter, market: Market) -> None:
    words.add_floats(
        [
            *market.price,
            *market.prev_price,
            *market.inventory,
            *market.phase,
            *market.period,
            *market.amp,
            *market.recent_sales,
        ]
    )


def _write_counters(words: WordWriter, counters: Counters) -> None:
    words.add_floats([counters.total_spend, counters.gross_revenue])
    words.add_ints([counters.overheat_ticks, counters.pirate_encounters])
    words.add_float(counters.value_lost_to_pirates)
    words.add_ints([counters.scan_count, counters.mining_ticks])
    words.add_floats([counters.fuel_used, counters.hull_damage, counters.tool_wear, counters.utilization_sum])
    words.add_int(counters.utilization_ticks)


def _with_counts(hidden: F64, counts: list[int]) -> U64:
    """Put the asteroid count of every node before the numbers of its asteroids."""
    starts = [place * ASTEROID_FLOATS for place in accumulate(counts[:-1], initial=0)]
    return np.insert(float_words(hidden), starts, int_words(counts))


def _packed_floats(values: list[float]) -> F64:
    """Make an array of thousands of floats; `struct` takes a third of the time numpy needs."""
    return np.frombuffer(struct.pack(f"<{len(values)}d", *values), dtype="<f8")
