"""Events are frozen, and their form on the disk is pinned key by key."""

import json
from dataclasses import FrozenInstanceError
from types import MappingProxyType

import pytest

from diorama.telemetry.events import Event, RunOutcome
from diorama.telemetry.jsonl_sink import encode_event
from tests.telemetry.factories import (
    AT,
    checkpoint_written,
    policy_updated,
    replay_written,
    run_ended,
    run_started,
    update_report,
    window_closed,
)

REPORT_KEYS = [
    "update",
    "env_steps_total",
    "agent_steps_total",
    "ticks_total",
    "loss_policy",
    "loss_value",
    "entropy",
    "loss_total",
    "approx_kl",
    "approx_kl_max",
    "clip_fraction",
    "explained_variance",
    "learning_rate",
    "grad_norm",
    "grad_norm_max",
    "adv_mean",
    "adv_std",
    "entropy_std",
    "reward_advantage_corr",
    "minibatches",
    "transitions",
    "epochs_done",
    "seconds_env",
    "seconds_policy",
    "seconds_learn",
    "seconds_total",
    "clip_fraction_max",
    "clip_triggered_minibatches",
    "skipped_minibatches",
    "data_mode",
    "cycle",
    "is_replayed",
]


def encoded(event: Event) -> dict[str, object]:
    document = json.loads(encode_event(event, run_id="run-a", sequence=41))
    assert isinstance(document, dict)
    return document


def test_an_event_cannot_be_changed() -> None:
    event = checkpoint_written()

    with pytest.raises(FrozenInstanceError):
        event.path = "elsewhere"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("event", "event_type", "keys"),
    [
        pytest.param(
            run_started(),
            "RUN_STARTED",
            "run_id world interface_version config_hash trainer_backend seed target_env_steps window_env_steps copies "
            "device tier_selected policy_arch is_resumed env_steps_total ticks_total agent_steps_total config",
            id="run-started",
        ),
        pytest.param(window_closed(), "WINDOW_CLOSED", "window_id env_steps_total row", id="window-closed"),
        pytest.param(policy_updated(), "POLICY_UPDATED", "report extras", id="policy-updated"),
        pytest.param(
            checkpoint_written(), "CHECKPOINT_WRITTEN", "window_id env_steps_total path sha256", id="checkpoint-written"
        ),
        pytest.param(
            replay_written(),
            "REPLAY_WRITTEN",
            "window_id replay_id replay_path meta_path tags return_total steps",
            id="replay-written",
        ),
        pytest.param(
            run_ended(), "RUN_ENDED", "outcome env_steps_total ticks_total windows_emitted error", id="run-ended"
        ),
    ],
)
def test_every_event_has_its_keys_in_order(event: Event, event_type: str, keys: str) -> None:
    document = encoded(event)

    assert list(document) == ["schema_version", "event_id", "event_type", "timestamp", "data"]
    assert document["schema_version"] == 1
    assert document["event_id"] == "run-a-000000000041"
    assert document["event_type"] == event_type
    assert document["timestamp"] == AT
    data = document["data"]
    assert isinstance(data, dict)
    assert list(data) == keys.split()


def test_an_update_is_written_with_its_whole_report() -> None:
    data = encoded(policy_updated(update_report(3), {"adv_min_std": 0.5}))["data"]

    assert isinstance(data, dict)
    assert list(data["report"]) == REPORT_KEYS
    assert data["report"]["update"] == 2
    assert data["extras"] == {"adv_min_std": 0.5}


def test_a_window_is_written_with_the_row_it_has_in_the_run() -> None:
    event = window_closed(2, return_mean=float("nan"), tags=("a", "b"))
    data = encoded(event)["data"]

    assert isinstance(data, dict)
    assert list(data["row"]) == list(event.row)
    assert data["row"]["return_mean"] is None
    assert data["row"]["tags"] == ["a", "b"]
    assert data["row"]["end_reason_counts"] == {"stranded": 2}


def test_any_mapping_can_be_written_and_other_objects_cannot() -> None:
    assert b'"extras":{"adv_min_std":0.5}' in encode_event(
        policy_updated(extras=MappingProxyType({"adv_min_std": 0.5})), run_id="run-a", sequence=0
    )
    with pytest.raises(TypeError, match="object cannot be written as JSON"):
        encode_event(window_closed(0, odd=object()), run_id="run-a", sequence=0)  # type: ignore[arg-type]


def test_a_failure_says_what_failed() -> None:
    data = encoded(run_ended(RunOutcome.FAILED, "ValueError: no"))["data"]

    assert isinstance(data, dict)
    assert (data["outcome"], data["error"]) == ("failed", "ValueError: no")
