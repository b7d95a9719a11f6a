import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.live.blocks.values import difference
from tests.worlds.townlet.live.live_towns import LIVELY, Watched, merged, quiet, watched

BLOCKS = {
    "agents",
    "objects",
    "economy",
    "utilities",
    "employment",
    "conflict",
    "relationships",
    "embedding",
    "perturbations",
    "rewards",
    "policy",
    "kpis",
    "affordances",
    "lifecycle",
    "map",
}
JOB_KEYS = {
    "job_id",
    "on_shift",
    "shift_state",
    "attendance_ratio",
    "late_ticks",
    "lateness_counter",
    "absent_shifts_7d",
    "wages_withheld",
    "wages_earned",
    "meals_cooked",
    "meals_consumed",
    "basket_cost",
    "exit_pending",
}
JSON = st.recursive(
    st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("xyz", min_size=1, max_size=1), inner),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text("xyz", min_size=1, max_size=1), JSON)


def part(live: Watched, *path: str) -> Any:
    value: Any = live.state
    for name in path:
        value = value[name]
    return value


def places_of_null(value: JsonValue, path: str = "") -> Iterator[str]:
    if value is None:
        yield path
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from places_of_null(item, f"{path}.{name}")


@settings(max_examples=25, deadline=None)
@given(OBJECTS, OBJECTS)
def test_a_difference_leads_from_one_state_to_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert merged(before, difference(before, after)) == after


def test_a_snapshot_and_the_changes_after_it_give_the_state_exactly() -> None:
    live = watched(LIVELY)
    seen = set()

    for tick in range(260):
        if tick == 40:
            live.command("spawn", "guest", name="A guest")
        if tick == 90:
            live.command("kill", "guest")
        if tick == 120:
            live.command("utility", "power", "off", duration=30)
            live.command("perturbation_trigger", "price_spike", duration=20)
        if tick == 200:
            live.command("possess", "citizen_001", "acquire")
        live.run(1)
        seen |= set(live.patches[-1])
    live.live.town.tick -= 1
    whole = live.live.blocks()

    assert live.state == json.loads(json.dumps(whole))
    assert set(whole) == BLOCKS
    assert seen >= BLOCKS - {"map", "employment"}
    assert "map" not in seen
    assert not [*places_of_null(whole)]


def test_changes_tell_only_what_has_changed() -> None:
    live = quiet()
    before: Any = live.run(5).state

    for _ in range(20):
        patch: Any = live.run(1).patches[-1]

        for block in ("agents", "objects"):
            for name, change in patch.get(block, {}).items():
                assert all(before[block][name].get(part) != value for part, value in change.items())
        assert "economy" not in patch
        assert len(json.dumps(patch)) < 2500
        before = live.state


def test_asking_twice_in_a_tick_tells_nothing_new() -> None:
    live = watched(LIVELY).run(20).live

    live.changes()

    assert live.changes() == {}


def test_somebody_else_under_the_same_id_is_told_anew() -> None:
    live = quiet()
    live.command("spawn", "guest", name="One", profile="stoic")
    live.run(2)
    live.command("kill", "guest")
    for _ in range(4):
        live.stages()
        live.live.advance()
    live.command("spawn", "guest", name="Two", profile="socialite")

    live.run(1)

    assert part(live, "agents", "guest", "name") == "Two"
    assert part(live, "agents", "guest", "profile") == "socialite"


def test_an_agent_shows_its_work_its_company_and_what_it_does() -> None:
    live = quiet()
    live.command("set_rel", "citizen_000", "citizen_001", trust=0.4)
    live.command("set_rel", "citizen_000", "citizen_002", rivalry=0.9)

    live.live.town.living()[0].shift.attendance.append(1.0)
    live.run(1)

    agent = part(live, "agents", "citizen_000")
    assert agent["name"] == "Ada"
    assert set(agent["needs"]) == {"hunger", "hygiene", "energy"}
    assert set(agent["job"]) >= JOB_KEYS
    assert [friend["agent_id"] for friend in agent["friends"]] == ["citizen_001"]
    assert [rival["agent_id"] for rival in agent["rivals"]] == ["citizen_002"]
    assert agent["option_source"] == "scripted"
    assert part(live, "relationships", "ties", "citizen_002", "citizen_000", "rivalry") > 0.89
    assert part(live, "conflict", "rivalry")[0]["rivalry"] > 0.89
    updates = part(live, "relationships", "updates")
    assert {(update["owner"], update["other"]) for update in updates} >= {("citizen_000", "citizen_001")}
    assert sum(part(live, "rewards", "citizen_000")[name] for name in ("survival", "needs_penalty")) < 1.0


def test_what_befalls_the_town_is_told_until_it_ends() -> None:
    live = quiet()
    live.command("perturbation_trigger", "price_spike", duration=3, targets=["cafe"], magnitude=2.0)

    live.run(2)
    during = part(live, "economy")
    live.run(3)

    assert during["spikes"] == {"evt_1": {"prices": ["meal_cost"], "magnitude": 2.0, "ends_at": 3}}
    assert during["prices"]["meal_cost"] == 2.0 * during["baselines"]["meal_cost"]
    assert part(live, "economy", "spikes") == {}
    assert part(live, "perturbations", "active") == {}
    assert "price_spike" in part(live, "perturbations", "specs")


def test_the_map_is_drawn_with_letters_that_are_explained() -> None:
    town_map: Any = quiet().live.blocks()["map"]

    assert [len(row) for row in town_map["tiles"]] == [48] * 48
    assert set("".join(town_map["tiles"])) <= set(town_map["legend"])
    assert town_map["ticks_per_day"] == 1000
