"""Rewards divided by their running spread; the mean stays, because taking it off would change what is best."""

import math
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.errors import ContractError

REWARD_LIMIT: Final = 10.0
SPREAD_GUARD: Final = 1e-8


@dataclass(slots=True)
class RewardNormalizer:
    """Count, mean and summed squared deviations of all raw rewards so far, in env order."""

    count: int = 0
    mean: float = 0.0
    m2: float = 0.0

    def normalize(self, reward: float) -> float:
        """Count a reward in and return it on the common scale."""
        _check_finite(reward)
        self.count += 1
        delta = reward - self.mean
        self.mean += delta / self.count
        self.m2 += delta * (reward - self.mean)
        return self.normalize_only(reward)

    def normalize_only(self, reward: float) -> float:
        """Return a reward on the common scale and leave that as it is."""
        _check_finite(reward)
        if self.count < 2:
            return _clip(reward)
        return _clip(reward / (math.sqrt(self.m2 / (self.count - 1)) + SPREAD_GUARD))


def _check_finite(reward: float) -> None:
    if not math.isfinite(reward):
        raise ContractError(f"reward {reward} is not finite")


def _clip(value: float) -> float:
    return min(REWARD_LIMIT, max(-REWARD_LIMIT, value))
