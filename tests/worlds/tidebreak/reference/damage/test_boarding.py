"""Boarding: the connection with all its breaks, the transfer, and the fight by tier."""

from collections.abc import Callable

import pytest

from diorama.worlds.tidebreak.codes import BoardingStatus, CaptureMethod, ConnectionState, System, UnitStatus
from diorama.worlds.tidebreak.reference.components import Scratch
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.boarding import resolve_boarding, transfer_rate
from diorama.worlds.tidebreak.reference.systems.boarding_fights import beachhead_marines, fight_aboard, odds
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, ship

NONE, APPROACHING, LATCHING, DOCKED, TRANSFERRING = ConnectionState


def alongside(class_id: str = "freighter", *, seed: int = 7, gap_m: float = 40.0) -> tuple[Battle, Unit, Unit]:
    """A transport with 300 marines beside a target."""
    battle = battle_of(
        ship("assault_transport", 0), ship(class_id, 1, x=500.0), ship("corvette", 1, y=9000.0), seed=seed
    )
    attacker, target = battle.units[:2]
    target.transform.x = attacker.spec.hull.radius_m + target.spec.hull.radius_m + gap_m
    return battle, attacker, target


def run(battle: Battle, ticks: int = 1, *, order: int = 2, spoil: Callable[[Battle], object] | None = None) -> None:
    """Let boardings go on; the first unit is ordered to board `order`, and `spoil` happens before each tick."""
    for _ in range(ticks):
        for unit in battle.units:
            unit.scratch = Scratch()
        battle.units[0].scratch.board_target = order
        if spoil is not None:
            spoil(battle)
        resolve_boarding(battle, Outputs())
        battle.tick += 1


def at_state(state: ConnectionState) -> tuple[Battle, Unit, Unit]:
    battle, attacker, target = alongside()
    run(battle, {LATCHING: 1, DOCKED: 9, TRANSFERRING: 11}[state])
    assert attacker.boarding.state == state
    return battle, attacker, target


def test_the_connection_takes_eight_ticks_to_latch_and_two_to_open() -> None:
    battle, attacker, _ = alongside()
    states = []
    for _ in range(12):
        run(battle)
        states.append(attacker.boarding.state)

    assert states == [LATCHING] * 8 + [DOCKED] * 2 + [TRANSFERRING] * 2
    assert attacker.boarding.status == BoardingStatus.ATTEMPTED
    assert [event.i0 for event in events(battle, EventKind.BOARDING_STATE)] == [1, 2, 3, 4]


def both_run_fast(battle: Battle) -> None:
    for unit in battle.units[:2]:
        unit.motion.vx = 4.1


@pytest.mark.parametrize(
    "obstacle",
    [
        pytest.param(lambda battle: setattr(battle.units[1].transform, "x", 137.0), id="gap"),
        pytest.param(lambda battle: setattr(battle.units[0].motion, "vx", 3.1), id="relative-speed"),
        pytest.param(both_run_fast, id="target-too-fast"),
    ],
)
def test_it_only_approaches_while_something_is_in_the_way(obstacle: Callable[[Battle], object]) -> None:
    battle, attacker, _ = alongside()

    run(battle, 3, spoil=obstacle)

    assert attacker.boarding.state == APPROACHING


@pytest.mark.parametrize("status", [UnitStatus.DEAD_IN_WATER, UnitStatus.SURRENDERED])
def test_a_helpless_target_may_drift_fast(status: UnitStatus) -> None:
    battle, attacker, target = alongside()
    target.mark(status)
    attacker.motion.vx = target.motion.vx = 6.0

    run(battle)

    assert attacker.boarding.state == LATCHING


BREAKS = [
    pytest.param(lambda battle: setattr(battle.units[0].motion, "vx", 4.1), id="relative-speed"),
    pytest.param(lambda battle: setattr(battle.units[1].transform, "x", 177.0), id="gap"),
    pytest.param(lambda battle: setattr(battle.units[0].scratch, "effective_taken", 56.0), id="damage"),
    pytest.param(lambda battle: battle.units[0].scratch.collided_ids.append(3), id="collision-with-a-third"),
    pytest.param(lambda battle: battle.units[0].mark(UnitStatus.DISABLED), id="attacker-out"),
]


@pytest.mark.parametrize("state", [LATCHING, DOCKED, TRANSFERRING], ids=lambda state: state.name)
@pytest.mark.parametrize("spoil", BREAKS)
def test_every_break_throws_the_attacker_back(state: ConnectionState, spoil: Callable[[Battle], object]) -> None:
    battle, attacker, _ = at_state(state)

    run(battle, spoil=spoil)

    assert attacker.boarding.state == APPROACHING
    assert attacker.boarding.timer == 0


def test_what_does_not_break_it() -> None:
    battle, attacker, _ = at_state(LATCHING)

    def annoy(battle: Battle) -> None:
        battle.units[0].motion.vx = 3.9
        battle.units[0].scratch.effective_taken = 55.0
        battle.units[0].scratch.collided_ids.append(2)

    run(battle, spoil=annoy)

    assert attacker.boarding.state == LATCHING


def test_latching_needs_the_order_every_tick_and_docked_states_do_not() -> None:
    battle, attacker, _ = at_state(LATCHING)
    run(battle, order=0)
    assert attacker.boarding.state == APPROACHING
    run(battle, order=0)
    assert attacker.boarding.state == NONE

    battle, attacker, _ = at_state(DOCKED)
    run(battle, 5, order=0)
    assert attacker.boarding.state == TRANSFERRING


def test_marines_already_aboard_stay_through_a_break() -> None:
    battle, attacker, _ = at_state(TRANSFERRING)
    run(battle, 5)
    aboard = attacker.boarding.transferred
    assert aboard > 0.0

    run(battle, spoil=lambda battle: setattr(battle.units[1].transform, "x", 177.0))

    assert (attacker.boarding.state, attacker.boarding.transferred) == (APPROACHING, aboard)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda battle: setattr(battle.units[0].crew, "marines", 0.0), id="no-marines"),
        pytest.param(lambda battle: setattr(battle.units[1].layer, "layer", 1), id="target-below"),
        pytest.param(lambda battle: setattr(battle.units[0].layer, "mode", 1), id="attacker-in-transit"),
        pytest.param(lambda battle: battle.units[0].mark(UnitStatus.SURRENDERED), id="attacker-out"),
    ],
)
def test_who_cannot_board_does_not_begin(spoil: Callable[[Battle], object]) -> None:
    battle, attacker, _ = alongside()

    run(battle, spoil=spoil)

    assert attacker.boarding.state == NONE
    assert attacker.scratch.invalid == 1


def test_guns_seas_and_damage_slow_the_transfer() -> None:
    battle, attacker, target = at_state(TRANSFERRING)
    assert transfer_rate(battle, attacker, target) == pytest.approx(2.0 * 0.3)

    target.hull.systems[System.WEAPONS] = 0.0
    assert transfer_rate(battle, attacker, target) == pytest.approx(2.0)

    attacker.boarding.damage_window = 0.04
    assert transfer_rate(battle, attacker, target) == pytest.approx(1.5)


def test_marines_move_and_are_not_made() -> None:
    battle, attacker, target = at_state(TRANSFERRING)
    target.hull.systems[System.WEAPONS] = 0.0
    attacker.crew.marines = 3.0

    run(battle, 3)

    assert (attacker.crew.marines, attacker.boarding.transferred) == (0.0, 3.0)


def test_a_surrendered_target_is_captured_at_once_when_docked() -> None:
    battle, attacker, target = alongside("dreadnought")
    target.mark(UnitStatus.SURRENDERED)

    run(battle, 9)

    assert target.has(UnitStatus.CAPTURED)
    assert target.memory.capture_method == CaptureMethod.SURRENDERED
    assert target.memory.captor_team == attacker.team
    assert attacker.boarding.state == NONE
    assert attacker.scratch.captured_cost == attacker.scratch.credited_cost == 1000.0


def test_odds_weigh_numbers_morale_and_bulkheads() -> None:
    _, attacker, target = alongside("frigate")
    attacker.boarding.transferred = 50.0
    attack = 50.0 * (0.6 + 0.8 * 0.7)
    defense = (0.25 * 240.0 + 20.0) * (0.6 + 0.8 * 0.7) * (1.0 + 0.3 * 0.7)

    assert odds(attacker, target) == pytest.approx(attack / (attack + defense))


def test_defenders_of_a_burning_compartment_count_half() -> None:
    _, attacker, target = alongside("dreadnought")
    attacker.boarding.transferred = 50.0
    before = odds(attacker, target)
    for index in range(4):
        target.compartments[index].fire = 0.6

    assert (1.0 / odds(attacker, target) - 1.0) == pytest.approx(0.75 * (1.0 / before - 1.0))


def test_an_overwhelmed_ship_is_taken_after_twenty_ticks() -> None:
    battle, attacker, target = at_state(TRANSFERRING)
    attacker.boarding.transferred = 200.0

    run(battle, 19)
    assert not target.has(UnitStatus.CAPTURED)
    run(battle, 1)

    assert target.has(UnitStatus.CAPTURED)
    assert target.memory.capture_method == CaptureMethod.BOARDED
    assert events(battle, EventKind.CAPTURED)[0].target == target.id


def test_a_few_marines_are_thrown_back() -> None:
    battle, attacker, target = alongside("frigate")
    target.hull.systems[System.WEAPONS] = 0.0
    attacker.crew.marines = 2.0

    run(battle, 300)

    assert attacker.boarding.status == BoardingStatus.REPULSED
    assert events(battle, EventKind.REPULSED)
    assert attacker.memory.attacker_losses == pytest.approx(2.0)
    assert not target.has(UnitStatus.CAPTURED)


def test_both_sides_lose_people_every_round() -> None:
    battle, attacker, target = at_state(TRANSFERRING)
    attacker.crew.marines, attacker.boarding.transferred, attacker.boarding.timer = 0.0, 4.0, 19
    share = odds(attacker, target)

    run(battle)

    assert attacker.boarding.transferred == pytest.approx(4.0 * (1.0 - 0.15 * (1.0 - share)))
    assert target.crew.security == pytest.approx(2.0 * (1.0 - 0.15 * share))
    assert target.crew.running_loss == pytest.approx(28.0 * 0.15 * share)


def test_a_proud_crew_may_sink_its_ship_under_the_boarders() -> None:
    scuttled = 0
    for seed in range(1, 201):
        battle, attacker, target = alongside(seed=seed)
        attacker.boarding.target_id, attacker.boarding.state = target.id, TRANSFERRING
        attacker.boarding.transferred, attacker.boarding.timer = 1.5, 20
        target.hull.hp, target.morale.morale = 100.0, 0.9
        fight_aboard(battle, attacker, target)
        scuttled += target.has(UnitStatus.SCUTTLED)

    assert scuttled / 200 == pytest.approx(0.1, abs=0.06)


def test_a_capital_falls_station_by_station() -> None:
    battle, attacker, target = alongside("dreadnought")
    attacker.boarding.target_id, attacker.boarding.state, attacker.boarding.timer = target.id, TRANSFERRING, 1
    attacker.boarding.transferred, target.crew.security, target.crew.alive = 300.0, 0.0, 0

    seen = []
    for _ in range(600):
        fight_aboard(battle, attacker, target)
        seen.append(tuple(attacker.boarding.progress))
        if target.has(UnitStatus.CAPTURED):
            break

    assert len(seen) == pytest.approx(3 / (0.01 * 0.6), abs=3)
    assert seen[100][1:] == (0.0, 0.0)
    assert target.hull.systems[System.WEAPONS] == target.hull.systems[System.SENSORS] == 0.5
    assert target.memory.capture_method == CaptureMethod.BOARDED


def test_weak_boarders_lose_ground_on_a_capital() -> None:
    battle, attacker, target = alongside("dreadnought")
    attacker.boarding.target_id, attacker.boarding.timer = target.id, 1
    attacker.boarding.transferred, attacker.boarding.progress = 20.0, [0.002, 0.0, 0.0]

    for _ in range(5):
        fight_aboard(battle, attacker, target)

    assert attacker.boarding.progress == [0.0, 0.0, 0.0]


def test_a_city_is_besieged_and_never_captured() -> None:
    battle, attacker, target = alongside("arcology")
    assert beachhead_marines(target) == 400.0
    attacker.boarding.target_id, attacker.boarding.state = target.id, TRANSFERRING
    attacker.boarding.transferred, attacker.boarding.attached_ticks = 399.0, 60
    fight_aboard(battle, attacker, target)
    assert attacker.boarding.status == BoardingStatus.NONE

    attacker.boarding.transferred = 400.0
    fight_aboard(battle, attacker, target)

    assert attacker.boarding.status == BoardingStatus.ESTABLISHED
    assert attacker.boarding.state == NONE
    assert attacker.memory.breach_quality == pytest.approx(0.4 * 0.5 + 0.3 * 0.5)
    assert attacker.memory.entry_district == 7
    assert not target.has(UnitStatus.CAPTURED)
    run(battle, 30)
    assert attacker.boarding.state == NONE
