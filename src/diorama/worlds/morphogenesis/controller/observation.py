"""Observations: reports of envs to rows of numbers, one array fill per feature."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import NUM_OPS
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.seeds import SeedStateReport, SeedTelemetry
from diorama.worlds.morphogenesis.contracts.stages import NUM_STAGES, STAGE_TO_ONE_HOT, SeedStage
from diorama.worlds.morphogenesis.controller.features import (
    HISTORY,
    HOST_FEATURES,
    HOST_WIDTH,
    SLOT_FEATURES,
    SLOT_WIDTH,
    observation_width,
)
from diorama.worlds.morphogenesis.controller.reports import EnvReport

Floats = NDArray[np.float64]

UNKNOWN: Final = -1.0
SYMLOG_SCALE: Final = 7.0
DIVERGED_LOSS: Final = 1e4
"""What a loss that is not finite is shown as."""
CONTRIBUTION_SCALE_PP: Final = 10.0
TEMPO_SCALE_EPOCHS: Final = 12.0
FRESHNESS_DECAY: Final = 0.995

_HOST: Final = {name: column for column, name in enumerate(HOST_FEATURES)}
_SLOT: Final = {name: column for column, name in enumerate(SLOT_FEATURES)}
_STAGE_COUNTS: Final = {
    "seeds_training": (SeedStage.TRAINING,),
    "seeds_blending": (SeedStage.BLENDING,),
    "seeds_holding_or_fossilized": (SeedStage.HOLDING, SeedStage.FOSSILIZED),
}
_NUMBERS: Final = SLOT_FEATURES[SLOT_FEATURES.index("alpha") :]
"""Raw numbers of a seed, in the order `_seed_numbers` gives them."""
_NO_TELEMETRY: Final = SeedTelemetry(seed_id="")


def write_observations(obs: F32, reports: Sequence[EnvReport], slot_ids: Sequence[str]) -> None:
    """Write one row per env into the caller's array.

    Args:
        obs: Envs × features, overwritten.
        reports: One per row.
        slot_ids: Enabled slots in action index order.

    Raises:
        ContractError: The array has another shape.
    """
    if obs.shape != (len(reports), observation_width(len(slot_ids))):
        wanted = (len(reports), observation_width(len(slot_ids)))
        raise ContractError(f"observations of shape {obs.shape}; {len(slot_ids)} slots need {wanted}")
    epochs = np.array([[report.max_epochs] for report in reports], np.float64)
    slots = _slots(*_gather(reports, slot_ids), epochs)
    obs[:, HOST_WIDTH:] = slots.reshape(len(reports), -1)
    _write_host(obs[:, :HOST_WIDTH], reports, epochs)
    for name, counted in _STAGE_COUNTS.items():
        columns = [_SLOT["stage_unknown"] + STAGE_TO_ONE_HOT[stage] for stage in counted]
        obs[:, _HOST[name]] = slots[:, :, columns].sum(axis=(1, 2)) / len(slot_ids)
    if not np.isfinite(obs).all():
        raise ContractError("an observation is not finite")


def write_blueprints(
    indices: NDArray[np.integer], reports: Sequence[EnvReport], slot_ids: Sequence[str], *, empty: int
) -> None:
    """Write the blueprint of every slot, envs × slots, and `empty` where no module sits."""
    indices[:] = empty
    for row, report in enumerate(reports):
        for column, slot_id in enumerate(slot_ids):
            seed = report.seeds.get(slot_id)
            if seed is not None and seed.blueprint_index >= 0:
                indices[row, column] = seed.blueprint_index


def symlog(values: Floats) -> Floats:
    """Return the logarithm of the size with the sign kept; 0 stays 0."""
    return np.sign(values) * np.log1p(np.abs(values))


def _write_host(host: F32, reports: Sequence[EnvReport], epochs: Floats) -> None:
    losses = np.array([[report.val_loss, *_padded(report.recent_losses)] for report in reports], np.float64)
    accuracies = np.array([[report.val_acc, *_padded(report.recent_accuracies)] for report in reports], np.float64)
    known = np.array([min(len(report.recent_losses), HISTORY) for report in reports])
    absent = np.arange(HISTORY) < HISTORY - known[:, None]
    shown_losses = symlog(np.where(np.isfinite(losses), losses, DIVERGED_LOSS)) / SYMLOG_SCALE
    shown_accuracies = np.where(np.isfinite(accuracies), accuracies, 0.0) / 100.0
    host[:, _HOST["epoch"]] = np.array([report.epoch for report in reports]) / epochs[:, 0]
    host[:, _HOST["val_loss"]] = shown_losses[:, 0]
    host[:, _HOST["val_acc"]] = shown_accuracies[:, 0]
    oldest_loss, oldest_accuracy = _HOST[f"val_loss_{HISTORY - 1}_ago"], _HOST[f"val_acc_{HISTORY - 1}_ago"]
    host[:, oldest_loss : oldest_loss + HISTORY] = np.where(absent, UNKNOWN, shown_losses[:, 1:])
    host[:, oldest_accuracy : oldest_accuracy + HISTORY] = np.where(absent, UNKNOWN, shown_accuracies[:, 1:])
    host[:, _HOST["previous_succeeded"]] = [report.previous_succeeded for report in reports]
    first_op = _HOST["previous_wait"]
    host[:, first_op : first_op + NUM_OPS] = np.eye(NUM_OPS)[[report.previous_op for report in reports]]


def _padded(history: tuple[float, ...]) -> tuple[float, ...]:
    recent = history[-HISTORY:]
    return (0.0,) * (HISTORY - len(recent)) + recent


def _gather(reports: Sequence[EnvReport], slot_ids: Sequence[str]) -> tuple[NDArray[np.int64], Floats]:
    stages = np.full((len(reports), len(slot_ids)), -1, np.int64)
    numbers = np.zeros((len(reports), len(slot_ids), len(_NUMBERS)))
    for row, report in enumerate(reports):
        _gather_env(stages[row], numbers[row], report.seeds, slot_ids)
    return stages, numbers


def _gather_env(
    stages: NDArray[np.int64], numbers: Floats, seeds: Mapping[str, SeedStateReport], slot_ids: Sequence[str]
) -> None:
    for column, slot_id in enumerate(slot_ids):
        if slot_id in seeds:
            stages[column] = STAGE_TO_ONE_HOT[seeds[slot_id].stage]
            numbers[column] = _seed_numbers(seeds[slot_id])


def _seed_numbers(seed: SeedStateReport) -> tuple[float, ...]:
    metrics = seed.metrics
    telemetry = seed.telemetry or _NO_TELEMETRY
    return (
        seed.alpha,
        _or_nan(metrics.counterfactual_contribution),
        metrics.contribution_velocity,
        seed.blend_tempo_epochs,
        seed.alpha_target,
        seed.alpha_mode,
        seed.alpha_steps_total,
        seed.alpha_steps_done,
        seed.time_to_target,
        seed.alpha_velocity,
        seed.alpha_algorithm,
        metrics.interaction_sum,
        _or_nan(telemetry.gradient_norm),
        _or_nan(telemetry.gradient_health),
        telemetry.has_vanishing is True,
        telemetry.has_exploding is True,
        _or_nan(telemetry.prev_gradient_health),
        metrics.epochs_in_current_stage,
        _or_nan(metrics.epochs_since_counterfactual),
        metrics.epochs_total,
    )


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _slots(stages: NDArray[np.int64], numbers: Floats, epochs: Floats) -> Floats:
    has_state = stages >= 0
    slots = np.zeros((*stages.shape, SLOT_WIDTH))
    raw = {name: numbers[:, :, place] for place, name in enumerate(_NUMBERS)}
    health_before, since = raw["gradient_health_before"], raw["contribution_freshness"]
    features = {
        **raw,
        **{
            name: np.clip(_measured(raw[name]) / CONTRIBUTION_SCALE_PP, -1.0, 1.0)
            for name in ("contribution", "contribution_velocity", "interaction_sum")
        },
        **{
            name: raw[name] / epochs
            for name in ("alpha_steps_total", "alpha_steps_done", "epochs_in_stage", "epochs_total")
        },
        "blend_tempo": raw["blend_tempo"] / TEMPO_SCALE_EPOCHS,
        "alpha_mode": raw["alpha_mode"] / 2.0,
        "time_to_target": np.minimum(raw["time_to_target"] / epochs, 1.0),
        "alpha_velocity": np.clip(raw["alpha_velocity"], -1.0, 1.0),
        "operator": (raw["operator"] - 1.0) / 2.0,
        "gradient_norm": symlog(_measured(raw["gradient_norm"])) / SYMLOG_SCALE,
        "gradient_health": _measured(raw["gradient_health"]),
        "gradient_health_before": np.where(np.isnan(health_before), UNKNOWN, health_before),
        "contribution_freshness": np.where(np.isnan(since), UNKNOWN, FRESHNESS_DECAY ** _measured(since)),
    }
    slots[:, :, _SLOT["has_state"]] = has_state
    first_stage = _SLOT["stage_unknown"]
    slots[:, :, first_stage : first_stage + NUM_STAGES] = np.eye(NUM_STAGES)[stages] * has_state[:, :, None]
    for name, values in features.items():
        slots[:, :, _SLOT[name]] = np.where(has_state, values, 0.0)
    return slots


def _measured(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, 0.0)
