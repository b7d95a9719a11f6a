"""From the inputs of a step to its reward: the one place that knows all modes."""

import math
from collections.abc import Iterator

from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.contracts.units import check_accuracy
from diorama.worlds.morphogenesis.rewards.basic import basic_parts
from diorama.worlds.morphogenesis.rewards.components import RewardOutcome, RewardParts, tell
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig, LossRewardConfig
from diorama.worlds.morphogenesis.rewards.escrow import escrow_parts
from diorama.worlds.morphogenesis.rewards.loss import loss_parts
from diorama.worlds.morphogenesis.rewards.shaped import shaped_parts
from diorama.worlds.morphogenesis.rewards.sparse import simplified_parts, sparse_parts
from diorama.worlds.morphogenesis.rewards.types import (
    ContributionRewardInputs,
    FossilizedSeedDripState,
    LossRewardInputs,
    SeedInfo,
)


def compute_reward(inputs: ContributionRewardInputs | LossRewardInputs) -> RewardOutcome:
    """Return the reward of a step; equal inputs give equal rewards, and the inputs stay as they are.

    Raises:
        ContractError: An input is not finite, or an accuracy is no percentage.
    """
    if isinstance(inputs, LossRewardInputs):
        _check_finite(_loss_numbers(inputs))
        parts = loss_parts(inputs, inputs.config or LossRewardConfig())
        return RewardOutcome(reward=parts.total_reward, components=parts)
    check_accuracy(inputs.val_acc)
    _check_finite(_contribution_numbers(inputs))
    return _contribution_reward(inputs, inputs.config or ContributionRewardConfig())


def _contribution_reward(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> RewardOutcome:
    match config.reward_mode:
        case RewardMode.SHAPED:
            return _outcome(inputs, shaped_parts(inputs, config))
        case RewardMode.ESCROW:
            parts, accounts = escrow_parts(inputs, config)
            return _outcome(inputs, parts, accounts=accounts)
        case RewardMode.BASIC | RewardMode.BASIC_PLUS:
            parts, drips = basic_parts(inputs, config)
            return _outcome(inputs, parts, drips=drips)
        case RewardMode.SPARSE | RewardMode.MINIMAL:
            return _outcome(inputs, sparse_parts(inputs, config))
        case RewardMode.SIMPLIFIED:
            return _outcome(inputs, simplified_parts(inputs, config))


def _outcome(
    inputs: ContributionRewardInputs,
    parts: RewardParts,
    *,
    accounts: dict[str, float] | None = None,
    drips: tuple[FossilizedSeedDripState, ...] = (),
) -> RewardOutcome:
    return RewardOutcome(
        reward=parts.total(),
        components=tell(inputs, parts) if inputs.return_components else None,
        escrow_credits=accounts or {},
        drip_states=drips,
    )


def _check_finite(numbers: Iterator[tuple[str, float | None]]) -> None:
    for name, number in numbers:
        if number is not None and not math.isfinite(number):
            raise ContractError(f"reward input {name} is {number}; every input must be finite")


def _loss_numbers(inputs: LossRewardInputs) -> Iterator[tuple[str, float | None]]:
    yield "loss_delta", inputs.loss_delta
    yield "val_loss", inputs.val_loss
    yield "potential_before", inputs.potential_before
    yield "potential_after", inputs.potential_after


def _contribution_numbers(inputs: ContributionRewardInputs) -> Iterator[tuple[str, float | None]]:
    yield "acc_delta", inputs.acc_delta
    yield "seed_contribution", inputs.seed_contribution
    yield "acc_at_germination", inputs.acc_at_germination
    yield "committed_val_acc", inputs.committed_val_acc
    yield "effective_seed_params", inputs.effective_seed_params
    yield "alpha_delta_sq_sum", inputs.alpha_delta_sq_sum
    yield "stable_val_acc", inputs.stable_val_acc
    yield "potential_before", inputs.potential_before
    yield "potential_after", inputs.potential_after
    yield "control_val_acc", inputs.control_val_acc
    yield "episode_acc_gain", inputs.episode_acc_gain
    yield "pending_credit", inputs.pending_credit
    yield "total_seed_effect", inputs.total_seed_effect
    if inputs.seed_info is not None:
        yield from _seed_numbers(inputs.seed_info)
    for seed in inputs.live_seeds:
        yield "contribution of a live seed", seed.contribution
        yield "escrow_credit_prev of a live seed", seed.escrow_credit_prev
        yield from _seed_numbers(seed.seed_info)
    yield from (inputs.fossilized_contributions or {}).items()


def _seed_numbers(info: SeedInfo) -> Iterator[tuple[str, float | None]]:
    yield "improvement_since_stage_start of a seed", info.improvement_since_stage_start
    yield "total_improvement of a seed", info.total_improvement
    yield "interaction_sum of a seed", info.interaction_sum
    yield "boost_received of a seed", info.boost_received
    yield "counterfactual_total_improvement of a seed", info.counterfactual_total_improvement
    yield "progress_since_germination of a seed", info.progress_since_germination
