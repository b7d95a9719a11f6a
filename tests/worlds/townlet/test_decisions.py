import pytest

from diorama.worlds.townlet.codes import NOTHING, Option, Primitive, ShiftState, Utility
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.decisions.controller import BehaviorController, IdleController
from diorama.worlds.townlet.reference.decisions.expansion import expand
from diorama.worlds.townlet.reference.decisions.options import is_feasible, option_mask
from diorama.worlds.townlet.reference.decisions.primitives import object_in_reach, primitive_mask
from diorama.worlds.townlet.reference.decisions.targets import clean_target, fed_target, shop_target
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.systems.queues import request
from diorama.worlds.townlet.reference.systems.ties import set_tie
from tests.worlds.townlet.towns import PRIMITIVE, SOCIAL, at, obj, of_kind, put, put_at, set_needs, tick, town_of


@pytest.fixture
def town() -> Town:
    return town_of(SOCIAL, population=2)


def _one(town: Town) -> Citizen:
    citizen = town.living()[0]
    citizen.ctx_reset = False
    return citizen


def _target(town: Town, citizen: Citizen) -> str | None:
    target = fed_target(town, citizen)
    return None if target is None else town.tables.objects[target.object].id


def test_the_way_to_a_meal_is_the_first_plan_that_applies(town: Town) -> None:
    citizen = _one(town)
    fridge = town.objects[obj(town, "fridge_1")]
    assert _target(town, citizen) == "fridge_1"
    fridge.stock[0] = 0
    assert _target(town, citizen) == "cafe_fridge_1"  # quicker than cooking
    put(town, citizen, 2, 2)
    assert _target(town, citizen) == "cafe_fridge_1"
    citizen.wallet = 0.1
    assert _target(town, citizen) == "stove_1"
    citizen.inventory[2] = 0
    assert _target(town, citizen) is None
    citizen.wallet = 0.35
    assert _target(town, citizen) == "till_1"


def test_who_starves_goes_to_the_cafe_however_far(town: Town) -> None:
    citizen = _one(town)
    town.objects[obj(town, "fridge_1")].stock[0] = 0
    put_at(town, citizen, "stove_1")
    town.objects[obj(town, "cafe_fridge_1")].stock[0] = 0
    assert _target(town, citizen) == "stove_1"
    town.objects[obj(town, "cafe_fridge_1")].stock[0] = 5
    set_needs(citizen, hunger=0.1)

    assert _target(town, citizen) == "cafe_fridge_1"


def test_shopping_buys_first_and_cooks_with_enough_in_the_bag(town: Town) -> None:
    citizen = _one(town)
    assert shop_target(town, citizen) == (obj(town, "till_1"), 0)
    citizen.inventory[2] = 2
    assert shop_target(town, citizen) == (obj(town, "stove_1"), 0)
    town.economy.outages[Utility.POWER] = 1
    assert shop_target(town, citizen) == (obj(town, "till_1"), 0)


def test_the_shower_that_is_free_sooner_is_chosen_and_kept(town: Town) -> None:
    first, second = town.living()
    put(town, first, 39, 19)
    put(town, second, 39, 18)
    assert clean_target(town, first) == (obj(town, "shower_1"), 0)
    request(town, second, obj(town, "shower_1"))
    assert clean_target(town, first) == (obj(town, "shower_2"), 0)
    request(town, first, obj(town, "shower_1"))

    assert clean_target(town, first) == (obj(town, "shower_1"), 0)


def test_every_option_bit_has_its_condition(town: Town) -> None:
    citizen = _one(town)
    town.tick = 100
    assert option_mask(town, citizen) == [1, 1, 1, 1, 1, 1, 1, 0]
    citizen.needs = [0.96, 0.96, 0.96]
    assert option_mask(town, citizen) == [1, 0, 0, 1, 1, 0, 1, 0]
    town.tick = 69
    assert not is_feasible(town, citizen, Option.GO_TO_WORK)
    town.tick = 429
    assert is_feasible(town, citizen, Option.GO_TO_WORK)
    citizen.shift.state = ShiftState.ABSENT
    assert not is_feasible(town, citizen, Option.GO_TO_WORK)
    set_needs(citizen, hygiene=0.5)
    town.economy.outages[Utility.WATER] = 1
    assert not is_feasible(town, citizen, Option.GET_CLEAN)


def test_an_avoided_neighbor_opens_the_option_to_avoid(town: Town) -> None:
    first, second = town.living()
    put(town, first, 10, 2)
    put(town, second, 13, 5)
    set_tie(town, first, second.seat, None, None, 0.8)

    assert is_feasible(town, first, Option.AVOID_RIVALS)
    first.plan.option = Option.AVOID_RIVALS
    assert expand(town, first) == Primitive.MOVE_NORTH
    put(town, second, 14, 2)
    assert not is_feasible(town, first, Option.AVOID_RIVALS)


def test_a_commitment_replaces_other_selections_until_it_is_over(town: Town) -> None:
    citizen = _one(town)
    tick(town, {0: Option.SOCIALISE, 1: Option.IDLE})
    assert citizen.plan.commit_until == 15

    tick(town, {0: Option.SLEEP}, 14)
    assert citizen.plan.option == Option.SOCIALISE
    assert town.report.commit_enforced == {0}
    assert option_mask(town, citizen)[Option.SOCIALISE] == 1
    tick(town, {0: Option.SLEEP})

    assert citizen.plan.option == Option.SLEEP
    assert citizen.facts.option_starts == citizen.facts.premature_switches == 1


@pytest.mark.parametrize("breaker", ["critical", "ctx_reset", "infeasible"])
def test_what_breaks_a_commitment(town: Town, breaker: str) -> None:
    citizen = _one(town)
    tick(town, {0: Option.SHOP_GROCERIES})
    assert sum(option_mask(town, citizen)) == 1
    if breaker == "critical":
        set_needs(citizen, energy=0.1)
    elif breaker == "ctx_reset":
        citizen.ctx_reset = True
    else:
        citizen.wallet, citizen.inventory[2] = 0.0, 0

    assert sum(option_mask(town, citizen)) > 1


def test_an_infeasible_selection_is_replaced_by_idling_and_counted(town: Town) -> None:
    citizen = _one(town)
    set_needs(citizen, energy=1.0)

    tick(town, {0: Option.SLEEP, 1: 99})

    assert citizen.plan.option == Option.IDLE
    assert town.report.invalid == {0, 1}
    assert citizen.tally.invalid_actions == 1


def test_socialising_ends_with_a_chat_or_after_a_while(town: Town) -> None:
    citizen = _one(town)
    tick(town, {0: Option.SOCIALISE})
    citizen.plan.chats = 1
    tick(town, {0: Option.SOCIALISE})
    assert citizen.plan.since_tick == 1
    tick(town, {0: Option.SOCIALISE}, 60)

    assert citizen.plan.since_tick == 61


def test_an_option_walks_asks_and_starts() -> None:
    town = town_of()
    (citizen,) = town.living()
    set_needs(citizen, hunger=0.3)

    events = tick(town, {0: Option.GET_FED}, 22)

    assert of_kind(town, events, EventKind.AFFORDANCE_FINISH)[0]["affordance_id"] == "eat_meal"
    assert citizen.tally.meals_consumed == 1


def test_who_holds_something_else_lets_go_of_it_first(town: Town) -> None:
    citizen = _one(town)
    put_at(town, citizen, "bench_1")
    request(town, citizen, obj(town, "bench_1"))
    citizen.plan.option = Option.SLEEP

    assert expand(town, citizen) == Primitive.RELEASE


def test_the_object_in_reach_is_held_then_queued_then_nearest(town: Town) -> None:
    citizen = _one(town)
    put(town, citizen, 0, 0)
    assert object_in_reach(town, citizen) == NOTHING
    put(town, citizen, 40, 18)
    assert object_in_reach(town, citizen) == obj(town, "shower_1")
    citizen.queued = obj(town, "till_1")
    assert object_in_reach(town, citizen) == obj(town, "till_1")
    citizen.holding = obj(town, "bench_1")

    assert object_in_reach(town, citizen) == obj(town, "bench_1")


def test_primitive_bits_follow_the_surroundings() -> None:
    town = town_of(PRIMITIVE, SOCIAL, population=2)
    first, second = town.living()
    put(town, first, 0, 0)
    assert primitive_mask(town, first) == [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    put_at(town, first, "shower_1")
    put(town, second, 40, 18)
    assert primitive_mask(town, first) == [1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0]
    request(town, first, obj(town, "shower_1"))
    request(town, second, obj(town, "shower_1"))
    assert primitive_mask(town, first) == [1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1]
    assert primitive_mask(town, second)[5] == 0
    tick(town, {0: Primitive.INTERACT_0})

    assert primitive_mask(town, first) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]


def test_guards_keep_rivals_apart_unless_a_need_is_critical() -> None:
    town = town_of(PRIMITIVE, SOCIAL, population=2)
    first, second = town.living()
    put(town, first, 40, 18)
    put_at(town, second, "shower_1")
    request(town, second, obj(town, "shower_1"))
    set_tie(town, first, second.seat, None, None, 1.0)

    events = tick(town, {0: Primitive.INTERACT_0})
    assert of_kind(town, events, EventKind.POLICY_GUARDRAIL_BLOCK) == [
        {"agent_id": "citizen_000", "reason": "queue_rival", "target_agent": "citizen_001", "object_id": "shower_1"}
    ]
    events = tick(town, {0: Primitive.TALK})
    assert of_kind(town, events, EventKind.POLICY_GUARDRAIL_BLOCK)[0]["reason"] == "chat_rival"
    set_needs(first, hygiene=0.1)
    events = tick(town, {0: Primitive.INTERACT_0})

    assert not of_kind(town, events, EventKind.POLICY_GUARDRAIL_BLOCK)
    assert first.queued == obj(town, "shower_1")


def _decide(town: Town, citizen: Citizen) -> Option:
    return Option(BehaviorController().decide(town, citizen))


def test_the_scripted_controller_goes_through_its_rules_in_order(town: Town) -> None:
    citizen = _one(town)
    town.tick = 280
    citizen.needs = [0.9, 0.9, 0.9]
    assert _decide(town, citizen) is Option.GO_TO_WORK
    set_needs(citizen, energy=0.05)
    assert _decide(town, citizen) is Option.SLEEP
    set_needs(citizen, hunger=0.1)
    assert _decide(town, citizen) is Option.GET_FED
    town.tick = 500
    citizen.needs = [0.45, 0.3, 0.4]
    assert _decide(town, citizen) is Option.GET_CLEAN
    citizen.needs = [0.9, 0.9, 0.7]
    assert _decide(town, citizen) is Option.SHOP_GROCERIES
    town.tick = 950
    assert _decide(town, citizen) is Option.SLEEP
    citizen.needs = [0.9, 0.9, 0.9]
    citizen.inventory[2] = 0
    assert _decide(town, citizen) is Option.IDLE
    town.tick = 700
    citizen.inventory[2], town.objects[obj(town, "fridge_1")].stock[0] = 2, 3
    citizen.traits[0] = 0.3
    assert _decide(town, citizen) is Option.SOCIALISE
    citizen.traits[0] = 0.0
    set_tie(town, citizen, 1, None, None, 0.9)
    put(town, citizen, 10, 2)
    put(town, town.citizen(1), 11, 3)
    assert _decide(town, citizen) is Option.AVOID_RIVALS
    assert IdleController().decide(town, citizen) == Option.IDLE


def test_who_works_soon_eats_before(town: Town) -> None:
    citizen = _one(town)
    citizen.needs = [0.6, 0.9, 0.9]
    town.tick = 150

    assert _decide(town, citizen) is Option.GET_FED
    town.tick = 60
    assert _decide(town, citizen) is not Option.GET_FED


def test_a_queue_is_waited_in_on_its_tiles(town: Town) -> None:
    first, second = town.living()
    put_at(town, first, "shower_1")
    put(town, second, 40, 19)
    request(town, first, obj(town, "shower_1"))
    request(town, second, obj(town, "shower_1"))
    second.plan.option = Option.GET_CLEAN

    assert expand(town, second) == Primitive.MOVE_NORTH
    assert second.plan.goal == at(town, 40, 18)
