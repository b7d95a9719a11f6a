"""How far a PPO log is from a baseline, field by field."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.checks import is_number
from diorama.telemetry.ppo.columns import mean
from diorama.telemetry.ppo.fields import BASELINE_FIELDS, BASELINE_OPTIONAL_FIELDS, CONFLICT_FIELDS, UPDATE_FIELDS

# Counters, names and wall-clock times say nothing about how learning goes.
DRIFT_FIELDS: Final = (
    *UPDATE_FIELDS,
    "batch_entropy_mean",
    "batch_entropy_std",
    "grad_norm_max",
    "kl_divergence_max",
    "reward_advantage_corr",
    *BASELINE_FIELDS,
    *BASELINE_OPTIONAL_FIELDS,
    *CONFLICT_FIELDS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDrift:
    """Log minus baseline in one field, over the records that were compared.

    Attributes:
        field: Its name.
        log_mean: Mean of the log's values.
        baseline_mean: Mean of the baseline's values.
        worst: The difference farthest from 0, with its sign.
        worst_at: Number of its record, from 1.
    """

    field: str
    log_mean: float
    baseline_mean: float
    worst: float
    worst_at: int


def measure_drift(
    log: Sequence[Mapping[str, JsonValue]], baseline: Sequence[Mapping[str, JsonValue]], *, is_relative: bool
) -> tuple[FieldDrift, ...]:
    """Compare the n-th record of a log with the n-th of a baseline, as far as both go.

    Args:
        log: Valid records.
        baseline: Valid records.
        is_relative: Whether a difference is divided by the size of the baseline's value; from 0 any difference is
            then infinitely far.

    Returns:
        One entry for every field that both have somewhere.
    """
    drifts = (_field_drift(field, log, baseline, is_relative) for field in DRIFT_FIELDS)
    return tuple(drift for drift in drifts if drift is not None)


def _field_drift(
    field: str,
    log: Sequence[Mapping[str, JsonValue]],
    baseline: Sequence[Mapping[str, JsonValue]],
    is_relative: bool,
) -> FieldDrift | None:
    pairs = [
        (value, expected, number)
        for number, (ours, theirs) in enumerate(zip(log, baseline, strict=False), start=1)
        if is_number(value := ours.get(field)) and is_number(expected := theirs.get(field))
    ]
    if not pairs:
        return None
    differences = [(_difference(value, expected, is_relative), number) for value, expected, number in pairs]
    worst, worst_at = max(differences, key=lambda pair: abs(pair[0]))
    return FieldDrift(
        field=field,
        log_mean=mean([value for value, _, _ in pairs]),
        baseline_mean=mean([expected for _, expected, _ in pairs]),
        worst=worst,
        worst_at=worst_at,
    )


def _difference(value: float, expected: float, is_relative: bool) -> float:
    difference = value - expected
    if not is_relative or difference == 0.0:
        return difference
    return difference / abs(expected) if expected != 0.0 else math.copysign(math.inf, difference)
