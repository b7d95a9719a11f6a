from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.contracts.values import F32
from diorama.numerics import log1p, normalise6
from diorama.worlds.prospector.contract import Act, AsteroidObs, NeighborObs, Obs
from diorama.worlds.prospector.reference.constants import PRICE_MAX, PRICE_MIN
from diorama.worlds.prospector.reference.state import State
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import ANY_ACTION, TIERS, Pilot


def share(amount: float, whole: float) -> float:
    return min(1.0, max(0.0, amount / whole))


def expected_ship(state: State, time_max: float) -> list[float]:
    ship = state.ship
    return [
        share(ship.fuel, 1000),
        share(ship.hull, 100),
        share(ship.heat, 100),
        share(ship.tool, 100),
        share(ship.cargo_total(), 200),
        share(ship.alert, 100),
        share(state.time_remaining, time_max),
        share(log1p(max(0.0, ship.credits)), log1p(1e7)),
        *(share(units, 200) for units in ship.cargo),
        share(ship.repair_kits, 12),
        share(ship.stabilizers, 12),
        share(ship.decoys, 12),
        float(ship.node == 0),
        float(ship.selection >= 0),
        *(float(state.here.kind == kind) for kind in range(3)),
        share(ship.node, 31),
        share(state.here.hops, 31),
    ]


def expected_neighbors(state: State) -> list[float]:
    entries: list[float] = []
    for edge in state.here.edges:
        kind = state.nodes[edge.neighbor].kind
        entries += [1.0, *(float(kind == other) for other in range(3))]
        entries += [share(edge.travel_ticks, 8), share(edge.fuel, 160), share(edge.threat_estimate, 1)]
    return entries + [0.0] * (42 - len(entries))


def expected_asteroids(state: State) -> list[float]:
    entries: list[float] = []
    for slot, asteroid in enumerate(state.here.asteroids):
        entries += [1.0, *normalise6(asteroid.comp_est)]
        entries += [asteroid.stability_est, asteroid.depletion, asteroid.scan_conf, float(state.ship.selection == slot)]
    return entries + [0.0] * (176 - len(entries))


def expected_market(state: State) -> list[float]:
    market = state.market
    return [
        *(share(p - low, high - low) for p, low, high in zip(market.price, PRICE_MIN, PRICE_MAX, strict=True)),
        *(max(-1.0, min(1.0, (p - q) / 100)) for p, q in zip(market.price, market.prev_price, strict=True)),
        *(share(market.inventory[commodity], 500) for commodity in (0, 2, 3, 4)),
    ]


def expected_observation(state: State, time_max: float = 20000.0) -> F32:
    entries = [*expected_ship(state, time_max), *expected_neighbors(state), 0.0, 0.0]
    return np.array([*entries, *expected_asteroids(state), *expected_market(state)], np.float32)


def assert_in_contract(obs: F32) -> None:
    unsigned = np.delete(obs, range(Obs.PRICE_DELTA_NORM, Obs.STATION_INVENTORY_NORM))
    neighbors = obs[Obs.NEIGHBORS : Obs.RESERVED].reshape(6, NeighborObs.SIZE)
    asteroids = obs[Obs.ASTEROIDS : Obs.PRICE_NORM].reshape(16, AsteroidObs.SIZE)
    exists = asteroids[:, AsteroidObs.VALID]
    assert np.isfinite(obs).all()
    assert ((unsigned >= 0.0) & (unsigned <= 1.0)).all()
    assert (np.abs(obs) <= 1.0).all()
    assert obs[Obs.CURRENT_NODE_TYPE_ONEHOT :][:3].sum() == 1.0
    assert (neighbors[:, 1:4].sum(axis=1) == neighbors[:, NeighborObs.VALID]).all()
    assert (neighbors[neighbors[:, NeighborObs.VALID] == 0.0] == 0.0).all()
    assert np.abs(asteroids[:, 1:7].sum(axis=1) - exists).max() <= 1e-4
    assert (asteroids[exists == 0.0] == 0.0).all()
    assert asteroids[:, AsteroidObs.SELECTED_FLAG].sum() == obs[Obs.MINING_ACTIVE_FLAG]
    assert (obs[Obs.RESERVED : Obs.ASTEROIDS] == 0.0).all()


def test_a_row_has_260_single_precision_entries(fly: Fly) -> None:
    pilot = fly()

    assert pilot.obs.shape == (260,)
    assert pilot.obs.dtype == np.float32


def test_every_entry_at_the_station_is_what_the_layout_says(fly: Fly) -> None:
    pilot = fly(time_max=5000.0)
    state = pilot.put(
        fuel=123.4,
        hull=45.6,
        heat=78.9,
        tool=12.3,
        alert=34.5,
        credits=6789.0,
        cargo=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        repair_kits=5,
        stabilizers=7,
        decoys=11,
    )

    assert pilot.obs.tolist() == expected_observation(state, time_max=5000.0).tolist()
    assert (pilot.obs[Obs.ASTEROIDS : Obs.PRICE_NORM] == 0.0).all()


@pytest.mark.parametrize("node", [1, 4, 15])
def test_every_entry_in_the_field_is_what_the_layout_says(fly: Fly, node: int) -> None:
    pilot = fly()
    pilot.put(node=node, selection=2)

    for action in (Act.WIDE_SCAN, Act.PASSIVE_THREAT_LISTEN, Act.MINE_CONSERVATIVE_SELECTED):
        pilot.step(action)

        assert pilot.obs.tolist() == expected_observation(pilot.state).tolist()


def test_quotients_beyond_their_range_are_clamped(fly: Fly) -> None:
    pilot = fly()
    with pilot.edit() as state:
        state.ship.credits = 1e9
        state.market.prev_price[0], state.market.price[0] = 180.0, 12.0
        state.market.inventory[0] = 800.0

    assert pilot.obs[Obs.CREDITS_LOG_NORM] == 1.0
    assert pilot.obs[Obs.PRICE_DELTA_NORM] == -1.0
    assert pilot.obs[Obs.STATION_INVENTORY_NORM] == 1.0


def test_credits_are_shown_on_a_logarithmic_scale(fly: Fly) -> None:
    pilot = fly()
    pilot.put(credits=1000.0)

    assert pilot.obs[Obs.CREDITS_LOG_NORM] == pytest.approx(log(1001.0) / log(10_000_001.0), rel=1e-6)


def test_a_depleted_asteroid_still_exists(fly: Fly) -> None:
    pilot = fly()
    with pilot.edit() as state:
        state.ship.node = 1
        state.here.asteroids[0].depletion = 1.0

    first = pilot.obs[Obs.ASTEROIDS :][: AsteroidObs.SIZE]
    assert first[AsteroidObs.VALID] == 1.0
    assert first[AsteroidObs.DEPLETION_FRAC] == 1.0


@pytest.mark.parametrize("tier", TIERS)
@settings(max_examples=8, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), actions=st.lists(ANY_ACTION, min_size=40, max_size=80))
def test_whatever_is_played_rows_stay_in_the_contract(tier: str, seed: int, actions: list[int]) -> None:
    pilot = Pilot(tier, seed=seed)
    assert_in_contract(pilot.obs)

    for action in actions:
        record = pilot.step(action)

        assert_in_contract(pilot.obs)
        assert np.isfinite(record.rewards[0])
