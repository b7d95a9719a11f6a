"""Events and logs for the tests of telemetry."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from diorama.contracts.training_reports import UpdateReport
from diorama.contracts.values import JsonValue
from diorama.telemetry.events import (
    CheckpointWritten,
    PolicyUpdated,
    ReplayWritten,
    RunEnded,
    RunOutcome,
    RunStarted,
    WindowClosed,
)
from diorama.telemetry.ppo.fields import PpoVersion
from diorama.telemetry.ppo.records import build_record

AT = "2026-01-02T03:04:05.006Z"
RUN_ID = "run-a"
TRANSITIONS_PER_UPDATE = 512
TICKS_PER_UPDATE = 900


def run_started(
    *,
    run_id: str = RUN_ID,
    is_resumed: bool = False,
    env_steps_total: int = 0,
    ticks_total: int = 0,
    agent_steps: int = 0,
) -> RunStarted:
    return RunStarted(
        at=AT,
        run_id=run_id,
        world="prospector",
        interface_version="prospector-v1",
        config_hash="c0ffee",
        trainer_backend="ppo",
        seed=7,
        target_env_steps=4096,
        window_env_steps=1024,
        copies=4,
        device="cpu",
        tier_selected="fast",
        policy_arch="mlp-256x256-tanh-v1",
        is_resumed=is_resumed,
        env_steps_total=env_steps_total,
        ticks_total=ticks_total,
        agent_steps_total=agent_steps,
        config={"ppo": {"gamma": 0.997}},
    )


def update_report(number: int = 1, *, loss_policy: float = -0.0125, entropy: float = 2.5) -> UpdateReport:
    """Return the report of the n-th update; its numbers are all different, so that one in the wrong place shows."""
    return UpdateReport(
        update=number - 1,
        env_steps_total=TRANSITIONS_PER_UPDATE * number,
        agent_steps_total=TRANSITIONS_PER_UPDATE * number,
        ticks_total=TICKS_PER_UPDATE * number,
        loss_policy=loss_policy,
        loss_value=0.75,
        entropy=entropy,
        loss_total=0.3375,
        approx_kl=0.008,
        approx_kl_max=0.016,
        clip_fraction=0.11,
        explained_variance=0.4,
        learning_rate=0.0003,
        grad_norm=0.41,
        grad_norm_max=0.62,
        adv_mean=0.001,
        adv_std=0.98,
        entropy_std=0.03,
        reward_advantage_corr=0.35,
        minibatches=16,
        transitions=TRANSITIONS_PER_UPDATE,
        epochs_done=4,
        seconds_env=0.125,
        seconds_policy=0.25,
        seconds_learn=0.5,
        seconds_total=1.0,
        clip_fraction_max=0.19,
        clip_triggered_minibatches=7,
        cycle=number,
    )


def policy_updated(report: UpdateReport | None = None, extras: Mapping[str, float] | None = None) -> PolicyUpdated:
    return PolicyUpdated(at=AT, report=update_report() if report is None else report, extras=extras or {})


def window_closed(window_id: int = 0, **values: JsonValue) -> WindowClosed:
    env_steps_total = 1024 * (window_id + 1)
    row: dict[str, JsonValue] = {
        "schema_version": 1,
        "run_id": RUN_ID,
        "window_id": window_id,
        "window_complete": True,
        "env_steps_total": env_steps_total,
        "return_mean": None,
        "reward_mean": 0.25,
        "end_reason_counts": {"stranded": 2},
    }
    return WindowClosed(at=AT, window_id=window_id, env_steps_total=env_steps_total, row=row | values)


def checkpoint_written(window_id: int = 0) -> CheckpointWritten:
    return CheckpointWritten(
        at=AT,
        window_id=window_id,
        env_steps_total=1024,
        path=f"checkpoints/ckpt_{window_id:06d}.safetensors",
        sha256="ab" * 32,
    )


def replay_written(*tags: str) -> ReplayWritten:
    return ReplayWritten(
        at=AT,
        window_id=3,
        replay_id="replay-000003-0badf00d",
        replay_path="replays/replay-000003-0badf00d.jsonl.gz",
        meta_path="replays/replay-000003-0badf00d.meta.json",
        tags=tags,
        return_total=12.5,
        steps=400,
    )


def run_ended(outcome: RunOutcome = RunOutcome.COMPLETED, error: str | None = None) -> RunEnded:
    return RunEnded(at=AT, outcome=outcome, env_steps_total=4096, ticks_total=7200, windows_emitted=4, error=error)


BASELINE: dict[str, float] = {
    "baseline_sample_count": 64,
    "baseline_reward_mean": 0.5,
    "baseline_reward_sum": 32.0,
    "baseline_reward_sum_mean": 4.0,
}
"""What a record tells of the rewards before training."""


def ppo_record(number: int = 1, version: PpoVersion = PpoVersion.V1_1, /, **changes: JsonValue) -> dict[str, JsonValue]:
    """Return a valid record with some fields changed; a field set to None is left out."""
    record = build_record(
        policy_updated(update_report(number)),
        version=version,
        epoch=number,
        rollout_ticks=TICKS_PER_UPDATE,
        log_stream_offset=number,
    )
    return {field: value for field, value in (record | changes).items() if value is not None}


def write_log(path: Path, records: Sequence[object], *, unfinished: str = "") -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records) + unfinished)
    return path
