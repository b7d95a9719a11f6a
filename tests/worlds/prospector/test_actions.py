from dataclasses import dataclass, field

import numpy as np
import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.prospector.contract import N_ACTIONS, Act
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import FIELD_DRAWS, FIELD_NODE, QUIET, STATION_DRAWS, Pilot
from tests.worlds.prospector.preconditions import is_valid

EVERYTHING = [*range(N_ACTIONS), -1, 69, 999, -(2**31), 2**31 - 1]

PENALTY = 0.125  # a power of two, so that subtracting it is exact

# Half of everything, so that any action may move it either way.
WORKING_SHIP = {
    "fuel": 500.0,
    "hull": 60.0,
    "heat": 50.0,
    "tool": 60.0,
    "alert": 50.0,
    "credits": 5000.0,
    "cargo": [10.0, 11.0, 12.0, 13.0, 14.0, 15.0],
}

SITUATIONS = {
    "fresh-at-station": {},
    "working-at-station": WORKING_SHIP,
    "poor-at-station": {**WORKING_SHIP, "credits": 59.0},
    "full-racks-at-station": {**WORKING_SHIP, "repair_kits": 12, "stabilizers": 12, "decoys": 12, "fuel": 1000.0},
    "just-affordable-at-station": {**WORKING_SHIP, "credits": 110.0, "hull": 100.0, "tool": 100.0},
    "fresh-in-field": {"node": FIELD_NODE},
    "working-in-field": {**WORKING_SHIP, "node": FIELD_NODE, "selection": 0},
    "bare-in-field": {
        "node": FIELD_NODE,
        "selection": 1,
        "repair_kits": 0,
        "stabilizers": 0,
        "hull": 50.0,
        "tool": 50.0,
    },
    "one-commodity-in-field": {"node": FIELD_NODE, "cargo": [0.0, 0.0, 0.0, 7.0, 0.0, 0.0]},
}
situations = pytest.mark.parametrize("situation", SITUATIONS.values(), ids=SITUATIONS.keys())


def fly_into(fly: Fly, situation: dict[str, object], **config: object) -> Pilot:
    pilot = fly(**config)
    with pilot.edit() as state:
        for name, value in situation.items():
            setattr(state.ship, name, value)
        for node in state.nodes[1:]:
            node.asteroids[3].depletion = 1.0
    return pilot


@situations
def test_the_mask_is_the_precondition_of_every_action(fly: Fly, situation: dict[str, object]) -> None:
    pilot = fly_into(fly, situation)

    assert pilot.mask.tolist() == [int(is_valid(pilot.state, action)) for action in range(N_ACTIONS)]


@situations
def test_the_mask_is_sound_and_an_invalid_action_is_a_hold_that_costs_the_penalty(
    fly: Fly, situation: dict[str, object]
) -> None:
    pilot = fly_into(fly, situation, invalid_action_pen=PENALTY)
    before = pilot.state

    outcomes = pilot.try_each(EVERYTHING)
    hold = outcomes[Act.HOLD_DRIFT]

    for action, outcome in zip(EVERYTHING, outcomes, strict=True):
        record = outcome.record
        is_invalid = not is_valid(before, action)
        assert record.info["invalid_action"] is is_invalid
        assert record.received == ((action,),)
        assert record.effective == ((Act.HOLD_DRIFT if is_invalid else action,),)
        assert ("invalid_action" in record.events) is is_invalid
        if is_invalid:
            assert (outcome.state_hash, outcome.obs) == (hold.state_hash, hold.obs)
            assert (record.metrics, record.draws, record.dt) == (hold.record.metrics, hold.record.draws, hold.record.dt)
            assert record.reward_terms[0] == {**hold.record.reward_terms[0], "invalid": -PENALTY}
            assert record.rewards[0] == pytest.approx(hold.record.rewards[0] - PENALTY, abs=1e-15)
            assert set(record.events) == {"invalid_action", *hold.record.events}


def test_the_mask_stays_right_along_a_long_walk(fly: Fly) -> None:
    pilot = fly(seed=9, time_max=2000)
    rng = np.random.default_rng(5)

    for _ in range(150):
        state = pilot.state
        assert pilot.mask.tolist() == [int(is_valid(state, action)) for action in range(N_ACTIONS)]
        action = int(rng.choice(np.flatnonzero(pilot.mask[: Act.CASH_OUT_END_EPISODE])))
        assert pilot.step(action).info["invalid_action"] is False


@situations
def test_holding_burning_listening_and_cooling_are_always_valid(fly: Fly, situation: dict[str, object]) -> None:
    mask = fly_into(fly, situation).mask

    assert mask[[Act.HOLD_DRIFT, Act.EMERGENCY_BURN, Act.PASSIVE_THREAT_LISTEN, Act.ACTIVE_COOLDOWN]].all()


@pytest.mark.parametrize("actions", [[1.0], [True], np.array([2.5])], ids=["float", "bool", "array"])
def test_what_is_no_integer_raises(fly: Fly, actions: list[int]) -> None:
    with pytest.raises(TypeError, match="integers"):
        fly().batch.step(actions)


def test_a_wrong_number_of_actions_raises(fly: Fly) -> None:
    with pytest.raises(ContractError, match="shape"):
        fly().batch.step([1, 2])


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of the action table: what it does to `WORKING_SHIP`, apart from passive cooling."""

    action: int
    dt: int
    draws: int = 0
    change: dict[str, float] = field(default_factory=dict)
    becomes: dict[str, object] = field(default_factory=dict)


def without(commodity: int) -> list[float]:
    return [0.0 if other == commodity else 10.0 + other for other in range(6)]


N_ASTEROIDS = 6  # of node 1 of seed 42
N_EDGES = 3

FIELD_ROWS = [
    Row(action=6, dt=1, change={"heat": -2.5, "alert": -3.0}),
    Row(action=7, dt=1, change={"fuel": -18.0, "alert": 10.0}, becomes={"escape_ticks": 3}),
    Row(action=8, dt=3, change={"fuel": -5.0, "alert": 4.0}, draws=14 * N_ASTEROIDS),
    Row(action=9, dt=2, change={"fuel": -4.0, "alert": 3.0}, draws=14),
    Row(action=10, dt=4, change={"fuel": -8.0, "alert": 6.0}, draws=14),
    Row(action=11, dt=2, draws=2 * N_EDGES),
    Row(action=12, dt=1),
    Row(action=14, dt=1, becomes={"selection": 2}),
    Row(action=28, dt=1, change={"heat": 2.0, "tool": -0.8, "alert": 1.2}, draws=3),
    Row(action=29, dt=1, change={"heat": 4.0, "tool": -1.6, "alert": 2.2}, draws=3),
    Row(action=30, dt=1, change={"heat": 7.0, "tool": -2.8, "alert": 4.0}, draws=3),
    Row(action=31, dt=2, change={"stabilizers": -1}, becomes={"stabilize_ticks": [4] + [0] * 15}),
    Row(
        action=32,
        dt=2,
        change={"fuel": -4.0, "heat": 6.0, "alert": 3.0},
        becomes={"cargo": [8.5, 9.35, 12.0, 13.0, 14.0 + 0.65 * 0.15 * 21.0, 15.0]},
    ),
    Row(action=33, dt=2, change={"fuel": -2.0, "heat": -20.0, "alert": 1.0}),
    Row(action=34, dt=2, change={"repair_kits": -1, "tool": 25.0}),
    Row(action=35, dt=2, change={"repair_kits": -1, "hull": 20.0}),
    *(Row(action=36 + c, dt=1, change={"alert": -8.0}, becomes={"cargo": without(c)}) for c in range(6)),
]
STATION_ROWS = [
    Row(action=42, dt=1, change={"alert": -20.0}),
    Row(action=61, dt=1, change={"credits": -60.0, "fuel": 120.0}),
    Row(action=62, dt=1, change={"credits": -120.0, "fuel": 260.0}),
    Row(action=63, dt=1, change={"credits": -210.0, "fuel": 480.0}),
    Row(action=64, dt=1, change={"credits": -150.0, "repair_kits": 1}),
    Row(action=65, dt=1, change={"credits": -175.0, "stabilizers": 1}),
    Row(action=66, dt=1, change={"credits": -110.0, "decoys": 1}),
    Row(action=67, dt=3, change={"credits": -280.0}, becomes={"hull": 100.0, "tool": 100.0}),
]
MINED = (Act.MINE_CONSERVATIVE_SELECTED, Act.MINE_STANDARD_SELECTED, Act.MINE_AGGRESSIVE_SELECTED)
SHIP_FIELDS = (
    *("node", "selection", "fuel", "hull", "heat", "tool", "alert", "credits"),
    *("cargo", "repair_kits", "stabilizers", "decoys", "escape_ticks", "stabilize_ticks"),
)


def check_row(pilot: Pilot, row: Row, draws_per_step: int) -> None:
    before = pilot.state

    record = pilot.step(row.action)

    after = pilot.state
    expected: dict[str, object] = {}
    for name in SHIP_FIELDS:
        value = getattr(before.ship, name)
        expected[name] = row.becomes.get(name, value + row.change[name] if name in row.change else value)
    expected["heat"] = max(0.0, before.ship.heat + row.change.get("heat", 0.0) - 2.5 * row.dt)
    if row.action in MINED:
        expected["cargo"] = after.ship.cargo  # the yield has a test of its own
    for name, value in expected.items():
        assert getattr(after.ship, name) == pytest.approx(value, abs=1e-9), name
    assert record.dt == row.dt
    assert after.ticks == before.ticks + row.dt
    assert after.time_remaining == before.time_remaining - row.dt
    assert record.draws - before.rng.draws == draws_per_step + row.draws


@pytest.mark.parametrize("row", FIELD_ROWS, ids=lambda row: f"action-{row.action}")
def test_an_action_in_the_field_has_its_cost_effect_duration_and_draws(fly: Fly, row: Row) -> None:
    pilot = fly_into(fly, {**WORKING_SHIP, "node": FIELD_NODE, "selection": 0}, **QUIET, fractures=False)
    assert (len(pilot.state.here.asteroids), len(pilot.state.here.edges)) == (N_ASTEROIDS, N_EDGES)

    check_row(pilot, row, FIELD_DRAWS)


@pytest.mark.parametrize("row", STATION_ROWS, ids=lambda row: f"action-{row.action}")
def test_an_action_at_the_station_has_its_cost_effect_duration_and_draws(fly: Fly, row: Row) -> None:
    pilot = fly_into(fly, WORKING_SHIP)

    check_row(pilot, row, STATION_DRAWS)

    spent = -row.change.get("credits", 0.0)
    assert pilot.state.counters.total_spend == spent


@pytest.mark.parametrize("action", range(Act.SELL_COMMODITY, Act.BUY_FUEL_SMALL))
def test_selling_takes_its_share_of_one_commodity(fly: Fly, action: int) -> None:
    pilot = fly_into(fly, WORKING_SHIP)
    before = pilot.state
    commodity, bucket = divmod(action - 43, 3)

    record = pilot.step(action)

    after = pilot.state
    sold = before.ship.cargo[commodity] * (0.25, 0.5, 1.0)[bucket]
    kept = list(before.ship.cargo)
    kept[commodity] -= sold
    assert after.ship.cargo == pytest.approx(kept, abs=1e-12)
    assert after.ship.credits > before.ship.credits
    assert (record.dt, record.draws - before.rng.draws) == (1, STATION_DRAWS)


@pytest.mark.parametrize("slot", range(5))
def test_travel_out_costs_loaded_fuel_and_draws_for_edge_and_node(fly: Fly, slot: int) -> None:
    pilot = fly_into(fly, WORKING_SHIP, **QUIET)
    before = pilot.state
    edge = before.here.edges[slot]

    record = pilot.step(Act.TRAVEL_NEIGHBOR + slot)

    after = pilot.state
    assert after.ship.node == edge.neighbor
    assert record.dt == edge.travel_ticks
    assert after.ship.fuel == pytest.approx(before.ship.fuel - edge.fuel * (1 + 0.5 * (75.0 / 200)), abs=1e-9)
    assert record.draws - before.rng.draws == 2 + FIELD_DRAWS


def test_travel_home_draws_no_pirates(fly: Fly) -> None:
    pilot = fly_into(fly, {**WORKING_SHIP, "node": FIELD_NODE, "selection": 0, "stabilize_ticks": [6] * 16})
    before = pilot.state
    home = next(slot for slot, edge in enumerate(before.here.edges) if edge.neighbor == 0)

    record = pilot.step(Act.TRAVEL_NEIGHBOR + home)

    after = pilot.state
    assert record.draws - before.rng.draws == 1 + STATION_DRAWS
    assert after.ship.node == 0
    assert after.ship.selection == -1
    assert after.ship.stabilize_ticks == [0] * 16


def test_purchases_and_repairs_stop_at_the_maximum(fly: Fly) -> None:
    pilot = fly_into(fly, {**WORKING_SHIP, "fuel": 990.0, "hull": 95.0, "tool": 90.0})

    for action in (Act.BUY_FUEL_SMALL, Act.TOOL_MAINTENANCE, Act.HULL_PATCH):
        pilot.step(action)

    ship = pilot.state.ship
    assert (ship.fuel, ship.hull, ship.tool) == (1000.0, 100.0, 100.0)
    assert pilot.mask[[Act.BUY_FUEL_SMALL, Act.TOOL_MAINTENANCE, Act.HULL_PATCH]].tolist() == [0, 0, 0]


@pytest.mark.parametrize("action", [Act.HOLD_DRIFT, Act.DOCK, Act.JETTISON_COMMODITY])
def test_alert_never_falls_below_zero(fly: Fly, action: int) -> None:
    pilot = fly_into(fly, {"alert": 1.0, "cargo": [5.0] * 6})

    pilot.step(action)

    assert pilot.state.ship.alert == 0.0


def test_cashing_out_ends_the_episode(fly: Fly) -> None:
    record = fly().step(Act.CASH_OUT_END_EPISODE)

    assert record.terminated == (True,)
    assert record.dt == 1
    assert record.info["end_reason"] == "cash_out"
