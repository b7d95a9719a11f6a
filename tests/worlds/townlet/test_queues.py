import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diorama.worlds.townlet.codes import NOBODY, NOTHING, Primitive
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.systems.queues import assign_next, free, keep_queues, request
from diorama.worlds.townlet.reference.systems.ties import set_tie
from tests.worlds.townlet.towns import PRIMITIVE, SOCIAL, obj, of_kind, put, put_at, tick, town_of

AROUND_THE_SHOWER = ((39, 18), (40, 18), (39, 19), (38, 18), (38, 19))
OFTEN = (*[Primitive.INTERACT_0] * 6, *[Primitive.WAIT] * 6, *Primitive)
SEEN = (EventKind.AFFORDANCE_START, EventKind.AFFORDANCE_FINISH, EventKind.QUEUE_CONFLICT)


def _at_the_shower(town: Town) -> list[Citizen]:
    """Everybody within reach of the first shower, the first on its use tile."""
    citizens = town.living()
    for citizen, (x, y) in zip(citizens, AROUND_THE_SHOWER, strict=False):
        put(town, citizen, x, y)
    return citizens


def test_the_first_to_ask_holds_and_the_others_wait_in_order() -> None:
    town = town_of(population=3)
    first, second, third = _at_the_shower(town)
    shower = obj(town, "shower_1")

    assert request(town, first, shower)
    assert not request(town, second, shower)
    assert not request(town, third, shower)
    assert not request(town, second, shower)

    assert (first.holding, second.queued, third.queued) == (shower, shower, shower)
    assert [entry.seat for entry in town.objects[shower].queue] == [1, 2]


def test_asking_from_too_far_away_is_refused() -> None:
    town = town_of()
    (citizen,) = town.living()
    put(town, citizen, 39, 20)
    put(town, citizen, 43, 20)

    assert not request(town, citizen, obj(town, "shower_1"))
    assert town.queues.requests == 0


def test_a_home_is_closed_to_others() -> None:
    town = town_of(population=3)
    _, _, guest = town.living()
    put_at(town, guest, "fridge_1")

    assert not request(town, guest, obj(town, "fridge_1"))


def test_waiting_long_makes_up_for_places() -> None:
    town = town_of(population=3)
    first, second, third = _at_the_shower(town)
    shower = obj(town, "shower_1")
    request(town, first, shower)
    request(town, second, shower)
    request(town, third, shower)
    state = town.objects[shower]
    state.queue[0].joined_tick, state.queue[1].joined_tick = 20, 5
    town.tick = 21

    free(town, shower)
    assign_next(town, shower)

    assert state.holder == third.seat  # 1 - 0.1 * 16 is less than 0 - 0.1 * 1


def test_one_object_at_a_time_and_a_full_queue_refuses() -> None:
    town = town_of({"queue_fairness": {"queue_capacity": 1}}, population=3)
    first, second, third = _at_the_shower(town)
    one, two = obj(town, "shower_1"), obj(town, "shower_2")
    request(town, first, one)
    request(town, second, one)
    assert not request(town, third, one)
    assert third.queued == NOTHING
    put_at(town, first, "shower_2")

    assert request(town, first, two)

    assert town.objects[one].holder == second.seat
    assert first.holding == two


def test_reservations_and_waits_time_out() -> None:
    town = town_of(population=2)
    first, second = _at_the_shower(town)
    shower = obj(town, "shower_1")
    request(town, first, shower)
    request(town, second, shower)
    town.events.clear()
    town.tick = 31

    keep_queues(town)

    assert of_kind(town, town.events, EventKind.RESERVATION_TIMEOUT)[0]["waited"] == 31
    assert of_kind(town, town.events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "timeout"
    assert (town.objects[shower].holder, first.holding) == (second.seat, NOTHING)


def test_a_holder_who_stalls_is_ghost_stepped_to_the_end_of_the_line() -> None:
    town = town_of(PRIMITIVE, SOCIAL, population=2)
    first, second = _at_the_shower(town)
    shower = obj(town, "shower_1")
    request(town, first, shower)
    request(town, second, shower)

    events = tick(town, {}, 2)
    assert town.objects[shower].stall == 2
    events = tick(town, {})

    assert (town.objects[shower].holder, first.queued) == (second.seat, shower)
    assert of_kind(town, events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "ghost_step"
    (conflict,) = of_kind(town, events, EventKind.QUEUE_CONFLICT)
    assert conflict == {
        "object_id": "shower_1",
        "actor": "citizen_000",
        "rival": "citizen_001",
        "reason": "ghost_step",
        "queue_length": 1,
        "intensity": 1.5,
    }
    assert first.ties[0].rivalry == second.ties[0].rivalry == 0.15 * 1.5
    assert (town.queues.ghost_step_events, town.queues.rotation_events) == (1, 1)


def test_a_running_shower_is_never_interrupted_by_those_who_wait() -> None:
    town = town_of(PRIMITIVE, population=3)
    _at_the_shower(town)

    events = tick(town, {0: Primitive.INTERACT_0, 1: Primitive.INTERACT_0, 2: Primitive.INTERACT_0})
    events += tick(town, {}, 28)
    assert town.objects[obj(town, "shower_1")].holder == 0
    assert town.queues.ghost_step_events == 0
    events += tick(town, {})

    assert not of_kind(town, events, EventKind.AFFORDANCE_FAIL)
    assert of_kind(town, events, EventKind.QUEUE_CONFLICT)[0]["reason"] == "handover"
    assert town.objects[obj(town, "shower_1")].holder == 1


def test_a_friend_is_waved_to_the_front() -> None:
    town = town_of(PRIMITIVE, SOCIAL, population=3)
    first, _, third = _at_the_shower(town)
    tick(town, {0: Primitive.INTERACT_0, 1: Primitive.INTERACT_0, 2: Primitive.INTERACT_0})

    set_tie(town, first, third.seat, 0.5, 0.5, None)

    events = tick(town, {}, 29)

    assert of_kind(town, events, EventKind.QUEUE_INTERACTION) == [
        {"object_id": "shower_1", "actor": "citizen_000", "other": "citizen_002", "variant": "favour"}
    ]
    assert town.objects[obj(town, "shower_1")].holder == third.seat
    assert not of_kind(town, events, EventKind.QUEUE_CONFLICT)


def test_yielding_changes_places_politely() -> None:
    town = town_of(PRIMITIVE, SOCIAL, population=2)
    first, second = _at_the_shower(town)
    shower = obj(town, "shower_1")
    request(town, first, shower)
    request(town, second, shower)
    town.tick = 1  # no hourly fading

    events = tick(town, {0: Primitive.YIELD})

    assert of_kind(town, events, EventKind.QUEUE_INTERACTION)[0]["variant"] == "yield"
    assert (town.objects[shower].holder, first.queued) == (second.seat, shower)
    assert first.ties[0].trust == 0.05
    assert first.last_success


def _check(town: Town) -> None:
    places: dict[int, int] = {}
    for index, state in enumerate(town.objects):
        seats = [seat for seat in (state.holder, *(entry.seat for entry in state.queue)) if seat != NOBODY]
        for seat in seats:
            assert seat not in places, "one object at a time"
            places[seat] = index
            assert town.seats[seat] is not None
        if state.running != NOTHING:
            assert town.citizen(state.holder).is_running
        assert state.holder != NOBODY or not state.queue, "somebody waits for nobody"
    for citizen in town.living():
        assert places.get(citizen.seat, NOTHING) == max(citizen.holding, citizen.queued)
        assert not citizen.is_running or town.objects[citizen.holding].running != NOTHING


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.integers(0, 11), min_size=5, max_size=5), min_size=20, max_size=60), st.integers(0, 3))
def test_the_invariants_hold_whatever_people_do(steps: list[list[int]], patience: int) -> None:
    town = town_of(
        PRIMITIVE, SOCIAL, {"queue_fairness": {"ghost_step_after": patience, "cooldown_ticks": 5}}, population=5
    )
    _at_the_shower(town)
    for actions in steps:
        tick(town, dict(enumerate(actions)))
        _check(town)


@pytest.mark.slow
@pytest.mark.parametrize("patience", [0, 1, 3])
def test_the_invariants_hold_for_ten_thousand_operations(patience: int) -> None:
    rules = {"ghost_step_after": patience, "cooldown_ticks": 5}
    town = town_of(
        PRIMITIVE,
        SOCIAL,
        {"queue_fairness": rules, "features": {"systems": {"lifecycle": "off"}}},
        population=5,
    )
    chance, told = random.Random(patience), Counter[tuple[EventKind, object]]()
    for number in range(2000):
        for citizen in town.living() if number % 40 == 0 else ():
            citizen.wallet = 100.0
            if citizen.holding == citizen.queued == NOTHING:
                put(town, citizen, *chance.choice(AROUND_THE_SHOWER))

        events = tick(town, {seat: chance.choice(OFTEN) for seat in range(5)})

        _check(town)
        told.update((kind, row.get("reason")) for kind in SEEN for row in of_kind(town, events, kind))
        for row in of_kind(town, events, EventKind.AFFORDANCE_FAIL):
            assert row["reason"] != "ghost_step" or row["affordance_id"] is None, "what runs is never interrupted"
    assert min(told[kind, None] for kind in (EventKind.AFFORDANCE_START, EventKind.AFFORDANCE_FINISH)) > 10
    assert (told[EventKind.QUEUE_CONFLICT, "ghost_step"] > 10) == (patience > 0)
