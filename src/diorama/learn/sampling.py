"""Minibatches of a rollout: which decisions, their denominators, how advantages are scaled."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import torch

from diorama.learn.distributed import Team, merged
from diorama.learn.experience import Experience, Portion, RolloutTargets, blocks
from diorama.learn.keyed_random import permutation
from diorama.learn.loss import Denominators
from diorama.learn.settings.ppo import AdvantageScope, PpoSettings, Shuffle
from diorama.learn.streams import MINIBATCHES


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleKey:
    """What the order of a pass depends on: the run, the update, the pass, and the size of a shard."""

    seed: int
    update: int
    epoch: int
    shard_sequences: int


@dataclass(frozen=True, slots=True)
class Minibatch:
    """What one optimizer step learns from.

    Attributes:
        shards: Its portions, each of which is learned from at once.
        over: Sums of weights over all of them.
        advantage_shift: Subtracted from advantages.
        advantage_scale: Then multiplied with.
    """

    shards: Sequence[Portion]
    over: Denominators
    advantage_shift: torch.Tensor
    advantage_scale: torch.Tensor

    def targets(self, experience: Experience, shard: Portion) -> RolloutTargets:
        """Return what is remembered of a shard, with advantages brought to scale."""
        targets = experience.targets
        arrays = {item.name: shard.of_decisions(getattr(targets, item.name)) for item in fields(targets)}
        arrays["advantages"] = (arrays["advantages"] - self.advantage_shift) * self.advantage_scale
        return RolloutTargets(**arrays)


def cut_minibatches(experience: Experience, settings: PpoSettings, shuffling: ShuffleKey) -> list[Minibatch]:
    """Cut all sequences into minibatches as even as possible."""
    whole = rollout_scale(experience, settings)
    return [
        join_shards(experience, shards, settings, whole)
        for shards in cut_shards(experience, settings, shuffling)
        if shards
    ]


def rollout_scale(experience: Experience, settings: PpoSettings) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what to subtract from advantages of a whole rollout and what to multiply them with."""
    return _scale_over(experience.targets.advantages, experience.targets.policy_weights, settings)


def cut_shards(experience: Experience, settings: PpoSettings, shuffling: ShuffleKey) -> list[list[Portion]]:
    """Return the shards of every minibatch; one has none where there are fewer sequences than minibatches."""
    inputs = experience.inputs
    keys = (shuffling.seed, MINIBATCHES, shuffling.update, shuffling.epoch)
    if settings.shuffle is Shuffle.BLOCKS and inputs.length == 1:
        cut = blocks(inputs.sequences, _block_size(inputs.sequences, settings, shuffling))
        order = permutation(*keys, len(cut)).tensor_split(settings.num_minibatches)
        return [[cut[place] for place in places.tolist()] for places in order]
    order = permutation(*keys, inputs.sequences).to(inputs.obs.device).tensor_split(settings.num_minibatches)
    return [inputs.cut(sequences, shuffling.shard_sequences) for sequences in order if len(sequences)]


def _block_size(total: int, settings: PpoSettings, shuffling: ShuffleKey) -> int:
    """Return a size no larger than a shard that gives every minibatch equally many blocks."""
    per_minibatch = -(-total // settings.num_minibatches)
    shards = -(-per_minibatch // shuffling.shard_sequences)
    return -(-per_minibatch // shards)


def join_shards(
    experience: Experience,
    shards: Sequence[Portion],
    settings: PpoSettings,
    scale: tuple[torch.Tensor, torch.Tensor],
) -> Minibatch:
    """Return the minibatch of these shards; `scale` is that of the rollout."""
    targets = experience.targets
    if settings.advantage_normalization is AdvantageScope.MINIBATCH:
        scale = _scale_over(joined(shards, targets.advantages), joined(shards, targets.policy_weights), settings)
    sums = sums_of_weights(experience, shards)
    over = Denominators(
        policy=sums.policy.clamp(min=1.0), value=sums.value.clamp(min=1.0), heads=sums.heads.clamp(min=1.0)
    )
    return Minibatch(shards, over, *scale)


def sums_of_weights(experience: Experience, shards: Sequence[Portion]) -> Denominators:
    """Return the sums of all weights of these shards, which may be zeros."""
    targets = experience.targets
    policy_weights = joined(shards, targets.policy_weights)
    return Denominators(
        policy=policy_weights.sum(),
        value=joined(shards, targets.value_weights).sum(),
        heads=(joined(shards, targets.head_weights) * policy_weights[:, None]).sum(dim=0),
    )


def joined(shards: Sequence[Portion], array: torch.Tensor) -> torch.Tensor:
    """Return the entries of the decisions of these shards, one after another."""
    return torch.cat([shard.of_decisions(array) for shard in shards])


def advantage_moments(
    advantages: torch.Tensor, weights: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return mean, population variance and number of the advantages whose weight is not 0."""
    counted = (weights > 0).to(advantages.dtype)
    count = counted.sum()
    divisor = count.clamp(min=1.0)
    mean = (counted * advantages).sum() / divisor
    return mean, (counted * (advantages - mean).square()).sum() / divisor, count


def advantage_scale(
    mean: torch.Tensor, variance: torch.Tensor, settings: PpoSettings
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what to subtract from advantages that lie so, and what to multiply them with."""
    if settings.advantage_normalization is AdvantageScope.NONE:
        return torch.zeros_like(mean), torch.ones_like(mean)
    return mean, 1.0 / variance.sqrt().clamp(min=settings.advantage_std_floor)


def _scale_over(
    advantages: torch.Tensor, weights: torch.Tensor, settings: PpoSettings
) -> tuple[torch.Tensor, torch.Tensor]:
    mean, variance, _ = advantage_moments(advantages, weights)
    return advantage_scale(mean, variance, settings)


_MOMENTS: Final = 3  # mean, variance and count of advantages


def cut_together(team: Team, experience: Experience, settings: PpoSettings, shuffling: ShuffleKey) -> list[Minibatch]:
    """Cut the sequences of this process into minibatches.

    Losses are means over the minibatches of all processes, and advantages are scaled alike in all of them, so that
    the gradients of the processes add up to that of one minibatch.
    """
    cut = [shards for shards in cut_shards(experience, settings, shuffling) if shards]
    whole = advantage_moments(experience.targets.advantages, experience.targets.policy_weights)
    rows = torch.stack([_row(experience, shards, settings, whole) for shards in cut])
    everybody = team.all_gather(rows)
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
        targets = experience.targets
        moments = advantage_moments(joined(shards, targets.advantages), joined(shards, targets.policy_weights))
    return torch.cat([sums.policy.reshape(1), sums.value.reshape(1), sums.heads, torch.stack(moments)]).double()


def _minibatch(shards: list[Portion], everybody: torch.Tensor, settings: PpoSettings) -> Minibatch:
    sums = everybody[:, :-_MOMENTS].sum(dim=0).clamp(min=1.0).float()
    means, variances, counts = everybody[:, -_MOMENTS:].split(1, dim=1)
    mean, variance, _ = merged(means, variances, counts)
    shift, scale = advantage_scale(mean[0].float(), variance[0].float(), settings)
    return Minibatch(shards, Denominators(policy=sums[0], value=sums[1], heads=sums[2:]), shift, scale)
