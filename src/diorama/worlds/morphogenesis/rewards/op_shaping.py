"""What an operation costs, and what the verdict on a seed is worth."""

import math
from typing import NamedTuple

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs


class Verdict(NamedTuple):
    """Reward of making a seed permanent: for the seed, and for its place in the series of good ones."""

    shaping: float
    series_bonus: float = 0.0


def op_cost(op: LifecycleOp, config: ContributionRewardConfig) -> float:
    """Return what an operation costs, never positive."""
    match op:
        case LifecycleOp.WAIT:
            return 0.0
        case LifecycleOp.GERMINATE:
            return -config.germinate_cost
        case LifecycleOp.SET_ALPHA_TARGET:
            return -config.set_alpha_target_cost
        case LifecycleOp.PRUNE:
            return -config.prune_cost
        case LifecycleOp.FOSSILIZE:
            return -config.fossilize_cost
        case LifecycleOp.ADVANCE:
            return -config.advance_cost


def contributes_permanently(
    contribution: float | None, reference: float | None, config: ContributionRewardConfig
) -> bool:
    """Say whether a seed counts among the good ones if it becomes permanent now."""
    return (
        contribution is not None
        and contribution >= config.fossilize_min_contribution_pp
        and reference is not None
        and reference > 0.0
    )


def legitimacy(epochs_in_stage: int, config: ContributionRewardConfig) -> float:
    """Return the share of the bonus a seed has earned by holding long enough."""
    return min(1.0, epochs_in_stage / max(1, config.min_holding_for_full_bonus))


def fossilize_verdict(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> Verdict:
    """Return the reward of making the target permanent."""
    info = inputs.seed_info
    contribution = inputs.seed_contribution or 0.0
    reference = None if info is None else info.counterfactual_total_improvement
    if info is None or reference is None:
        return Verdict(-config.fossilize_unknown_penalty)
    if reference < 0.0:
        worse = min(config.fossilize_worse_slope * abs(reference), config.fossilize_worse_limit)
        extra = config.ransomware_penalty if is_ransomware(contribution, reference, config) else 0.0
        return Verdict(-config.fossilize_worse_base - worse - extra)
    if contribution < config.fossilize_min_contribution_pp:
        return Verdict(-config.fossilize_weak_penalty)
    share = legitimacy(info.epochs_in_stage, config)
    bonus = config.fossilize_bonus_base + config.fossilize_bonus_slope * min(
        contribution, config.fossilize_bonus_limit_pp
    )
    return Verdict(bonus * share, _series_bonus(inputs.num_contributing_fossilized + 1, config) * share)


def is_ransomware(contribution: float, reference: float, config: ContributionRewardConfig) -> bool:
    """Say whether a seed is costly to remove while the host has got worse."""
    return contribution > config.ransomware_contribution_pp and reference < config.ransomware_degradation_pp


def prune_shaping(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the reward of removing the target."""
    age = 0 if inputs.seed_info is None else inputs.seed_info.seed_age_epochs
    contribution = inputs.seed_contribution
    if contribution is None:
        return -config.prune_unmeasured_penalty if age < config.prune_unmeasured_age else 0.0
    if contribution < config.prune_harmful_pp:
        is_early = age < config.prune_harmful_min_age
        return -config.prune_harmful_early_penalty if is_early else config.prune_harmful_bonus
    if contribution < 0.0:
        return config.prune_slightly_harmful_bonus
    return max(-config.prune_useful_base - config.prune_useful_slope * contribution, -config.prune_useful_limit)


def _series_bonus(place: int, config: ContributionRewardConfig) -> float:
    here, before = (math.tanh(number / config.fossilize_series_scale) for number in (place, place - 1))
    return config.fossilize_series_weight * (here - before)
