"""One row of `windows.jsonl`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np

from diorama.contracts.spec import Aggregate, Ratio, WorldSpec
from diorama.contracts.training_reports import TaughtUpdateReport, UpdateReport
from diorama.contracts.values import JsonValue
from diorama.runs.clock import timestamp
from diorama.runs.windows.tally import StoredStarts, Tally

SCHEMA_VERSION: Final = 1
TRAINER_FIELDS: Final = (
    "loss_policy",
    "loss_value",
    "entropy",
    "approx_kl",
    "clip_fraction",
    "explained_variance",
    "learning_rate",
)
TEACHER_FIELDS: Final = ("loss_kickstarting", "teacher_agreement", "kickstarting_weight")
PHASE_FIELDS: Final = ("seconds_env", "seconds_policy", "seconds_learn")
_HALF: Final = 0.5

WindowRow = dict[str, JsonValue]
TrainerFields = dict[str, float | None]
PhaseSeconds = dict[str, float]


@dataclass(slots=True)
class Totals:
    """Counters of the whole run, up to the last step that was seen."""

    windows: int = 0
    env_steps: int = 0
    agent_steps: int = 0
    ticks: int = 0
    episodes: int = 0
    policy_updates: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How a window is closed.

    Attributes:
        phase_seconds: Where the time of the updates went that ended in the window; empty if none did.
        trainer: The numbers of the newest update, if there was any.
    """

    is_complete: bool
    wall_seconds: float
    phase_seconds: PhaseSeconds
    moment: datetime
    trainer: TrainerFields


def trainer_fields(report: UpdateReport) -> TrainerFields:
    """Return the part of an update that rows carry; a number that is not finite becomes null."""
    names = (*TRAINER_FIELDS, *(TEACHER_FIELDS if isinstance(report, TaughtUpdateReport) else ()))
    values = {name: float(getattr(report, name)) for name in names}
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def add_phases(before: PhaseSeconds, report: UpdateReport) -> PhaseSeconds:
    """Return the time of all phases with that of one more update."""
    return {name: before.get(name, 0.0) + float(getattr(report, name)) for name in PHASE_FIELDS}


def build_row(spec: WorldSpec, run_id: str, tally: Tally, totals: Totals, closing: Closing) -> WindowRow:
    """Return the row of a window; `totals` already contain it, apart from its number."""
    means = {f"{metric.key}_mean": _metric_mean(spec, tally, column) for column, metric in enumerate(spec.metrics)}
    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "world": spec.world,
        "window_id": totals.windows,
        "window_complete": closing.is_complete,
        "env_steps_start": totals.env_steps - tally.env_steps,
        "env_steps_end": totals.env_steps,
        "env_steps_in_window": tally.env_steps,
        "env_steps_total": totals.env_steps,
        "agent_steps_in_window": tally.agent_steps,
        "agent_steps_total": totals.agent_steps,
        "ticks_in_window": tally.ticks,
        "ticks_total": totals.ticks,
        "episodes_completed": tally.episodes,
        "terminated_episodes": tally.terminated,
        "truncated_episodes": tally.truncated,
        "reward_sum": tally.reward_sum,
        "reward_mean": tally.reward_sum / tally.env_steps,
        "return_mean": _mean(tally.returns),
        "return_median": float(np.median(tally.returns)) if tally.returns else None,
        "return_std": float(np.std(tally.returns)) if tally.returns else None,
        "episode_length_mean": _mean(tally.lengths),
        "invalid_action_rate": tally.invalid_steps / tally.env_steps,
        **means,
        **{alias: means[f"{key}_mean"] for alias, key in spec.aliases},
        **{ratio.key: _ratio(spec, tally, ratio) for ratio in spec.ratios},
        "end_reason_counts": dict(sorted(tally.end_reasons.items())),
        "wall_seconds": closing.wall_seconds,
        "steps_per_sec": tally.env_steps / closing.wall_seconds if closing.wall_seconds > 0.0 else None,
        "created_at": timestamp(closing.moment),
        **closing.trainer,
        **({"policy_updates": totals.policy_updates} if closing.trainer else {}),
        **closing.phase_seconds,
    }


def stored_start_fields(stored: StoredStarts) -> WindowRow:
    """Return what a row says about episodes that began in stored states."""
    return {
        "stored_start_episodes": len(stored.returns),
        "stored_start_return_mean": _mean(stored.returns),
        "stored_start_length_mean": _mean(stored.lengths),
    }


def _metric_mean(spec: WorldSpec, tally: Tally, column: int) -> float | None:
    metric = spec.metrics[column]
    if metric.aggregate is Aggregate.STEP_MEAN:
        return tally.metric_sums[metric.key] / tally.agent_steps if tally.agent_steps else None
    finals = [values[column] for values in tally.finals]
    if metric.aggregate is Aggregate.EPISODE_FINAL_RATE:
        return _mean([float(value >= _HALF) for value in finals])
    return _mean(finals)


def _ratio(spec: WorldSpec, tally: Tally, ratio: Ratio) -> float | None:
    over, under = (
        sum(values[spec.metric_keys.index(key)] for values in tally.finals) for key in (ratio.over, ratio.under)
    )
    return over / under if under else None


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
