"""The other terms of every step that look at single seeds: penalties for suspect and idle seeds, synergy."""

import math

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.types import LiveSeedInput, SeedInfo


def ratio_penalty(seed: LiveSeedInput, op: LifecycleOp, config: ContributionRewardConfig) -> float:
    """Return the penalty of a seed that costs far more to remove than it has brought."""
    contribution, reference = seed.contribution, seed.seed_info.counterfactual_total_improvement
    if config.disable_anti_gaming or op is LifecycleOp.PRUNE or contribution is None or reference is None:
        return 0.0
    if contribution <= config.ratio_min_contribution_pp or reference < 0.0:
        return 0.0
    if reference <= config.ratio_min_improvement_pp:
        return -config.ratio_penalty_limit * min(1.0, contribution / config.ratio_full_contribution_pp)
    excess = contribution / reference - config.ratio_threshold
    if excess <= 0.0:
        return 0.0
    return -min(config.ratio_penalty_limit, config.ratio_penalty_slope * excess / config.ratio_threshold)


def blending_warning(info: SeedInfo, config: ContributionRewardConfig) -> float:
    """Return the penalty of blending in a seed while the host has got worse."""
    reference = info.counterfactual_total_improvement
    if info.stage != SeedStage.BLENDING or reference is None or reference >= 0.0:
        return 0.0
    growing = min(config.blending_warning_slope * info.epochs_in_stage, config.blending_warning_limit)
    return -config.blending_warning_base - growing


def holding_warning(info: SeedInfo, credit_pp: float, op: LifecycleOp, config: ContributionRewardConfig) -> float:
    """Return the penalty of putting off the verdict on a seed that earns its credit."""
    waits = info.epochs_in_stage - config.holding_warning_grace_epochs
    is_decided = op in (LifecycleOp.FOSSILIZE, LifecycleOp.PRUNE)
    if info.stage != SeedStage.HOLDING or is_decided or waits < 0 or credit_pp <= 0.0:
        return 0.0
    return -min(config.holding_warning_base + config.holding_warning_slope * waits, config.holding_warning_limit)


def synergy(info: SeedInfo, credit_pp: float, config: ContributionRewardConfig) -> float:
    """Return the bonus of a credited seed that makes others better."""
    if credit_pp <= 0.0:
        return 0.0
    return config.synergy_weight * math.tanh(config.synergy_steepness * info.interaction_sum)
