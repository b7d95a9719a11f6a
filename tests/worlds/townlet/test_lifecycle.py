import pytest

from diorama.worlds.townlet.codes import NOTHING, Need, Primitive
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.console.executing import execute
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.systems.lifecycle import LifecycleManager, judge_day
from diorama.worlds.townlet.reference.systems.rollover import roll_over
from tests.worlds.townlet.towns import PRIMITIVE, SOCIAL, at, obj, of_kind, put_at, set_needs, tick, town_of

NO_COOLDOWN = {"lifecycle": {"exit_cooldown_ticks": 0, "max_exits_per_day": 50}}


def _starve(town: Town, seat: int) -> None:
    set_needs(town.citizen(seat), hunger=0.0)


def test_hunger_ends_a_stay_at_the_thirtieth_tick_and_somebody_else_comes() -> None:
    town = town_of(population=2)
    starved = town.living()[1]
    _starve(town, 1)

    events = tick(town, {}, 29)
    assert of_kind(town, events, EventKind.AGENT_NEAR_DEATH)[0]["agent_id"] == "citizen_001"
    assert not of_kind(town, events, EventKind.AGENT_EXIT)
    events = tick(town)

    (told,) = of_kind(town, events, EventKind.AGENT_EXIT)
    assert (told["agent_id"], told["reason"]) == ("citizen_001", "faint")
    assert town.report.exits == {1: 1}
    assert town.report.rewards[1].terminal_penalty == -1.0
    assert town.seats[1] is None
    (ticket,) = town.lifecycle.tickets
    assert 5 <= ticket.due_tick - 29 <= 20
    events = tick(town, {}, 22)
    (arrival,) = of_kind(town, events, EventKind.AGENT_SPAWN)
    assert (arrival["agent_id"], arrival["replaces"], arrival["position"]) == ("citizen_002", "citizen_001", [0, 23])
    newcomer = town.citizen(1)
    assert newcomer.slot != starved.slot
    assert town.objects[newcomer.bed].owner == 1


def test_those_who_leave_give_everything_back() -> None:
    town = town_of(NO_COOLDOWN, SOCIAL, PRIMITIVE, population=2)
    first, second = town.living()
    put_at(town, second, "shower_1")
    tick(town, {1: Primitive.INTERACT_0})
    execute(town, "set_rel", "citizen_000", "citizen_001", trust=0.5)
    execute(town, "kill", "citizen_001")

    events = tick(town)

    assert of_kind(town, events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "agent_removed"
    assert town.objects[obj(town, "shower_1")].holder == NOTHING
    assert town.objects[second.bed].owner == NOTHING
    assert not first.ties
    assert town.occupancy[second.tile] == 0
    assert second.number not in town.embedding.holders
    assert town.report.rewards[1].terminal_penalty == 0.0


def test_the_daily_cap_and_the_cooldown_defer_exits_and_tell_it_once() -> None:
    town = town_of({"lifecycle": {"max_exits_per_day": 1}}, population=4)
    for seat in (0, 1):
        _starve(town, seat)

    events = tick(town, {}, 60)

    assert [told["agent_id"] for told in of_kind(town, events, EventKind.AGENT_EXIT)] == ["citizen_000"]
    assert of_kind(town, events, EventKind.EXIT_DEFERRED) == [
        {"agent_id": "citizen_001", "reason": "faint", "blocked_by": "daily_cap"}
    ]
    assert town.report.rewards[1].guardrail_active
    town.rules.max_exits_per_day = 50
    events = tick(town, {}, 120)
    assert [told["agent_id"] for told in of_kind(town, events, EventKind.AGENT_EXIT)] == ["citizen_001"]


def test_a_blackout_holds_collapses_back_for_a_while() -> None:
    town = town_of()
    _starve(town, 0)
    execute(town, "utility", "power", "off", duration=40)

    events = tick(town, {}, 100)
    assert of_kind(town, events, EventKind.EXIT_DEFERRED)[0]["blocked_by"] == "city_event"
    assert not of_kind(town, events, EventKind.AGENT_EXIT)
    events = tick(town)

    assert of_kind(town, events, EventKind.AGENT_EXIT)[0]["reason"] == "faint"


@pytest.mark.parametrize("switch", ["config", "console"])
def test_where_nobody_may_leave_the_collapsed_are_rescued(switch: str) -> None:
    town = town_of({"features": {"systems": {"lifecycle": "off"}}} if switch == "config" else {})
    if switch == "console":
        execute(town, "toggle_mortality", "off")
    (citizen,) = town.living()
    _starve(town, 0)

    events = tick(town, {}, 30)

    assert of_kind(town, events, EventKind.AGENT_FAINTED)
    assert citizen.needs[Need.HUNGER] == 0.4
    assert citizen.tile == town.tables.objects[citizen.bed].use_tile
    assert citizen.ctx_reset
    assert town.report.rewards[0].terminal_penalty == -1.0
    tick(town)
    assert town.report.rewards[0].terminal_penalty == 0.0


def test_unpaid_rent_leads_to_eviction_after_time_to_recover() -> None:
    town = town_of(population=2)
    debtor, saver = town.living()
    saver.wallet = 100.0
    evictions = []

    for day, wallet in ((1, 0.0), (2, 0.0), (3, 0.8), (4, 0.1)):  # on the third, more than half a rent
        debtor.wallet = wallet
        town.tick = day * 1000
        roll_over(town)
        evictions.append(debtor.decline.is_evicted)

    assert evictions == [False, False, False, True]
    assert LifecycleManager().evaluate(town, town.tick) == {"citizen_000": True, "citizen_001": False}


def test_four_days_without_a_wage_count_as_unemployment() -> None:
    town = town_of()
    (citizen,) = town.living()
    citizen.wallet = 100.0
    for day in range(1, 5):
        assert not citizen.decline.is_unemployed
        town.tick = day * 1000
        roll_over(town)

    assert citizen.decline.is_unemployed


def test_a_town_without_jobs_knows_no_unemployment() -> None:
    town = town_of({"jobs": {}})
    (citizen,) = town.living()
    citizen.shift.wageless_days = 50

    judge_day(town)

    assert not citizen.decline.is_unemployed


def test_neglect_is_found_when_a_tenth_of_a_day_closes() -> None:
    town = town_of(NO_COOLDOWN)
    (citizen,) = town.living()
    events = []
    for _ in range(299):
        set_needs(citizen, hygiene=0.05, hunger=0.9, energy=0.9)
        events += tick(town)
    assert not of_kind(town, events, EventKind.AGENT_EXIT)

    events = tick(town)

    assert of_kind(town, events, EventKind.AGENT_EXIT)[0]["reason"] == "neglect"


def test_age_ends_a_stay_where_it_is_switched_on() -> None:
    town = town_of({"lifecycle": {"age_out": {"enabled": True, "min_days": 1, "max_days": 1}}}, NO_COOLDOWN)
    (citizen,) = town.living()
    assert citizen.decline.lifespan_days == 1
    town.tick = 1000

    assert LifecycleManager().evaluate(town, town.tick) == {"citizen_000": True}


def _absentees(town: Town, count: int) -> None:
    for citizen in town.living()[:count]:
        citizen.shift.absences = [town.tick] * 3


def test_the_exit_queue_lets_as_many_go_as_the_cap_allows() -> None:
    town = town_of(NO_COOLDOWN, population=5)
    _absentees(town, 4)

    events = tick(town)

    assert [told["pending_count"] for told in of_kind(town, events, EventKind.EMPLOYMENT_EXIT_PENDING)] == [1, 2, 3, 4]
    assert [told["reason"] for told in of_kind(town, events, EventKind.EMPLOYMENT_EXIT_PROCESSED)] == ["daily_cap"] * 2
    assert [told["reason"] for told in of_kind(town, events, EventKind.AGENT_EXIT)] == ["unemployment"] * 2
    assert len(town.employment.queue) == 2
    assert town.report.rewards[0].terminal_penalty == -2.0


def test_operators_approve_and_defer_exits() -> None:
    town = town_of({"employment": {"daily_exit_cap": 0}}, population=3)
    _absentees(town, 2)
    tick(town)

    execute(town, "employment_exit", "approve", "citizen_001")
    execute(town, "employment_exit", "defer", "citizen_000")
    events = tick(town)

    assert of_kind(town, events, EventKind.EMPLOYMENT_EXIT_PROCESSED) == [
        {"agent_id": "citizen_001", "job_id": "grocer", "reason": "manual_approve"}
    ]
    assert town.citizen(0).shift.absences == []
    assert not town.citizen(0).decline.is_exit_pending
    assert not town.employment.queue


def test_old_entries_are_reviewed_and_a_full_queue_overflows_once_a_day() -> None:
    town = town_of(NO_COOLDOWN, {"employment": {"daily_exit_cap": 0, "exit_queue_limit": 1, "exit_review_window": 10}},
                   population=3)  # fmt: skip
    _absentees(town, 2)

    events = tick(town, {}, 11)
    assert len(of_kind(town, events, EventKind.EMPLOYMENT_EXIT_QUEUE_OVERFLOW)) == 1
    events = tick(town)

    assert of_kind(town, events, EventKind.EMPLOYMENT_EXIT_PROCESSED)[0]["reason"] == "auto_review"


def test_a_blocked_head_stays_in_the_queue() -> None:
    town = town_of({"lifecycle": {"max_exits_per_day": 0}}, population=2)
    _absentees(town, 1)

    events = tick(town, {}, 3)

    assert len(town.employment.queue) == 1
    assert len(of_kind(town, events, EventKind.EXIT_DEFERRED)) == 1


def test_the_first_population_lives_and_works_as_the_specification_says() -> None:
    town = town_of(population=8)
    homes = [town.tables.map.zones[citizen.home].id for citizen in town.living()]
    jobs = [town.tables.jobs[citizen.job].id for citizen in town.living()]

    assert homes == ["home_1", "home_1", "home_2", "home_2", "home_3", "home_3", "home_4", "home_4"]
    assert jobs == ["barista", "grocer", "clerk", "attendant"] * 2
    assert {citizen.wallet for citizen in town.living()} == {2.25}
    stands = town.tables.map.zones[0].stand_tiles
    assert town.citizen(1).tile == stands[3]
    assert [agent_id(town, citizen.number) for citizen in town.living()][-1] == "citizen_007"


def test_a_newcomer_without_a_free_spawn_tile_waits_without_drawing() -> None:
    town = town_of({"world": {"spawn_tiles": [[0, 23]]}}, population=2)
    tick(town)
    execute(town, "kill", "citizen_001")
    tick(town)
    execute(town, "teleport", "citizen_000", 0, 23)
    town.citizen(0).is_possessed = True
    draws = town.streams.world.draws

    tick(town, {}, 30)
    assert town.seats[1] is None
    assert town.streams.world.draws == draws
    execute(town, "teleport", "citizen_000", 5, 23)
    tick(town)

    assert town.citizen(1).spawn_tick == town.tick - 1
    assert town.occupancy[at(town, 0, 23)] + town.occupancy[town.citizen(1).tile] >= 1


def test_a_seat_is_seen_empty_before_somebody_else_takes_it() -> None:
    town = town_of({"world": {"seats": 8}, "lifecycle": {"spawn_delay_ticks": [0, 0]}}, NO_COOLDOWN, population=8)
    execute(town, "kill", "citizen_003")
    tick(town)
    assert town.lifecycle.tickets[0].due_tick == 0

    tick(town)
    assert town.seats[3] is None
    tick(town)

    assert town.citizen(3).number == 8
