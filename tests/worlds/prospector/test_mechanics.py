from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.state import Asteroid, State
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import FIELD_DRAWS, QUIET, STATION_DRAWS, Pilot, find_rng
from tests.worlds.prospector.test_observation import ANY_ACTION, TIERS

NODE = 1
PIRATES_COME = find_rng(lambda draws: draws[1] < 0.01)  # after one draw for a hazard
NEVER_FALLING = ("fuel_used", "hull_damage", "tool_wear")


def copy_of(rng: Pcg32) -> Pcg32:
    return Pcg32(rng.state, rng.inc, rng.draws)


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def assert_within_bounds(state: State, time_max: float) -> None:
    ship = state.ship
    assert 0.0 <= ship.fuel <= 1000.0
    assert all(0.0 <= value <= 100.0 for value in (ship.hull, ship.heat, ship.tool, ship.alert))
    assert 0.0 <= state.time_remaining <= time_max
    assert all(0.0 <= units <= 200.0 for units in ship.cargo)
    assert ship.cargo_total() <= 200.0 + 1e-9
    assert all(0 <= held <= 12 for held in (ship.repair_kits, ship.stabilizers, ship.decoys))
    assert ship.credits >= 0.0
    for asteroid in state.here.asteroids:
        assert 0.0 <= asteroid.depletion <= 1.0
        assert 0.0 <= asteroid.scan_conf <= 1.0
        assert sum(asteroid.comp_est) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("tier", TIERS)
@settings(max_examples=8, derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1),
    actions=st.lists(ANY_ACTION, min_size=20, max_size=50),
    cargo=st.lists(st.floats(0.0, 200.0), min_size=6, max_size=6),
    stress=st.floats(0.0, 100.0),
)
def test_every_quantity_stays_within_its_bounds(
    tier: str, seed: int, actions: list[int], cargo: list[float], stress: float
) -> None:
    pilot = Pilot(tier, seed=seed, time_max=60)
    pilot.put(node=NODE, cargo=cargo, heat=stress, alert=stress, credits=10.0 * stress, fuel=1000.0 - 9.0 * stress)
    counted = pilot.metrics()

    for action in actions:
        record = pilot.step(action)

        assert_within_bounds(pilot.state, 60.0)
        if record.terminated[0] or record.truncated[0]:
            break
        assert all(pilot.metrics()[key] >= counted[key] for key in NEVER_FALLING)
        counted = pilot.metrics()


def test_an_overfull_hold_shrinks_evenly(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(cargo=[100.0, 100.0, 0.0, 0.0, 200.0, 0.0])

    pilot.step(Act.HOLD_DRIFT)

    assert pilot.state.ship.cargo == pytest.approx([50.0, 50.0, 0.0, 0.0, 100.0, 0.0])


def test_the_station_is_safe(fly: Fly) -> None:
    pilot = fly()
    before = pilot.put(alert=100.0, cargo=[30.0] * 6)

    record = pilot.step(Act.ACTIVE_COOLDOWN)

    assert pilot.state.ship.hull == before.ship.hull
    assert record.draws - before.rng.draws == STATION_DRAWS


def test_node_hazards_wear_heat_and_alert_for_every_tick(fly: Fly) -> None:
    pilot = fly(pirates=False)
    before = pilot.put(node=NODE, heat=50.0)
    spread = copy_of(before.rng).uniform(0.8, 1.2)
    hazard = before.here.hazard

    pilot.step(Act.ACTIVE_COOLDOWN)

    ship = pilot.state.ship
    assert ship.hull == pytest.approx(100.0 - 2 * hazard * 0.7 * spread, abs=1e-12)
    assert ship.heat == pytest.approx(50.0 - 20.0 - 5.0 + 2 * hazard * 0.5, abs=1e-12)
    assert ship.alert == pytest.approx(1.0 + 2 * hazard * 0.8, abs=1e-12)


def test_a_leg_into_the_field_is_exposed_to_edge_and_node(fly: Fly) -> None:
    pilot = fly(pirates=False)
    before = pilot.put(heat=60.0)
    edge = before.here.edges[0]
    hazard, ticks = before.nodes[edge.neighbor].hazard, edge.travel_ticks
    rng = copy_of(before.rng)
    edge_spread = rng.uniform(0.85, 1.15)
    rng.f64()  # the pirates of the edge
    node_spread = rng.uniform(0.8, 1.2)

    pilot.step(Act.TRAVEL_NEIGHBOR)

    ship = pilot.state.ship
    damage = ticks * edge.threat * 0.7 * edge_spread + ticks * hazard * 0.7 * node_spread
    assert ship.hull == pytest.approx(100.0 - damage, abs=1e-12)
    assert ship.heat == pytest.approx(60.0 + ticks * edge.threat * 0.5 - 2.5 * ticks + ticks * hazard * 0.5, abs=1e-12)
    assert ship.alert == pytest.approx(ticks * edge.threat * 0.8 + ticks * hazard * 0.8, abs=1e-12)


def test_with_hazards_off_nothing_wears_and_the_stream_stays_aligned(fly: Fly) -> None:
    pilots = [fly(pirates=False, hazards=hazards) for hazards in (True, False)]

    records = [pilot.step(Act.TRAVEL_NEIGHBOR) for pilot in pilots]

    worn, safe = (pilot.state.ship for pilot in pilots)
    assert worn.hull < safe.hull == 100.0
    assert (safe.heat, safe.alert) == (0.0, 0.0)
    assert records[0].draws == records[1].draws


@pytest.mark.parametrize("escape_ticks", [0, 2], ids=["open", "escaping"])
@pytest.mark.parametrize("dt_action", [Act.EMERGENCY_BURN, Act.ACTIVE_COOLDOWN], ids=["one-tick", "two-ticks"])
def test_the_chance_of_pirates_follows_threat_alert_and_value(fly: Fly, escape_ticks: int, dt_action: int) -> None:
    pilot = fly(hazards=False)
    before = pilot.put(node=NODE, alert=40.0, cargo=[20.0] * 6, escape_ticks=escape_ticks)
    dt, alert, escapes = {
        Act.EMERGENCY_BURN: (1, 50.0, True),
        Act.ACTIVE_COOLDOWN: (2, 41.0, escape_ticks > 2),
    }[dt_action]
    value = sum(20.0 * price for price in before.market.price)
    logit = -4.0 + 3.0 * before.here.pirate + 2.2 * alert / 100 + 0.8 * log(1 + value / 1000) - 2.8 * escapes
    chance = 1.0 - (1.0 - sigmoid(logit)) ** dt
    just_below = find_rng(lambda draws: chance - 0.02 < draws[1] < chance)
    just_above = find_rng(lambda draws: chance < draws[1] < chance + 0.02)

    for rng, is_met in ((just_below, 1), (just_above, 0)):
        with pilot.edit() as state:
            state.rng = copy_of(rng)
        (outcome,) = pilot.try_each([dt_action])

        assert outcome.record.metrics[0][5] == is_met


@pytest.mark.parametrize("decoys", [0, 3])
def test_an_encounter_takes_cargo_hull_and_quiet(fly: Fly, decoys: int) -> None:
    pilot = fly(hazards=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.cargo, state.ship.decoys = NODE, [20.0] * 6, decoys
        state.rng = copy_of(PIRATES_COME)
    before = pilot.state
    rng = copy_of(PIRATES_COME)
    rng.advance(2)  # hazard and encounter
    loss = rng.uniform(0.08, 0.20)
    works = decoys > 0 and rng.f64() < 0.6
    loss *= 0.3 if works else 1.0
    hull = rng.uniform(1.0, 4.0)

    record = pilot.step(Act.EMERGENCY_BURN)

    after = pilot.state
    lost = loss * sum(20.0 * price for price in before.market.price)
    assert after.ship.cargo == pytest.approx([20.0 * (1 - loss)] * 6)
    assert after.ship.hull == pytest.approx(100.0 - hull)
    assert after.ship.alert == pytest.approx(10.0 + 8.0)
    assert after.ship.decoys == decoys - works
    assert after.counters.value_lost_to_pirates == pytest.approx(lost)
    assert after.counters.pirate_encounters == 1
    assert record.draws - before.rng.draws == FIELD_DRAWS + 2 + (decoys > 0)


def test_with_pirates_off_nobody_comes_and_only_the_test_is_drawn(fly: Fly) -> None:
    pilot = fly(hazards=False, pirates=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.cargo = NODE, [20.0] * 6
        state.rng = copy_of(PIRATES_COME)

    record = pilot.step(Act.HOLD_DRIFT)

    assert pilot.state.ship.cargo == [20.0] * 6
    assert record.draws == PIRATES_COME.draws + FIELD_DRAWS


def test_the_escape_buff_counts_down_before_the_pirates_come(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(escape_ticks=1)

    pilot.step(Act.EMERGENCY_BURN)
    burnt = pilot.state.ship.escape_ticks
    pilot.step(Act.ACTIVE_COOLDOWN)
    later = pilot.state.ship.escape_ticks
    pilot.step(Act.ACTIVE_COOLDOWN)

    assert (burnt, later, pilot.state.ship.escape_ticks) == (3, 1, 0)


def test_heat_above_the_limit_burns_the_hull(fly: Fly) -> None:
    pilot = fly()
    pilot.put(heat=100.0, cargo=[50.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    record = pilot.step(Act.REFINE_ONBOARD)

    state = pilot.state
    assert state.ship.hull == 100.0 - 1.25 * 1.0  # 100 + 6 from refining - 5 passive
    assert state.ship.heat == 100.0
    assert state.counters.overheat_ticks == 2
    assert record.event_data["overheat_tick"] == {"overflow": 1.0, "hull": 1.25}


def test_heat_from_hazards_is_cut_off_without_damage(fly: Fly) -> None:
    pilot = fly(pirates=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.heat = NODE, 104.9
        state.here.hazard = 1.0

    pilot.step(Act.EMERGENCY_BURN)

    state = pilot.state
    assert state.ship.heat == 100.0
    assert state.counters.overheat_ticks == 1
    hazard_damage_at_most = 0.7 * 1.2
    assert 100.0 - state.ship.hull <= 1.25 * 2.4 + hazard_damage_at_most


def test_scans_raise_confidence_in_the_order_wide_focused_deep(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=NODE, selection=0)

    gains = []
    for action in (Act.WIDE_SCAN, Act.FOCUSED_SCAN_SELECTED, Act.DEEP_SCAN_SELECTED):
        before = pilot.state.selected.scan_conf
        pilot.step(action)
        after = pilot.state.selected
        gains.append(after.scan_conf - before)
        assert sum(after.comp_est) == pytest.approx(1.0, abs=1e-12)

    assert gains == pytest.approx([0.10, 0.20, 0.45])
    assert pilot.state.counters.scan_count == 3


def test_confidence_ends_at_one(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=NODE, selection=0)

    for _ in range(3):
        pilot.step(Act.DEEP_SCAN_SELECTED)

    assert pilot.state.selected.scan_conf == 1.0


def normalised(values: list[float]) -> list[float]:
    raised = [max(1e-8, value) for value in values]
    return [value / sum(raised) for value in raised]


def scanned(
    asteroid: Asteroid, rng: Pcg32, blend: float, factor: float, *, is_noisy: bool
) -> tuple[list[float], float]:
    sigma = asteroid.noise * (1 - asteroid.scan_conf + 0.1) * factor
    errors = [rng.normal(0.0, sigma) for _ in range(7)]
    if not is_noisy:
        errors = [0.0] * 7
    reading = normalised([share + error for share, error in zip(asteroid.true_comp, errors[:6], strict=True)])
    mixed = normalised([(1 - blend) * old + blend * new for old, new in zip(asteroid.comp_est, reading, strict=True)])
    firmness = min(1.0, max(0.0, asteroid.stability + errors[6]))
    return mixed, (1 - blend) * asteroid.stability_est + blend * firmness


@pytest.mark.parametrize("is_noisy", [True, False], ids=["noisy", "exact"])
@pytest.mark.parametrize(
    ("action", "blend", "factor"),
    [
        pytest.param(Act.WIDE_SCAN, 0.22, 1.35, id="wide"),
        pytest.param(Act.FOCUSED_SCAN_SELECTED, 0.42, 1.0, id="focused"),
        pytest.param(Act.DEEP_SCAN_SELECTED, 0.80, 0.55, id="deep"),
    ],
)
def test_a_scan_blends_a_reading_into_the_estimate(
    fly: Fly, action: int, blend: float, factor: float, is_noisy: bool
) -> None:
    pilot = fly(**QUIET, scan_noise=is_noisy)
    before = pilot.put(node=NODE, selection=0)
    comp, stability = scanned(before.selected, copy_of(before.rng), blend, factor, is_noisy=is_noisy)

    pilot.step(action)

    after = pilot.state.selected
    assert after.comp_est == pytest.approx(comp, abs=1e-12)
    assert after.stability_est == pytest.approx(stability, abs=1e-12)


def test_a_wide_scan_sees_every_asteroid_even_depleted_ones(fly: Fly) -> None:
    pilot = fly(**QUIET)
    with pilot.edit() as state:
        state.ship.node = NODE
        state.here.asteroids[1].depletion = 1.0

    pilot.step(Act.WIDE_SCAN)

    assert [asteroid.scan_conf for asteroid in pilot.state.here.asteroids] == [0.2] * 6


def test_listening_moves_estimates_toward_the_true_threat(fly: Fly) -> None:
    pilot = fly(**QUIET, scan_noise=False)
    before = pilot.state
    rng = copy_of(before.rng)
    readings = [min(1.0, max(0.0, edge.threat + rng.normal(0.0, 0.08))) for edge in before.here.edges]

    pilot.step(Act.PASSIVE_THREAT_LISTEN)

    estimates = [edge.threat_estimate for edge in pilot.state.here.edges]
    assert estimates == pytest.approx([0.25 * 0.5 + 0.75 * reading for reading in readings], abs=1e-12)


MINING = {
    Act.MINE_CONSERVATIVE_SELECTED: (0.80, 0.05, -0.7),
    Act.MINE_STANDARD_SELECTED: (1.15, 0.10, 0.0),
    Act.MINE_AGGRESSIVE_SELECTED: (1.55, 0.16, 0.8),
}


@pytest.mark.parametrize("heat", [50.0, 85.0, 99.0], ids=["cool", "hot", "nearly-overheated"])
@pytest.mark.parametrize("action", MINING)
def test_the_yield_follows_richness_depletion_tool_and_heat(fly: Fly, action: int, heat: float) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.ship.tool, state.ship.heat = NODE, 0, 60.0, heat
        state.selected.depletion = 0.25
    before = pilot.state
    rock = before.selected
    factor, sigma, _ = MINING[action]
    efficiency = 1.0 if heat <= 70.0 else max(0.1, 1.0 - (heat / 100 - 0.7) / 0.3)
    noise = exp(copy_of(before.rng).normal(0.0, sigma))
    total = rock.richness * 0.75 * (0.4 + 0.6 * 0.6) * efficiency * factor * noise

    record = pilot.step(action)

    after = pilot.state
    assert after.ship.cargo == pytest.approx([total * share for share in rock.true_comp], rel=1e-9)
    assert after.selected.depletion == pytest.approx(0.25 + 0.01 * total)
    assert after.counters.mining_ticks == 1
    assert record.event_data["mine"]["total"] == pytest.approx(total)


@pytest.mark.parametrize("is_stabilized", [False, True], ids=["bare", "stabilized"])
@pytest.mark.parametrize("action", MINING)
def test_the_chance_of_a_fracture_follows_its_logit(fly: Fly, action: int, is_stabilized: bool) -> None:
    pilot = fly(**QUIET)
    before = pilot.put(
        node=NODE, selection=0, tool=40.0, heat=90.0, stabilize_ticks=[3 if is_stabilized else 0] + [0] * 15
    )
    bias = MINING[action][2]
    logit = -3.1 + bias + 2.5 * (1 - before.selected.stability) + 2.2 * 0.2 + 1.5 * 0.6 - 1.1 * is_stabilized
    chance = sigmoid(logit)

    for low, high, holds in ((chance - 0.02, chance, False), (chance, chance + 0.02, True)):
        with pilot.edit() as state:
            state.rng = find_rng(lambda draws, low=low, high=high: low < draws[2] < high)
        (outcome,) = pilot.try_each([action])

        assert ("fracture" not in outcome.record.events) is holds


SHATTERING = find_rng(lambda draws: draws[2] < 0.01)


def test_a_fracture_hurts_destroys_the_rock_and_leaves_debris(fly: Fly) -> None:
    pilot = fly(**QUIET)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.rng = NODE, 0, copy_of(SHATTERING)
    before = pilot.state
    rng = copy_of(SHATTERING)
    rng.advance(3)
    hull = 12.0 * rng.uniform(0.5, 1.0)

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    after = pilot.state
    assert after.ship.hull == pytest.approx(100.0 - hull)
    assert after.here.asteroids[0].depletion == 1.0
    assert after.here.hazard == pytest.approx(before.here.hazard + 0.1)
    assert after.ship.selection == -1
    assert pilot.mask[Act.SELECT_ASTEROID] == 0
    assert record.draws - before.rng.draws == FIELD_DRAWS + 4


def test_with_fractures_off_the_rock_holds_and_only_the_test_is_drawn(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.rng = NODE, 0, copy_of(SHATTERING)

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    assert pilot.state.ship.selection == 0
    assert pilot.state.ship.hull == 100.0
    assert record.draws == SHATTERING.draws + FIELD_DRAWS + 3


def test_a_rock_that_is_dug_out_is_deselected(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection = NODE, 0
        # No rock is this rich: a dig takes a share of what is left, so otherwise only a fracture finishes one.
        state.selected.richness = 1000.0

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    assert pilot.state.here.asteroids[0].depletion == 1.0
    assert pilot.state.ship.selection == -1
    assert record.event_data["asteroid_depleted"] == {"asteroid": 0}
    assert "fracture" not in record.events
    assert pilot.mask[[Act.SELECT_ASTEROID, Act.MINE_STANDARD_SELECTED]].tolist() == [0, 0]


def test_mining_stops_at_a_full_hold(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection = NODE, 0
        state.ship.cargo = [199.9, 0.0, 0.0, 0.0, 0.0, 0.0]
        state.selected.richness = 4.0

    record = pilot.step(Act.MINE_AGGRESSIVE_SELECTED)

    assert record.event_data["mine"]["total"] == pytest.approx(0.1)
    assert pilot.state.ship.cargo_total() == pytest.approx(200.0)
    assert pilot.state.selected.depletion == pytest.approx(0.001)


def test_a_stabilize_buff_does_not_survive_travel(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=NODE, selection=2)
    pilot.step(Act.STABILIZE_SELECTED)
    assert pilot.state.ship.stabilize_ticks[2] == 4

    pilot.step(Act.TRAVEL_NEIGHBOR)

    assert pilot.state.ship.stabilize_ticks == [0] * 16


def test_refining_turns_metal_into_isotopes_anywhere(fly: Fly) -> None:
    pilot = fly()
    pilot.put(cargo=[40.0, 60.0, 1.0, 1.0, 1.0, 1.0])

    record = pilot.step(Act.REFINE_ONBOARD)

    assert pilot.state.ship.cargo == pytest.approx([34.0, 51.0, 1.0, 1.0, 1.0 + 9.75, 1.0])
    assert record.event_data["refine"] == pytest.approx({"input": 15.0, "output": 9.75})


def test_gross_counters_ignore_refills_and_repairs(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(credits=5000.0, hull=90.0, tool=90.0)
    pilot.step(Act.EMERGENCY_BURN)

    for action in (Act.BUY_FUEL_SMALL, Act.FULL_REPAIR_OVERHAUL, Act.EMERGENCY_BURN):
        pilot.step(action)

    assert pilot.metrics()["fuel_used"] == 36.0
    assert pilot.metrics()["hull_damage"] == pilot.metrics()["tool_wear"] == 0.0


def test_net_profit_is_credits_and_profit_per_tick_divides_it_by_the_clock(fly: Fly) -> None:
    pilot = fly()
    pilot.put(cargo=[10.0] * 6)

    for action in (Act.SELL_COMMODITY + 2, Act.FULL_REPAIR_OVERHAUL, Act.BUY_DECOY):
        pilot.step(action)

    metrics, state = pilot.metrics(), pilot.state
    assert metrics["net_profit"] == metrics["credits"] == state.ship.credits > 0.0
    assert metrics["profit_per_tick"] == metrics["net_profit"] / state.ticks


def test_cargo_utilization_is_weighted_by_ticks(fly: Fly) -> None:
    pilot = fly(**QUIET)
    assert pilot.metrics()["cargo_utilization_avg"] == 0.0
    pilot.step(Act.ACTIVE_COOLDOWN)
    pilot.put(cargo=[100.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    pilot.step(Act.HOLD_DRIFT)

    assert pilot.metrics()["cargo_utilization_avg"] == pytest.approx((0.0 * 2 + 0.5 * 1) / 3)


def test_yield_noise_has_the_spread_of_its_mode(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    pilot.put(node=NODE, selection=0)
    logs = []

    for _ in range(60):
        before = pilot.put(tool=100.0, heat=0.0, cargo=[0.0] * 6).selected
        pilot.step(Act.MINE_AGGRESSIVE_SELECTED)
        mined = pilot.state.ship.cargo_total()
        logs.append(log(mined / (before.richness * (1 - before.depletion) * 1.55)))

    assert abs(float(np.mean(logs))) < 4 * 0.16 / sqrt(60)
    assert 0.10 < float(np.std(logs)) < 0.22
