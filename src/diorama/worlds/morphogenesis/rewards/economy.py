"""What growth costs by its size: rent, the shock of moving alphas, occupancy and upkeep."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs


class RentedSeed(NamedTuple):
    """A seed with the alpha that was in force during the epoch; the parameters count its gate."""

    stage: SeedStage
    alpha: float
    params: int


def effective_seed_params(seeds: Iterable[RentedSeed], host_params: int, config: ContributionRewardConfig) -> float:
    """Return the size the seeds pay rent for: their parameters by alpha, and a share of the host for each."""
    return math.fsum(
        config.rent_base_share * host_params + seed.alpha * seed.params
        for seed in seeds
        if seed.stage in CONTRIBUTING_STAGES
    )


def weighted_alpha_change(changes: Iterable[tuple[float, float, int]]) -> float:
    """Return the sum of squared changes of alpha times parameters, from alphas before and now and parameters."""
    return math.fsum((now - before) ** 2 * params for before, now, params in changes)


def compute_rent(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the rent, never positive."""
    growth = (inputs.effective_seed_params or 0.0) / _host_size(inputs, config)
    return -min(config.rent_weight * math.log1p(growth), config.rent_limit)


def alpha_shock(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the price of sudden changes, never positive."""
    if config.disable_anti_gaming:
        return 0.0
    shock = config.alpha_shock_weight * inputs.alpha_delta_sq_sum / _host_size(inputs, config)
    return -min(shock, config.alpha_shock_limit)


def occupancy_rent(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the price of every attached seed beyond the first."""
    return -config.occupancy_rent * max(0, inputs.n_active_seeds - config.free_seeds)


def upkeep(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the price of permanent seeds."""
    return -config.fossilized_rent * inputs.num_fossilized_seeds


def budget_rent(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the rent of the basic modes, a share of the parameter budget."""
    return -config.param_penalty_weight * (inputs.effective_seed_params or 0.0) / config.param_budget


def _host_size(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> int:
    return max(inputs.host_params, config.rent_host_params_floor)
