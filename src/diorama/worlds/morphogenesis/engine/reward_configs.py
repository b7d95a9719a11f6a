"""The constants of both reward families, as a run sets them."""

from dataclasses import replace

from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.data.tasks import TaskSpec
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig, LossRewardConfig
from diorama.worlds.morphogenesis.rewards.constants import constants_of


def contribution_reward_config(
    config: MorphogenesisConfig, *, param_budget: int, holding_epochs: int
) -> ContributionRewardConfig:
    """Return the constants of the contribution family for a run."""
    usual = ContributionRewardConfig(
        reward_mode=RewardMode(config.reward_mode),
        gamma=config.gamma,
        disable_pbrs=config.disable_pbrs,
        disable_terminal_reward=config.disable_terminal_reward,
        disable_anti_gaming=config.disable_anti_gaming,
        has_control_twin=config.control_twins,
        min_holding_for_full_bonus=holding_epochs,
        param_budget=param_budget,
        param_penalty_weight=config.param_penalty_weight,
        sparse_reward_scale=config.sparse_reward_scale,
        rent_host_params_floor=config.rent_host_params_floor,
        basic_acc_delta_weight=config.basic_acc_delta_weight,
    )
    return replace(usual, **constants_of(ContributionRewardConfig, config.reward_constants))


def loss_reward_config(config: MorphogenesisConfig, task: TaskSpec) -> LossRewardConfig:
    """Return the constants of the loss family for a run."""
    usual = LossRewardConfig(
        gamma=config.gamma,
        disable_pbrs=config.disable_pbrs,
        disable_terminal_reward=config.disable_terminal_reward,
        typical_loss_delta_std=task.typical_loss_delta_std,
        baseline_loss=task.baseline_loss,
        target_loss=task.target_loss,
        rent_host_params_floor=config.rent_host_params_floor,
    )
    return replace(usual, **constants_of(LossRewardConfig, config.reward_constants))
