"""The family `loss`: a falling validation loss, against a light rent."""

import math

from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.contracts.units import clamp01
from diorama.worlds.morphogenesis.rewards.components import RewardParts
from diorama.worlds.morphogenesis.rewards.config import LossRewardConfig
from diorama.worlds.morphogenesis.rewards.potential import shaping
from diorama.worlds.morphogenesis.rewards.types import LossRewardInputs


def loss_parts(inputs: LossRewardInputs, config: LossRewardConfig) -> RewardComponentsTelemetry:
    """Return the parts of the family; what the change of the loss pays stands in `bounded_attribution`."""
    info = inputs.seed_info
    pbrs = shaping(inputs.potential_before, inputs.potential_after, weight=config.pbrs_weight, gamma=config.gamma)
    has_end = inputs.epoch >= inputs.max_epochs and not config.disable_terminal_reward
    parts = RewardParts(
        bounded_attribution=-config.loss_weight * _scaled_delta(inputs, config),
        compute_rent=_rent(inputs, config),
        pbrs_bonus=0.0 if config.disable_pbrs else pbrs,
        terminal_bonus=_share_of_the_way(inputs.val_loss, config) if has_end else 0.0,
    )
    return RewardComponentsTelemetry(
        bounded_attribution=parts.bounded_attribution,
        compute_rent=parts.compute_rent,
        pbrs_bonus=parts.pbrs_bonus,
        terminal_bonus=parts.terminal_bonus,
        action_name=inputs.action.name,
        seed_stage=None if info is None else info.stage,
        epoch=inputs.epoch,
        growth_ratio=inputs.total_params / max(1, inputs.host_params),
        total_reward=parts.total(),
    )


def _scaled_delta(inputs: LossRewardInputs, config: LossRewardConfig) -> float:
    if inputs.epoch <= 1:
        return 0.0
    delta = inputs.loss_delta / config.typical_loss_delta_std
    clipped = min(config.delta_limit, max(-config.delta_limit, delta))
    return clipped * config.worse_share if clipped > 0.0 else clipped


def _rent(inputs: LossRewardInputs, config: LossRewardConfig) -> float:
    youngest = inputs.youngest_seed_age
    if youngest is not None and youngest < config.rent_grace_epochs:
        return 0.0
    host_size = max(inputs.host_params, config.rent_host_params_floor)
    growth = max(0, inputs.total_params - inputs.host_params) / host_size
    return -min(config.rent_weight * math.log1p(growth), config.rent_limit)


def _share_of_the_way(val_loss: float, config: LossRewardConfig) -> float:
    return clamp01((config.baseline_loss - val_loss) / (config.baseline_loss - config.target_loss))
