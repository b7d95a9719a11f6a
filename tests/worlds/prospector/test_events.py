import numpy as np
import pytest

from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import EVENT_PAYLOADS, Act, Event
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import QUIET, find_rng

BITS = [event.value for event in Event]
FIELD = {"node": 1, "selection": 0, "cargo": [10.0] * 6, "hull": 60.0, "tool": 60.0}
STATION = {"cargo": [10.0] * 6, "credits": 5000.0, "hull": 60.0, "fuel": 950.0}

PAYLOADS = [
    pytest.param({}, 200, "invalid_action", {"received": 200}, id="invalid_action"),
    pytest.param(FIELD, Act.EMERGENCY_BURN, "emergency_burn", None, id="emergency_burn"),
    pytest.param(FIELD, Act.WIDE_SCAN, "scan", {"mode": "wide", "asteroids": 6}, id="wide_scan"),
    pytest.param(FIELD, Act.FOCUSED_SCAN_SELECTED, "scan", {"mode": "focused", "asteroids": 1}, id="focused_scan"),
    pytest.param(FIELD, Act.DEEP_SCAN_SELECTED, "scan", {"mode": "deep", "asteroids": 1}, id="deep_scan"),
    pytest.param(FIELD, Act.PASSIVE_THREAT_LISTEN, "threat_listen", None, id="threat_listen"),
    pytest.param(FIELD, Act.SELECT_ASTEROID + 2, "select", {"asteroid": 2}, id="select"),
    pytest.param(FIELD, Act.STABILIZE_SELECTED, "stabilize", {"asteroid": 0}, id="stabilize"),
    pytest.param(FIELD, Act.ACTIVE_COOLDOWN, "cooldown", None, id="cooldown"),
    pytest.param(FIELD, Act.TOOL_MAINTENANCE, "repair", {"what": "tool", "amount": 25.0}, id="repair_tool"),
    pytest.param({**FIELD, "hull": 95.0}, Act.HULL_PATCH, "repair", {"what": "hull", "amount": 5.0}, id="repair_hull"),
    pytest.param(
        FIELD, Act.JETTISON_COMMODITY + 2, "jettison", {"commodity": "water_ice", "units": 10.0}, id="jettison"
    ),
    pytest.param(STATION, Act.DOCK, "dock", None, id="dock"),
    pytest.param(
        STATION, Act.BUY_FUEL_SMALL, "buy", {"item": "fuel", "quantity": 50.0, "cost": 60.0}, id="buy_fuel_that_fits"
    ),
    pytest.param(
        STATION, Act.BUY_REPAIR_KIT, "buy", {"item": "repair_kit", "quantity": 1.0, "cost": 150.0}, id="buy_repair_kit"
    ),
    pytest.param(
        STATION, Act.BUY_STABILIZER, "buy", {"item": "stabilizer", "quantity": 1.0, "cost": 175.0}, id="buy_stabilizer"
    ),
    pytest.param(STATION, Act.BUY_DECOY, "buy", {"item": "decoy", "quantity": 1.0, "cost": 110.0}, id="buy_decoy"),
    pytest.param(STATION, Act.FULL_REPAIR_OVERHAUL, "overhaul", {"cost": 280.0}, id="overhaul"),
    pytest.param(STATION, Act.CASH_OUT_END_EPISODE, "cash_out", {"credits": 5000.0}, id="cash_out"),
]


@pytest.mark.parametrize(("ship", "action", "name", "payload"), PAYLOADS)
def test_an_action_emits_its_event_with_its_payload(
    fly: Fly, ship: dict[str, object], action: int, name: str, payload: dict[str, object] | None
) -> None:
    pilot = fly(**QUIET)
    pilot.put(**ship)

    record = pilot.step(action)

    ending = {"terminated"} if name == "cash_out" else set()
    assert set(record.events) == {name} | ending
    assert dict(record.event_data) == ({} if payload is None else {name: payload})


def test_a_hold_emits_nothing(fly: Fly) -> None:
    record = fly().step(Act.HOLD_DRIFT)

    assert record.events == ()
    assert dict(record.event_data) == {}


def test_travel_tells_where_from_where_to_and_what_it_burnt(fly: Fly) -> None:
    pilot = fly(**QUIET)
    before = pilot.put(cargo=[100.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    edge = before.here.edges[2]

    record = pilot.step(Act.TRAVEL_NEIGHBOR + 2)

    burnt = edge.fuel * 1.25
    assert record.event_data["travel"] == {"from": 0, "to": edge.neighbor, "slot": 2, "fuel": pytest.approx(burnt)}


@pytest.mark.parametrize(
    ("action", "mode"),
    [
        (Act.MINE_CONSERVATIVE_SELECTED, "conservative"),
        (Act.MINE_STANDARD_SELECTED, "standard"),
        (Act.MINE_AGGRESSIVE_SELECTED, "aggressive"),
    ],
)
def test_mining_tells_its_mode_and_what_came_up(fly: Fly, action: int, mode: str) -> None:
    pilot = fly(**QUIET, fractures=False)
    pilot.put(**{**FIELD, "cargo": [0.0] * 6})

    payload = pilot.step(action).event_data["mine"]

    cargo = pilot.state.ship.cargo
    assert payload == {"mode": mode, "units": cargo, "total": pytest.approx(sum(cargo))}


def test_a_fracture_is_also_a_depletion(fly: Fly) -> None:
    pilot = fly(**QUIET)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection = 1, 4
        state.rng = find_rng(lambda draws: draws[2] < 0.01)

    record = pilot.step(Act.MINE_AGGRESSIVE_SELECTED)

    hull = 100.0 - pilot.state.ship.hull
    assert record.events == ("mine", "fracture", "asteroid_depleted")
    assert record.event_data["fracture"] == {"asteroid": 4, "hull": pytest.approx(hull)}
    assert record.event_data["asteroid_depleted"] == {"asteroid": 4}


def test_two_encounters_in_one_step_are_summed(fly: Fly) -> None:
    # Draws of a leg into the field: edge hazard, encounter, loss, decoy, hull, node hazard, encounter.
    rng = find_rng(lambda draws: draws[1] < 0.02 and draws[3] > 0.6 and draws[6] < 0.02)
    pilot = fly(hazards=False)
    with pilot.edit() as state:
        state.ship.cargo, state.rng = [20.0] * 6, Pcg32(rng.state, rng.inc)
    rng.advance(2)
    first_loss = rng.uniform(0.08, 0.20)
    rng.advance(4)
    second_loss = rng.uniform(0.08, 0.20)
    has_worked = rng.f64() < 0.6

    record = pilot.step(Act.TRAVEL_NEIGHBOR)

    after, payload = pilot.state, record.event_data["pirate_encounter"]
    assert payload["count"] == after.counters.pirate_encounters == 2
    assert payload["value_lost"] == pytest.approx(after.counters.value_lost_to_pirates)
    assert payload["hull"] == pytest.approx(100.0 - after.ship.hull)
    assert payload["decoy_used"] == 1 - after.ship.decoys == int(has_worked)
    assert payload["loss_frac"] == pytest.approx(first_loss + second_loss * (0.3 if has_worked else 1.0))


@pytest.mark.parametrize(
    ("cause", "ship", "action", "config"),
    [
        pytest.param("node_hazard", {"node": 1, "hull": 1e-9}, Act.HOLD_DRIFT, {"pirates": False}, id="node_hazard"),
        pytest.param(
            "overheat",
            {"heat": 100.0, "hull": 1.0, "cargo": [9.0] * 6},
            Act.REFINE_ONBOARD,
            {},
            id="overheat",
        ),
    ],
)
def test_destruction_names_what_hit_the_hull_last(
    fly: Fly, cause: str, ship: dict[str, object], action: int, config: dict[str, bool]
) -> None:
    pilot = fly(**config)
    pilot.put(**ship)

    record = pilot.step(action)

    assert record.event_data["destroyed"] == {"cause": cause}
    assert record.events[-2:] == ("destroyed", "terminated")


def test_a_ship_can_be_destroyed_on_its_way_home(fly: Fly) -> None:
    pilot = fly()
    state = pilot.put(node=1, hull=1e-9)
    home = next(slot for slot, edge in enumerate(state.here.edges) if edge.neighbor == 0)

    record = pilot.step(Act.TRAVEL_NEIGHBOR + home)

    assert record.event_data["destroyed"] == {"cause": "edge_hazard"}


@pytest.mark.parametrize(
    ("cause", "action", "wanted"),
    [
        pytest.param("pirate", Act.HOLD_DRIFT, 1, id="pirate"),
        pytest.param("fracture", Act.MINE_STANDARD_SELECTED, 2, id="fracture"),
    ],
)
def test_pirates_and_fractures_can_destroy(fly: Fly, cause: str, action: int, wanted: int) -> None:
    pilot = fly(hazards=False)
    rng = find_rng(lambda draws: draws[wanted] < 0.01 and all(draw > 0.5 for draw in draws[wanted + 1 :]))
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.ship.hull, state.rng = 1, 0, 0.5, rng

    record = pilot.step(action)

    assert record.event_data["destroyed"] == {"cause": cause}


def test_event_bits_names_and_payloads_agree_along_a_walk(fly: Fly) -> None:
    pilot = fly(seed=8)
    rng = np.random.default_rng(2)
    seen: set[str] = set()

    for _ in range(250):
        record = pilot.step(int(rng.choice(np.flatnonzero(pilot.mask))) if rng.random() < 0.9 else 99)

        bits = [name for bit, name in enumerate(BITS) if int(pilot.batch.events[0]) >> bit & 1]
        assert list(record.events) == bits
        for name, payload in record.event_data.items():
            assert tuple(payload) == EVENT_PAYLOADS[Event(name)]
        assert set(record.event_data) == {name for name in record.events if Event(name) in EVENT_PAYLOADS}
        seen.update(record.events)

    assert {"travel", "scan", "select", "invalid_action", "terminated"} <= seen
