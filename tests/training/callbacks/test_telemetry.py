"""Fields that a world adds to the telemetry of policy updates."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import TelemetryPlan
from diorama.contracts.training_reports import StepView
from diorama.telemetry.ppo.fields import CONFLICT_FIELDS, is_known
from diorama.training.callbacks.telemetry import WorldGaugesCallback
from diorama.worlds.registry import load_world, world_ids
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.refusals import refused
from tests.telemetry.factories import update_report

SPEC = toy_spec(ToyConfig())
PLAN = TelemetryPlan(gauges={"conflict.rivalry_max": "total"}, counters={"chat_success_events": "ended"})


def step(totals: list[float], alive: list[int], events: list[int]) -> StepView:
    rows = len(totals)
    return StepView(
        first_copy=0,
        copies=len(events),
        agents=2,
        rewards=np.zeros(rows, np.float32),
        terminated=np.zeros(rows, np.uint8),
        truncated=np.zeros(rows, np.uint8),
        alive_before=np.array(alive, np.uint8),
        obs=lambda: np.array(totals, np.float32)[:, None],
        metrics=np.zeros((rows, 1), np.float32),
        dt=np.ones(len(events), np.uint16),
        events=np.array(events, np.uint64),
    )


def test_gauges_average_the_mean_and_the_maximum_of_every_step() -> None:
    gauges = WorldGaugesCallback(PLAN, SPEC)
    gauges.on_step(step([1.0, 3.0, 100.0, 2.0], [1, 1, 0, 1], [0b10, 0b01]))
    gauges.on_step(step([4.0, 0.0, 0.0, 0.0], [1, 1, 1, 1], [0b11, 0b10]))

    assert gauges.update_fields(update_report(), {}) == {
        "conflict.rivalry_max_mean_avg": 1.5,
        "conflict.rivalry_max_max_avg": 3.5,
        "chat_success_events": 3,
    }


def test_every_update_begins_with_empty_gauges_and_dead_seats_count_nothing() -> None:
    gauges = WorldGaugesCallback(PLAN, SPEC)
    gauges.on_step(step([1.0, 3.0], [1, 1], [0b10]))
    gauges.update_fields(update_report(), {})
    gauges.on_step(step([9.0, 9.0], [0, 0], [0]))

    assert set(gauges.update_fields(update_report(), {}).values()) == {0.0}


@pytest.mark.parametrize(
    ("changed", "code", "name"),
    [
        pytest.param({"gauges": {"a": "nothing"}}, "unknown_observation_entry", "nothing", id="entry"),
        pytest.param({"counters": {"a": "never"}}, "unknown_event", "never", id="event"),
    ],
)
def test_an_entry_or_event_that_the_world_does_not_have_is_refused(
    changed: dict[str, Any], code: str, name: str
) -> None:
    with refused(UnknownName, code, name=name):
        WorldGaugesCallback(replace(PLAN, **changed), SPEC)


def test_worlds_add_only_fields_of_the_telemetry_format() -> None:
    plans = {name: load_world(name).telemetry for name in world_ids()}

    town = plans["townlet"]
    assert town is not None
    assert {f"{field}{end}" for field in town.gauges for end in ("_mean_avg", "_max_avg")} == set(CONFLICT_FIELDS)
    for plan in plans.values():
        assert plan is None or all(is_known(field) for field in plan.counters)
