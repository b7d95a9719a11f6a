"""The modes that pay next to nothing before the end: `sparse`, `minimal` and `simplified`."""

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.rewards.components import PERCENT, RewardParts, is_last, stage_shaping
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.op_shaping import contributes_permanently
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs


def sparse_parts(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> RewardParts:
    """Return the parts of `sparse` and `minimal`: the permanent network at the end, by accuracy and size."""
    is_minimal = config.reward_mode is RewardMode.MINIMAL
    has_end = is_last(inputs) and not config.disable_terminal_reward
    return RewardParts(
        terminal_bonus=_committed_worth(inputs, config) if has_end else 0.0,
        action_shaping=-config.minimal_prune_penalty if is_minimal and _prunes_young(inputs, config) else 0.0,
    )


def simplified_parts(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> RewardParts:
    """Return the parts of `simplified`: stages, a price per op, and the end; size costs nothing."""
    op = inputs.action if inputs.action_success else LifecycleOp.WAIT
    has_end = is_last(inputs) and not config.disable_terminal_reward
    return RewardParts(
        pbrs_bonus=stage_shaping(inputs, config),
        action_shaping=0.0 if op is LifecycleOp.WAIT else -config.simplified_op_cost,
        terminal_bonus=_simple_worth(inputs, op, config) if has_end else 0.0,
    )


def _committed_worth(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    if inputs.committed_val_acc is None:
        raise ContractError("committed_val_acc is not measured at the last epoch; the sparse modes pay for it there")
    price = config.param_penalty_weight * inputs.fossilized_seed_params / config.param_budget
    worth = inputs.committed_val_acc / PERCENT - price
    return config.sparse_reward_scale * min(1.0, max(-1.0, worth))


def _prunes_young(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> bool:
    age = 0 if inputs.seed_info is None else inputs.seed_info.seed_age_epochs
    return inputs.action is LifecycleOp.PRUNE and inputs.action_success and age < config.minimal_prune_age


def _simple_worth(inputs: ContributionRewardInputs, op: LifecycleOp, config: ContributionRewardConfig) -> float:
    reference = None if inputs.seed_info is None else inputs.seed_info.counterfactual_total_improvement
    # A seed made permanent in the very last step is part of the network the episode ends with.
    is_new = op is LifecycleOp.FOSSILIZE and contributes_permanently(inputs.seed_contribution, reference, config)
    good = inputs.num_contributing_fossilized + is_new
    return config.simplified_accuracy_weight * inputs.val_acc / PERCENT + config.simplified_fossilized_weight * good
