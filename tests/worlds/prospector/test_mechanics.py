import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.state import State
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import ANY_ACTION, FIELD_NODE, QUIET, STATION_DRAWS, TIERS, Pilot, copy_of

NEVER_FALLING = ("fuel_used", "hull_damage", "tool_wear")


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
    pilot.put(
        node=FIELD_NODE, cargo=cargo, heat=stress, alert=stress, credits=10.0 * stress, fuel=1000.0 - 9.0 * stress
    )
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
    before = pilot.put(node=FIELD_NODE, heat=50.0)
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
    pilot = fly(pirates=False, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.ship.heat = FIELD_NODE, 0, 100.0
        state.here.hazard = 1.0
    rng = copy_of(pilot.state.rng)
    rng.advance(3)  # yield and fracture
    spread = rng.uniform(0.8, 1.2)

    pilot.step(Act.MINE_AGGRESSIVE_SELECTED)

    overflow = 100.0 + 7.0 - 2.5 - 100.0
    assert pilot.state.ship.hull == pytest.approx(100.0 - 1.25 * overflow - 0.7 * spread)
    assert pilot.state.ship.heat == 100.0
    assert pilot.state.counters.overheat_ticks == 1


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
