from typing import Any

import pytest

from diorama.contracts.live.refusals import CommandError
from diorama.worlds.townlet.codes import Price
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.console.executing import execute
from diorama.worlds.townlet.reference.console.happenings import gini
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.systems.perturbations import run_scheduler
from diorama.worlds.townlet.reference.systems.ties import set_tie
from tests.worlds.townlet.towns import PRIMITIVE, SOCIAL, of_kind, put, tick, town_of


def _events(**specs: dict[str, Any]) -> dict[str, Any]:
    return {"perturbations": {"enabled": True, "events": specs}}


BLACKOUT = {"kind": "blackout", "prob_per_day": 1000.0, "cooldown_ticks": 30, "duration": [5, 5]}
FREELY = {"perturbations": {"global_cooldown_ticks": 0, "max_events_per_window": 0}}


def _schedule(town: Town, ticks: int) -> list[int]:
    """Run the scheduler alone; return the ticks at which something started."""
    town.events.clear()
    for _ in range(ticks):
        run_scheduler(town)
        town.tick += 1
    return [event.tick for event in town.events if event.kind is EventKind.PERTURBATION_STARTED]


def test_nothing_is_drawn_while_perturbations_are_off() -> None:
    town = town_of()

    tick(town, {}, 20)

    assert town.streams.events.draws == 0


def test_the_cooldown_of_a_spec_counts_from_its_end() -> None:
    town = town_of(_events(blackout=BLACKOUT), FREELY)

    assert _schedule(town, 80) == [0, 35, 70]


def test_the_global_cooldown_is_global() -> None:
    other = {**BLACKOUT, "kind": "outage"}
    town = town_of(_events(blackout=BLACKOUT, outage=other), FREELY, {"perturbations": {"global_cooldown_ticks": 20}})

    assert _schedule(town, 60) == [0, 20, 40]


def test_a_bucket_is_full_after_its_starts_and_empties_with_its_window() -> None:
    town = town_of(_events(blackout={**BLACKOUT, "cooldown_ticks": 0}), FREELY,
                   {"perturbations": {"max_events_per_window": 2, "window_ticks": 50}})  # fmt: skip

    assert _schedule(town, 60) == [0, 5, 50, 55]


def test_no_more_events_run_than_allowed_and_skipped_ones_draw_nothing() -> None:
    specs = {f"b{n}": {**BLACKOUT, "duration": [50, 50]} for n in range(3)}
    town = town_of(_events(**specs), FREELY)

    assert _schedule(town, 1) == [0, 0]
    assert town.streams.events.draws == 2
    assert town.economy.outages == [2, 0]
    _schedule(town, 50)
    assert town.streams.events.draws == 2 + 1


def test_a_spike_draws_duration_then_magnitude_and_ends_exactly() -> None:
    spike = {"kind": "price_spike", "prob_per_day": 1000.0, "cooldown_ticks": 500, "duration": [60, 120],
             "magnitude": [1.2, 1.8], "targets": ["grocer", "cafe"]}  # fmt: skip
    town = town_of(_events(spike=spike))

    _schedule(town, 1)

    assert town.streams.events.draws == 3
    (event,) = town.perturbations.active
    assert 60 <= event.ends_at <= 120
    assert town.economy.live[Price.INGREDIENTS] == 0.15 * event.magnitude
    assert town.economy.live[Price.SHOWER] == 0.2
    (told,) = of_kind(town, town.events, EventKind.PERTURBATION_STARTED)
    assert told["targets"] == ["meal_cost", "ingredients_cost"]
    assert told["event_id"] == "evt_1"
    _schedule(town, 120)
    assert town.economy.live == [0.4, 0.15, 0.2, 1.5]


MEET = {
    "kind": "arranged_meet",
    "prob_per_day": 1000.0,
    "cooldown_ticks": 500,
    "duration": [20, 20],
    "location": "cafe",
}


def test_the_worst_rivals_are_asked_to_meet_without_a_shuffle() -> None:
    town = town_of(SOCIAL, _events(meet=MEET), population=4)
    set_tie(town, town.citizen(1), 3, None, None, 0.4)
    set_tie(town, town.citizen(0), 2, None, None, 0.3)

    _schedule(town, 1)

    assert town.perturbations.active[0].participants == [1, 3]
    assert town.streams.events.draws == 1
    assert town.citizen(3).appointment.zone == town.tables.cafe_zone
    assert town.citizen(3).tally.selections == 1
    assert town.citizen(3).meet_ready_tick == 20 + 360


def test_without_rivals_two_are_shuffled_out_and_kept_meetings_count_once() -> None:
    town = town_of(SOCIAL, _events(meet=MEET), PRIMITIVE, population=3)
    tick(town)
    first, second = town.perturbations.active[0].participants
    assert town.streams.events.draws == 1 + 2
    put(town, town.citizen(first), 30, 19)
    put(town, town.citizen(second), 32, 19)

    events = tick(town, {}, 5)

    assert len(of_kind(town, events, EventKind.ARRANGED_MEET_KEPT)) == 1
    events = tick(town, {}, 20)
    assert of_kind(town, events, EventKind.PERTURBATION_ENDED)
    assert not of_kind(town, events, EventKind.ARRANGED_MEET_MISSED)
    assert town.citizen(first).appointment.event == 0


def test_a_missed_meeting_is_told() -> None:
    town = town_of(_events(meet=MEET), PRIMITIVE, population=2)

    events = tick(town, {}, 22)

    assert of_kind(town, events, EventKind.ARRANGED_MEET_MISSED)[0]["zone"] == "cafe"


def test_one_citizen_cannot_meet_anybody() -> None:
    town = town_of(_events(meet=MEET))

    assert _schedule(town, 5) == []


def test_manual_events_bypass_chance_and_respect_the_limit() -> None:
    town = town_of()
    planned = execute(
        town, "perturbation_trigger", "price_spike", starts_in=3, duration=5, targets=["gym"], magnitude=2.0
    )
    assert planned["targets"] == ["shower_cost"]

    events = tick(town, {}, 3)
    assert town.economy.live[Price.SHOWER] == 0.2
    events = tick(town)
    assert of_kind(town, events, EventKind.PERTURBATION_STARTED)[0]["manual"] is True
    assert town.economy.live[Price.SHOWER] == 0.4
    execute(town, "utility", "water", "off")
    with pytest.raises(CommandError) as refusal:
        execute(town, "perturbation_trigger", "blackout")

    assert (refusal.value.code, refusal.value.reason) == ("conflict", "max_concurrent")
    tick(town)
    assert not town.has_water
    execute(town, "utility", "water", "on")
    assert town.has_water


def test_cancelling_undoes_running_events_and_removes_planned_ones() -> None:
    town = town_of()
    execute(town, "perturbation_trigger", "blackout", starts_in=50)
    town.events.clear()
    execute(town, "perturbation_cancel", "evt_1")
    assert of_kind(town, town.events, EventKind.PERTURBATION_CANCELLED)[0]["pending"] is True
    execute(town, "perturbation_trigger", "blackout")
    tick(town)
    had_power = [town.has_power]
    town.events.clear()

    execute(town, "perturbation_cancel", "evt_2")

    assert [*had_power, town.has_power] == [False, True]
    assert of_kind(town, town.events, EventKind.PERTURBATION_CANCELLED)[0]["pending"] is False
    assert of_kind(town, town.events, EventKind.PERTURBATION_ENDED)
    with pytest.raises(CommandError, match="evt_9"):
        execute(town, "perturbation_cancel", "evt_9")


def test_fairness_is_a_gini_coefficient() -> None:
    assert gini([3, 3, 3]) == pytest.approx(0.0)
    assert gini([0, 0, 0, 4]) == pytest.approx(0.75)
    assert gini([0, 0]) == 0.0
