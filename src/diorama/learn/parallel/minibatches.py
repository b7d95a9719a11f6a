"""Minibatches of several processes that are learned from as one."""

from typing import Final

import torch

from diorama.learn.parallel.moments import merged
from diorama.learn.parallel.team import Team
from diorama.learn.ppo.experience import Experience
from diorama.learn.ppo.loss import Denominators
from diorama.learn.ppo.minibatches import (
    Minibatch,
    Shuffling,
    advantage_moments,
    advantage_scale,
    cut_shards,
    joined,
    sums_of_weights,
)
from diorama.learn.ppo.portions import Portion
from diorama.learn.settings.ppo import AdvantageScope, PpoSettings

_MOMENTS: Final = 3  # mean, variance and count of advantages


def cut_together(team: Team, experience: Experience, settings: PpoSettings, shuffling: Shuffling) -> list[Minibatch]:
    """Cut the sequences of this process into minibatches.

    Losses are means over the minibatches of all processes, and advantages are scaled alike in all of them, so that
    the gradients of the processes add up to that of one minibatch.
    """
    cut = [shards for shards in cut_shards(experience, settings, shuffling) if shards]
    whole = advantage_moments(experience.known.advantages, experience.known.policy_weights)
    rows = torch.stack([_row(experience, shards, settings, whole) for shards in cut])
    everybody = team.gather(rows)
    return [_minibatch(shards, everybody[:, place], settings) for place, shards in enumerate(cut)]


def _row(
    experience: Experience,
    shards: list[Portion],
    settings: PpoSettings,
    whole: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
) -> torch.Tensor:
    """Return what a minibatch here adds to the common one: sums of weights, and moments of advantages."""
    sums, moments = sums_of_weights(experience, shards), whole
    if settings.advantage_normalization is AdvantageScope.MINIBATCH:
        known = experience.known
        moments = advantage_moments(joined(shards, known.advantages), joined(shards, known.policy_weights))
    return torch.cat([sums.policy.reshape(1), sums.value.reshape(1), sums.heads, torch.stack(moments)]).double()


def _minibatch(shards: list[Portion], everybody: torch.Tensor, settings: PpoSettings) -> Minibatch:
    sums = everybody[:, :-_MOMENTS].sum(dim=0).clamp(min=1.0).float()
    means, variances, counts = everybody[:, -_MOMENTS:].split(1, dim=1)
    mean, variance, _ = merged(means, variances, counts)
    shift, scale = advantage_scale(mean[0].float(), variance[0].float(), settings)
    return Minibatch(shards, Denominators(policy=sums[0], value=sums[1], heads=sums[2:]), shift, scale)
