from collections import deque

import pytest

import diorama
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.constants import PRICE_BASE, PRICE_MAX, PRICE_MIN
from diorama.worlds.prospector.reference.state import State
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import read_copy

SEEDS = {"reference": 60, "fast": 1000}


@pytest.fixture(scope="module")
def belts() -> dict[str, list[State]]:
    return {}


@pytest.fixture
def states(tier: str, belts: dict[str, list[State]]) -> list[State]:
    """Belts of the first seeds, opened once per tier."""
    if tier not in belts:
        batch = diorama.make("prospector", copies=SEEDS[tier], tier=tier, threads=1)
        batch.reset(seeds=range(SEEDS[tier]))
        belts[tier] = [read_copy(batch, copy) for copy in range(batch.copies)]
    return belts[tier]


@pytest.fixture
def few_states(states: list[State]) -> list[State]:
    """As many belts as both tiers open, for what takes long to look at."""
    return states[: min(SEEDS.values())]


def hops_from_station(state: State) -> dict[int, int]:
    hops = {0: 0}
    waiting = deque([0])
    while waiting:
        node = waiting.popleft()
        for edge in state.nodes[node].edges:
            if edge.neighbor not in hops:
                hops[edge.neighbor] = hops[node] + 1
                waiting.append(edge.neighbor)
    return hops


def test_every_node_can_be_reached_and_knows_its_distance(states: list[State]) -> None:
    for state in states:
        assert hops_from_station(state) == {node: place.hops for node, place in enumerate(state.nodes)}


def test_edges_lead_both_ways_and_differ_only_in_what_is_believed(few_states: list[State]) -> None:
    for state in few_states:
        for node, place in enumerate(state.nodes):
            neighbors = [edge.neighbor for edge in place.edges]
            assert node not in neighbors
            assert len(set(neighbors)) == len(neighbors) <= 6
            for edge in place.edges:
                (back,) = (other for other in state.nodes[edge.neighbor].edges if other.neighbor == node)
                assert (back.travel_ticks, back.fuel, back.threat) == (edge.travel_ticks, edge.fuel, edge.threat)
                assert edge.threat_estimate == 0.5


def test_nodes_and_edges_are_drawn_from_their_ranges(few_states: list[State]) -> None:
    assert {len(state.nodes) for state in few_states} <= set(range(8, 33))
    for state in few_states:
        station, *field = state.nodes
        assert (station.kind, station.hazard, station.pirate, station.asteroids) == (0, 0.0, 0.0, [])
        for place in field:
            extra_hazard, extra_pirate = (0.25, 0.12) if place.kind == 2 else (0.0, 0.0)
            assert 0.05 + extra_hazard <= place.hazard <= 0.35 + extra_hazard
            assert 0.05 + extra_pirate <= place.pirate <= 0.30 + extra_pirate
            assert 5 <= len(place.asteroids) <= 16
            for edge in place.edges:
                assert 1 <= edge.travel_ticks <= 8
                assert 20.0 <= edge.fuel < 112.0
                assert 0.0 <= edge.threat <= 1.0


def test_asteroids_are_drawn_from_their_ranges(few_states: list[State]) -> None:
    for rock in (rock for state in few_states for place in state.nodes for rock in place.asteroids):
        assert sum(rock.true_comp) == pytest.approx(1.0)
        assert sum(rock.comp_est) == pytest.approx(1.0)
        assert 0.2 <= rock.richness <= 4.0
        assert 0.0 < rock.stability < 1.0
        assert 0.04 <= rock.noise < 0.22
        assert (rock.stability_est, rock.scan_conf, rock.depletion) == (0.5, 0.10, 0.0)


def test_about_a_quarter_of_the_nodes_are_hazardous_and_rocks_are_firm_on_average(few_states: list[State]) -> None:
    kinds = [place.kind for state in few_states for place in state.nodes[1:]]
    rocks = [rock for state in few_states for place in state.nodes for rock in place.asteroids]

    assert kinds.count(2) / len(kinds) == pytest.approx(0.25, abs=4 * (0.25 * 0.75 / len(kinds)) ** 0.5)
    mean_stability = sum(rock.stability for rock in rocks) / len(rocks)
    assert mean_stability == pytest.approx(0.6, abs=4 * 0.2 / len(rocks) ** 0.5)


def test_the_market_opens_in_its_ranges(few_states: list[State]) -> None:
    for state in few_states:
        market = state.market
        assert market.prev_price == market.price
        assert market.recent_sales == [0.0] * 6
        for c, base in enumerate(PRICE_BASE):
            assert 20.0 <= market.inventory[c] < 120.0
            assert 180.0 <= market.period[c] < 380.0
            assert 0.10 * base <= market.amp[c] <= 0.30 * base
            assert PRICE_MIN[c] <= market.price[c] <= PRICE_MAX[c]


def test_opening_a_belt_draws_three_per_node_four_per_edge_and_twenty_per_asteroid(few_states: list[State]) -> None:
    for state in few_states:
        count = len(state.nodes)
        edges = sum(len(place.edges) for place in state.nodes) // 2
        rocks = sum(len(place.asteroids) for place in state.nodes)
        tree, extra = count - 1, 2 * count
        assert state.rng.draws == 1 + 3 * (count - 1) + tree + extra + 4 * edges + (count - 1) + 20 * rocks + 24


def test_the_ship_starts_full_and_penniless(fly: Fly) -> None:
    state = fly().state
    ship = state.ship

    assert (ship.node, ship.selection) == (0, -1)
    assert (ship.fuel, ship.hull, ship.heat, ship.tool, ship.alert, ship.credits) == (1000, 100, 0, 100, 0, 0)
    assert ship.cargo == [0.0] * 6
    assert (ship.repair_kits, ship.stabilizers, ship.decoys) == (3, 2, 1)
    assert (state.ticks, state.time_remaining, state.is_over) == (0, 20000.0, False)


def test_the_configuration_does_not_change_the_belt(fly: Fly) -> None:
    plain, switched = fly().state, fly(pirates=False, hazards=False, market_noise=False, time_max=20000).state

    assert (plain.nodes, plain.market, plain.ship) == (switched.nodes, switched.market, switched.ship)
    assert plain.rng.draws == switched.rng.draws


def test_a_reset_opens_a_new_belt_and_the_same_seed_the_same_one(fly: Fly) -> None:
    pilot = fly(seed=5)
    opening = pilot.batch.state_hash(0)
    pilot.step(Act.TRAVEL_NEIGHBOR)

    pilot.batch.reset()
    another = pilot.batch.state_hash(0)
    pilot.batch.reset(seeds=[5])

    assert another != opening
    assert pilot.batch.state_hash(0) == opening
