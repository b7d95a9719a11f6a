import pytest

from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING, FailReason, PerturbationKind, Primitive, Utility
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.systems.affordances import fail_running, start
from diorama.worlds.townlet.reference.systems.perturbations.effects import activate
from diorama.worlds.townlet.reference.systems.queues import request
from tests.worlds.townlet.towns import obj, of_kind, put_at, tick, town_of

PRIMITIVE = {
    "policy_runtime": {"action_level": "primitive"},
    "rewards": {"decay_rates": dict.fromkeys(NEED_NAMES, 0.0)},
}


@pytest.fixture
def town() -> Town:
    return town_of(PRIMITIVE)


def _user(town: Town, object_id: str) -> Citizen:
    (citizen,) = town.living()
    put_at(town, citizen, object_id)
    citizen.needs = [0.5, 0.5, 0.5]
    return citizen


@pytest.mark.parametrize(
    ("object_id", "duration", "needs", "price"),
    [
        ("shower_1", 30, [0.5, 0.95, 0.47], 0.2),
        ("fridge_1", 15, [0.9, 0.5, 0.55], 0.0),
        ("cafe_fridge_1", 15, [0.9, 0.5, 0.55], 0.4),
        ("stove_1", 40, [0.5, 0.48, 0.45], 0.0),
        ("till_1", 8, [0.5, 0.5, 0.5], 0.3),
        ("bench_1", 20, [0.5, 0.5, 0.56], 0.0),
        ("bed_1a", 60, [0.5, 0.5, 1.0], 0.0),
    ],
)
def test_every_affordance_finishes_in_its_last_tick_with_its_exact_effects(
    town: Town, object_id: str, duration: int, needs: list[float], price: float
) -> None:
    citizen = _user(town, object_id)
    wallet = citizen.wallet

    events = tick(town, {0: Primitive.INTERACT_0})
    events += tick(town, {0: Primitive.WAIT}, duration - 2)
    assert not of_kind(town, events, EventKind.AFFORDANCE_FINISH)
    events += tick(town, {0: Primitive.WAIT})

    assert [told["duration"] for told in of_kind(town, events, EventKind.AFFORDANCE_START)] == [duration]
    assert len(of_kind(town, events, EventKind.AFFORDANCE_FINISH)) == 1
    assert citizen.needs == pytest.approx(needs)
    assert wallet - citizen.wallet == pytest.approx(price)
    assert not citizen.is_running
    assert citizen.holding == NOTHING


def test_costs_are_taken_at_the_start_and_yields_given_at_the_end(town: Town) -> None:
    citizen = _user(town, "stove_1")
    fridge = town.objects[obj(town, "fridge_1")]

    tick(town, {0: Primitive.INTERACT_0})
    assert (citizen.inventory[2], fridge.stock[0]) == (0, 2)
    tick(town, {0: Primitive.WAIT}, 39)

    assert (citizen.inventory[2], fridge.stock[0]) == (0, 3)
    assert citizen.tally.meals_cooked == 1


def test_a_full_fridge_loses_the_surplus(town: Town) -> None:
    _user(town, "stove_1")
    town.objects[obj(town, "fridge_1")].stock[0] = 6

    tick(town, {0: Primitive.INTERACT_0})
    tick(town, {0: Primitive.WAIT}, 39)

    assert town.objects[obj(town, "fridge_1")].stock[0] == 6


def test_a_shower_sets_its_cooldown_and_a_meal_none(town: Town) -> None:
    citizen = _user(town, "shower_1")
    tick(town, {0: Primitive.INTERACT_0})
    tick(town, {0: Primitive.WAIT}, 29)

    assert town.objects[obj(town, "shower_1")].cooldowns[citizen.seat] == town.tick - 1 + 60
    tick(town, {0: Primitive.INTERACT_0})
    assert town.queues.cooldown_events == 0  # the mask has replaced it
    assert citizen.tally.invalid_actions == 1


def test_a_failing_condition_is_told_with_its_values_and_gives_the_place_back(town: Town) -> None:
    citizen = _user(town, "shower_1")
    citizen.holding = obj(town, "shower_1")
    town.objects[obj(town, "shower_1")].holder = 0
    town.economy.outages[Utility.WATER] = 1
    citizen.is_possessed, citizen.possessed_primitive = True, Primitive.INTERACT_0

    town.events.clear()
    assert not start(town, citizen, 0)

    (condition,) = of_kind(town, town.events, EventKind.AFFORDANCE_PRECONDITION_FAIL)
    assert condition["condition"] == "water_on == true"
    assert condition["values"] == {"water_on": 0.0}
    assert of_kind(town, town.events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "precondition_failed"
    assert of_kind(town, town.events, EventKind.SHOWER_POWER_OUTAGE)
    assert citizen.holding == NOTHING


def test_who_cannot_pay_cannot_start(town: Town) -> None:
    citizen = _user(town, "shower_1")
    citizen.wallet = 0.1

    events = tick(town, {0: Primitive.INTERACT_0})

    assert of_kind(town, events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "precondition_failed"
    assert citizen.wallet == 0.1


def test_an_affordance_that_does_not_exist_is_a_missing_spec(town: Town) -> None:
    citizen = _user(town, "bench_1")

    assert request(town, citizen, obj(town, "bench_1"))
    town.events.clear()

    assert not start(town, citizen, 3)
    assert of_kind(town, town.events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "missing_spec"


def test_an_outage_ends_a_shower_gives_the_money_back_and_leaves_no_reservation(town: Town) -> None:
    citizen = _user(town, "shower_1")
    wallet = citizen.wallet
    tick(town, {0: Primitive.INTERACT_0})
    assert citizen.wallet == wallet - 0.2
    town.events.clear()

    activate(town, CityEvent(1, 1, PerturbationKind.BLACKOUT, town.tick, town.tick + 20, utility=Utility.POWER))

    assert of_kind(town, town.events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "utility_outage"
    assert citizen.wallet == wallet
    assert citizen.holding == NOTHING
    assert town.objects[obj(town, "shower_1")].cooldowns[0] < town.tick


def test_an_outage_gives_raw_food_back_too(town: Town) -> None:
    citizen = _user(town, "stove_1")
    tick(town, {0: Primitive.INTERACT_0})

    activate(town, CityEvent(1, 1, PerturbationKind.BLACKOUT, town.tick, town.tick + 20, utility=Utility.POWER))

    assert citizen.inventory[2] == 1


def test_released_sleep_keeps_what_it_gave_and_costs_are_lost(town: Town) -> None:
    citizen = _user(town, "bed_1a")
    tick(town, {0: Primitive.INTERACT_0})
    tick(town, {0: Primitive.WAIT}, 9)

    events = tick(town, {0: Primitive.RELEASE})

    assert of_kind(town, events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "released"
    assert citizen.needs[2] == pytest.approx(0.5 + 10 * 0.8 / 60)
    assert citizen.last_success


@pytest.mark.parametrize("reason", [FailReason.TELEPORTED, FailReason.AGENT_REMOVED, FailReason.TIMEOUT])
def test_other_reasons_do_not_refund(town: Town, reason: FailReason) -> None:
    citizen = _user(town, "cafe_fridge_1")
    tick(town, {0: Primitive.INTERACT_0})
    wallet = citizen.wallet

    fail_running(town, citizen, reason)

    assert citizen.wallet == wallet
    assert town.objects[obj(town, "cafe_fridge_1")].stock[0] == 11


def test_nobody_sleeps_in_a_strangers_bed() -> None:
    town = town_of(PRIMITIVE, population=2)
    first, second = town.living()
    put_at(town, second, "bed_1a")

    events = tick(town, {1: Primitive.INTERACT_0})

    assert of_kind(town, events, EventKind.AFFORDANCE_FAIL)[0]["agent_id"] == "citizen_001"
    assert not first.is_running
