"""Gradient health of a seed: a few numbers from the norms of its parameter tensors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.units import clamp01

VANISHING_NORM: Final = 1e-7
EXPLODING_NORM: Final = 10.0
VANISHING_WEIGHT: Final = 0.5
EXPLODING_WEIGHT: Final = 0.8
NEGLIGIBLE_NORM: Final = 1e-8
MAX_GRADIENT_RATIO: Final = 10.0
RATIO_EMA_DECAY: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientReading:
    """Gradients of one seed in the last collected minibatch, before clipping.

    `gradient_health` is `None` when no tensor had a gradient; `gradient_ratio` compares with the host per parameter.
    """

    gradient_norm: float | None
    gradient_health: float | None
    has_vanishing: bool | None
    has_exploding: bool | None
    gradient_ratio: float | None
    parameters_finite: bool


def read_gradients(
    norms: Sequence[float],
    *,
    seed_params: int,
    host_norm: float,
    host_params: int,
    parameters_finite: bool,
) -> GradientReading:
    """Judge the gradients of a seed.

    Args:
        norms: Norm of each parameter tensor that has a gradient, in float64.
        seed_params: Number of the seed's parameters.
        host_norm: Norm of the host's whole gradient.
        host_params: Number of the host's parameters.
        parameters_finite: Whether every parameter of the seed is finite.
    """
    if not norms:
        return GradientReading(
            gradient_norm=None,
            gradient_health=None,
            has_vanishing=None,
            has_exploding=None,
            gradient_ratio=None,
            parameters_finite=parameters_finite,
        )
    vanishing = sum(norm < VANISHING_NORM for norm in norms)
    exploding = sum(not norm <= EXPLODING_NORM for norm in norms)
    total = math.sqrt(sum(norm * norm for norm in norms))
    health = clamp01(1.0 - VANISHING_WEIGHT * vanishing / len(norms) - EXPLODING_WEIGHT * exploding / len(norms))
    return GradientReading(
        gradient_norm=total,
        gradient_health=health if math.isfinite(total) else 0.0,
        has_vanishing=vanishing > 0,
        has_exploding=exploding > 0,
        gradient_ratio=gradient_ratio(total, seed_params, host_norm, host_params),
        parameters_finite=parameters_finite,
    )


def gradient_ratio(seed_norm: float, seed_params: int, host_norm: float, host_params: int) -> float | None:
    """Compare a seed's gradient per parameter with the host's, 0 to 10; `None` when either is not finite."""
    if not (math.isfinite(seed_norm) and math.isfinite(host_norm)):
        return None
    if seed_norm < NEGLIGIBLE_NORM or host_norm < NEGLIGIBLE_NORM:
        return 0.0
    per_host = host_norm / math.sqrt(host_params) + NEGLIGIBLE_NORM
    return min(MAX_GRADIENT_RATIO, seed_norm / math.sqrt(seed_params) / per_host)


def smooth_ratio(old: float | None, new: float | None) -> float | None:
    """Return the moving average of the ratio; the first measurement starts it."""
    if new is None:
        return old
    return new if old is None else RATIO_EMA_DECAY * old + (1.0 - RATIO_EMA_DECAY) * new
