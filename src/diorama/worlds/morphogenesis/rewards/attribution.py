"""What a seed is credited with, in percentage points, and the cap that all credits share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LiveSeedInput, SeedInfo

DENSE_STAGES: Final = CONTRIBUTING_STAGES | {SeedStage.TRAINING}
"""Seeds in these stages earn and pay at every step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Credit of one seed before the joint cap, and the factors it was discounted with."""

    value_pp: float
    discount: float = 1.0
    timing_discount: float = 1.0


def symlog(value: float) -> float:
    """Return the logarithm of the size with the sign kept; 0 stays 0."""
    return math.copysign(math.log1p(abs(value)), value)


def harmonic_mean(first: float, second: float) -> float:
    """Return the harmonic mean of two positive numbers."""
    return 2.0 * first * second / (first + second)


def op_on(seed: LiveSeedInput, inputs: ContributionRewardInputs) -> LifecycleOp:
    """Return what was done to a seed: the op where it is the target and succeeded, WAIT otherwise."""
    return inputs.action if seed.is_target and inputs.action_success else LifecycleOp.WAIT


def dense_seeds(inputs: ContributionRewardInputs) -> tuple[LiveSeedInput, ...]:
    """Return the seeds that earn and pay at every step."""
    return tuple(seed for seed in inputs.live_seeds if seed.seed_info.stage in DENSE_STAGES)


def measured_gain(inputs: ContributionRewardInputs) -> float | None:
    """Return what growth has really bought: the gain over control, else the effect of all seeds together."""
    if inputs.control_val_acc is not None:
        return inputs.val_acc - inputs.control_val_acc
    return inputs.total_seed_effect


def attribute(
    seed: LiveSeedInput, progress: float | None, op: LifecycleOp, config: ContributionRewardConfig
) -> Attribution:
    """Return the credit of one seed for an op on it."""
    info = seed.seed_info
    value = _undiscounted(info, seed.contribution, progress, config)
    discount, timing = (_discount(info, config), _timing(info, config)) if value > 0.0 else (1.0, 1.0)
    value *= discount * timing
    reference = info.counterfactual_total_improvement
    if op is LifecycleOp.FOSSILIZE and reference is not None and reference < 0.0:
        value = 0.0
    elif op is LifecycleOp.PRUNE:
        value = -value
    return Attribution(value_pp=value, discount=discount, timing_discount=timing)


def joint_cap(values_pp: Sequence[float], gain_pp: float | None) -> float:
    """Return the factor of all positive credits that keeps their sum within the gain; 1 where that is unknown."""
    credited = sum(value for value in values_pp if value > 0.0)
    if gain_pp is None or credited <= 0.0:
        return 1.0
    return min(1.0, max(0.0, gain_pp) / credited)


def capped(credits: Sequence[Attribution], cap: float) -> tuple[float, ...]:
    """Return the credits in percentage points with the joint cap on the positive ones."""
    return tuple(credit.value_pp * cap if credit.value_pp > 0.0 else credit.value_pp for credit in credits)


def bound(total_pp: float, config: ContributionRewardConfig) -> float:
    """Bring the sum of all credits to the scale of a reward."""
    if config.attribution_scale == "log":
        return symlog(total_pp)
    return min(config.attribution_limit, max(-config.attribution_limit, total_pp))


def _undiscounted(
    info: SeedInfo, contribution: float | None, progress: float | None, config: ContributionRewardConfig
) -> float:
    if contribution is None:
        improvement = info.improvement_since_stage_start
        is_blended = info.stage in CONTRIBUTING_STAGES
        return config.unmeasured_improvement_share * max(0.0, improvement or 0.0) if is_blended else 0.0
    if contribution < 0.0:
        return contribution
    if progress is None:
        return config.unknown_progress_share * contribution
    if progress <= 0.0:
        return 0.0
    if contribution < progress:
        return contribution
    return progress if config.attribution_formula == "minimum" else harmonic_mean(progress, contribution)


def _discount(info: SeedInfo, config: ContributionRewardConfig) -> float:
    reference = info.counterfactual_total_improvement
    if reference is None or reference >= 0.0:
        return 1.0
    # The exponent is negative, so that nothing overflows however bad the reference is.
    decayed = math.exp(config.discount_steepness * reference)
    return 2.0 * decayed / (1.0 + decayed)


def _timing(info: SeedInfo, config: ContributionRewardConfig) -> float:
    if config.has_control_twin or info.germination_epoch >= config.timing_discount_epochs:
        return 1.0
    return config.timing_discount_floor + config.timing_discount_slope * info.germination_epoch
