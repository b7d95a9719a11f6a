"""Divides rewards by a running deviation; the mean stays, since taking it away would change what is best."""

from typing import Final

import torch
from torch import nn

from diorama.learn.normalize.moments import RunningMoments, block_moments
from diorama.learn.settings.normalization import NormalizationSettings, RewardScale

_EPSILON: Final = 1e-8


class RewardScaler(nn.Module):
    """Scales the rewards of a rollout by those of all rollouts, this one included, or by those up to each of them."""

    returns: torch.Tensor

    def __init__(self, settings: NormalizationSettings, rows: int, gamma: float) -> None:
        """Start with nothing seen."""
        super().__init__()
        self._kind = settings.rewards
        self._clip = settings.reward_clip
        self.counts_failures = settings.counts_failures
        self._gamma = gamma
        self.moments = RunningMoments(1, settings.momentum)
        self.register_buffer("returns", torch.zeros(rows, dtype=torch.float64))

    def forward(self, rewards: torch.Tensor, ended: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Take in a rollout and return its rewards to scale.

        Args:
            rewards: Steps × rows.
            ended: Like `rewards`, true where the episode ended.
            weights: Like `rewards`, 1 where the row took the decision.
        """
        if self._kind is RewardScale.RUNNING_STD:
            rewards = self._divide_in_order(rewards, weights)
        elif self._kind is not RewardScale.NONE:
            samples = rewards if self._kind is RewardScale.REWARD_STD else self._discounted(rewards, ended)
            self.moments.absorb(*block_moments(samples.reshape(-1, 1), weights.reshape(-1)))
            rewards = rewards / (self.moments.variance.sqrt().to(rewards.dtype) + _EPSILON)
        return rewards if self._clip is None else rewards.clamp(-self._clip, self._clip)

    def _divide_in_order(self, rewards: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Divide every reward by the sample deviation of all up to it; a single one stays as it is."""
        samples, counted = rewards.reshape(-1).double(), weights.reshape(-1).double()
        known, mean = self.moments.count.clone(), self.moments.mean.clone()
        squares = self.moments.variance * known
        # Deviations from a mean that is at hand: sums of the rewards themselves would lose digits to each other.
        apart = (samples - mean) * counted
        count, first, second = known + counted.cumsum(0), apart.cumsum(0), (apart * apart).cumsum(0)
        spread = squares + second - first * first / count.clamp(min=1.0)
        deviation = (spread.clamp(min=0.0) / (count - 1.0).clamp(min=1.0)).sqrt()
        self.moments.count.copy_(count[-1])
        self.moments.mean.copy_(mean + first[-1] / count[-1].clamp(min=1.0))
        self.moments.variance.copy_((spread[-1] / count[-1].clamp(min=1.0)).reshape(1))
        divided = torch.where(count < 2.0, samples, samples / (deviation + _EPSILON))
        return divided.to(rewards.dtype).view_as(rewards)

    def _discounted(self, rewards: torch.Tensor, ended: torch.Tensor) -> torch.Tensor:
        samples = []
        for reward, end in zip(rewards, ended, strict=True):
            self.returns.mul_(self._gamma).add_(reward)
            samples.append(self.returns.clone())
            self.returns.masked_fill_(end, 0.0)
        return torch.stack(samples)
