"""The mode `shaped`: credits for every seed, jointly capped by the gain, against the price of growth."""

from collections.abc import Sequence

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards import dense, economy
from diorama.worlds.morphogenesis.rewards.attribution import (
    Attribution,
    attribute,
    bound,
    capped,
    dense_seeds,
    joint_cap,
    measured_gain,
    op_on,
)
from diorama.worlds.morphogenesis.rewards.components import RewardParts, is_last, stage_shaping
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.op_shaping import Verdict, fossilize_verdict, op_cost, prune_shaping
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LiveSeedInput


def shaped_parts(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> RewardParts:
    """Return the parts of the mode `shaped`."""
    parts, seeds = environment_parts(inputs, config), dense_seeds(inputs)
    if not seeds:
        return parts
    credits = tuple(
        attribute(seed, seed.seed_info.progress_since_germination, op_on(seed, inputs), config) for seed in seeds
    )
    parts.bounded_attribution = _paid(seeds, add_credits(parts, inputs, seeds, credits, config), config)
    parts.ratio_penalty = sum(
        dense.ratio_penalty(seed, op_on(seed, inputs), config) for seed in seeds if is_growing(seed)
    )
    return parts


def _paid(seeds: Sequence[LiveSeedInput], credits_pp: Sequence[float], config: ContributionRewardConfig) -> float:
    """Return what the credits pay: those of seeds that are not permanent add a share of what they would add.

    The share is taken behind the logarithm, where it is the same share of the reward for small and large gains. Harm
    counts in full.
    """
    growing_pp = sum(pp for seed, pp in zip(seeds, credits_pp, strict=True) if is_growing(seed) and pp > 0.0)
    in_full = bound(sum(credits_pp), config)
    added = in_full - bound(sum(credits_pp) - growing_pp, config)
    return in_full - (1.0 - config.growing_credit_share) * added


def environment_parts(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> RewardParts:
    """Return the parts that look at the host as a whole: prices, shaping of stages and of the op, and the end."""
    op = inputs.action if inputs.action_success else LifecycleOp.WAIT
    verdict = fossilize_verdict(inputs, config) if op is LifecycleOp.FOSSILIZE else Verdict(0.0)
    pruned = prune_shaping(inputs, config) if op is LifecycleOp.PRUNE else 0.0
    has_end = is_last(inputs) and not config.disable_terminal_reward
    return RewardParts(
        compute_rent=economy.compute_rent(inputs, config),
        alpha_shock=economy.alpha_shock(inputs, config),
        occupancy_rent=economy.occupancy_rent(inputs, config),
        fossilized_rent=economy.upkeep(inputs, config),
        pbrs_bonus=stage_shaping(inputs, config),
        action_shaping=op_cost(op, config) + verdict.shaping + pruned,
        fossilize_terminal_bonus=verdict.series_bonus,
        terminal_bonus=config.terminal_weight * inputs.val_acc if has_end else 0.0,
        hindsight_credit=inputs.pending_credit,
    )


def add_credits(
    parts: RewardParts,
    inputs: ContributionRewardInputs,
    seeds: Sequence[LiveSeedInput],
    credits: Sequence[Attribution],
    config: ContributionRewardConfig,
) -> tuple[float, ...]:
    """Cap the credits jointly, note them, and add the terms that hang on them.

    Returns:
        The capped credit of every seed in percentage points; whether and how they are paid is up to the mode.
    """
    parts.attribution_cap = joint_cap([credit.value_pp for credit in credits], measured_gain(inputs))
    credits_pp = capped(credits, parts.attribution_cap)
    parts.attribution_sum = sum(credits_pp)
    for seed, credit, credit_pp in zip(seeds, credits, credits_pp, strict=True):
        if seed.is_target:
            parts.attribution_discount, parts.timing_discount = credit.discount, credit.timing_discount
        if is_growing(seed):
            info, op = seed.seed_info, op_on(seed, inputs)
            parts.blending_warning += dense.blending_warning(info, config)
            parts.holding_warning += dense.holding_warning(info, credit_pp, op, config)
            parts.synergy_bonus += dense.synergy(info, credit_pp, config)
    return credits_pp


def is_growing(seed: LiveSeedInput) -> bool:
    """Say whether a seed is not yet permanent."""
    return seed.seed_info.stage != SeedStage.FOSSILIZED
