"""A record holds what the format says, in its order."""

import math
from dataclasses import replace

import pytest

from diorama.contracts.errors import ContractError
from diorama.telemetry.ppo.checks import check_record
from diorama.telemetry.ppo.fields import PpoVersion
from diorama.telemetry.ppo.records import build_record
from tests.telemetry.factories import BASELINE, policy_updated, ppo_record, update_report

V1_0_KEYS = [
    "telemetry_version",
    "epoch",
    "updates",
    "transitions",
    "steps",
    "loss_policy",
    "loss_value",
    "loss_entropy",
    "loss_total",
    "clip_fraction",
    "adv_mean",
    "adv_std",
    "grad_norm",
    "kl_divergence",
    "lr",
]
V1_1_KEYS = [
    "epoch_duration_sec",
    "data_mode",
    "cycle_id",
    "batch_entropy_mean",
    "batch_entropy_std",
    "grad_norm_max",
    "kl_divergence_max",
    "reward_advantage_corr",
    "rollout_ticks",
    "log_stream_offset",
]
CONFLICT_KEYS = [
    "conflict.rivalry_max_mean_avg",
    "conflict.rivalry_max_max_avg",
    "conflict.rivalry_avoid_count_mean_avg",
    "conflict.rivalry_avoid_count_max_avg",
]


@pytest.mark.parametrize(
    ("version", "keys"),
    [
        pytest.param(PpoVersion.V1_0, [*V1_0_KEYS, *CONFLICT_KEYS], id="1.0"),
        pytest.param(PpoVersion.V1_1, [*V1_0_KEYS, *V1_1_KEYS, *CONFLICT_KEYS], id="1.1"),
    ],
)
def test_a_record_has_the_keys_of_its_version_in_order(version: PpoVersion, keys: list[str]) -> None:
    record = ppo_record(1, version)

    assert list(record) == keys
    assert check_record(record, is_strict=True) == ()


def test_every_number_of_the_report_stands_in_its_field() -> None:
    record = build_record(
        policy_updated(update_report(5)),
        version=PpoVersion.V1_1,
        epoch=2,
        rollout_ticks=900,
        log_stream_offset=17,
    )

    assert record == {
        "telemetry_version": 1.1,
        "epoch": 2,
        "updates": 16,
        "transitions": 512,
        "steps": 2560,
        "loss_policy": -0.0125,
        "loss_value": 0.75,
        "loss_entropy": 2.5,
        "loss_total": 0.3375,
        "clip_fraction": 0.11,
        "adv_mean": 0.001,
        "adv_std": 0.98,
        "grad_norm": 0.41,
        "kl_divergence": 0.008,
        "lr": 0.0003,
        "epoch_duration_sec": 1.0,
        "data_mode": "rollout",
        "cycle_id": 5,
        "batch_entropy_mean": 2.5,
        "batch_entropy_std": 0.03,
        "grad_norm_max": 0.62,
        "kl_divergence_max": 0.016,
        "reward_advantage_corr": 0.35,
        "rollout_ticks": 900,
        "log_stream_offset": 17,
        "conflict.rivalry_max_mean_avg": 0.0,
        "conflict.rivalry_max_max_avg": 0.0,
        "conflict.rivalry_avoid_count_mean_avg": 0.0,
        "conflict.rivalry_avoid_count_max_avg": 0.0,
    }


def test_a_world_can_add_what_only_it_knows() -> None:
    extras = {
        "anneal_ratio": 0.4,
        "chat_quality_mean": 0.25,
        "conflict.rivalry_max_max_avg": 0.75,
        **BASELINE,
    }
    event = policy_updated(extras=extras)

    new = build_record(event, version=PpoVersion.V1_1, epoch=1, rollout_ticks=0, log_stream_offset=1)
    old = build_record(event, version=PpoVersion.V1_0, epoch=1, rollout_ticks=0, log_stream_offset=1)

    assert list(new)[-10:] == [*BASELINE, *CONFLICT_KEYS, "chat_quality_mean", "anneal_ratio"]
    assert list(old)[-8:] == [*BASELINE, *CONFLICT_KEYS]
    assert new["conflict.rivalry_max_max_avg"] == old["conflict.rivalry_max_max_avg"] == 0.75


@pytest.mark.parametrize(
    ("extras", "message"),
    [
        pytest.param({"chat_qualty_mean": 1.0}, "chat_qualty_mean is no field", id="misspelled"),
        pytest.param({"baseline_reward_mean": 1.0}, "stand together or not at all", id="part-of-the-baseline"),
        pytest.param({"adv_min_std": math.nan}, "adv_min_std is nan; it must be a finite number", id="not-finite"),
    ],
)
def test_extras_that_the_format_has_no_place_for_are_refused(extras: dict[str, float], message: str) -> None:
    with pytest.raises(ContractError, match=f"PPO telemetry of update 0: .*{message}"):
        build_record(
            policy_updated(extras=extras), version=PpoVersion.V1_1, epoch=1, rollout_ticks=0, log_stream_offset=1
        )


def test_a_number_that_is_not_finite_is_refused() -> None:
    event = policy_updated(replace(update_report(), loss_value=math.inf))

    with pytest.raises(ContractError, match="loss_value is inf; it must be a finite number"):
        build_record(event, version=PpoVersion.V1_0, epoch=1, rollout_ticks=0, log_stream_offset=1)
