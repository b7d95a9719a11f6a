"""Minibatches of a rollout: shuffle_key, denominators and advantage normalization."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch

from diorama.learn.distributed import Team, merge_moments
from diorama.learn.experience import Experience, RolloutTargets, SequenceSubset, blocks
from diorama.learn.keyed_random import permutation
from diorama.learn.loss import Denominators
from diorama.learn.settings.ppo import AdvantageScope, PpoSettings, Shuffle
from diorama.learn.streams import MINIBATCHES


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleKey:
    """Key of the random order of an epoch, and the size of a shard."""

    seed: int
    update: int
    epoch: int
    shard_sequences: int


@dataclass(frozen=True, slots=True)
class Minibatch:
    """The sequences of one optimizer step.

    Attributes:
        shards: Its sequences, in subsets whose gradients are computed one by one.
        denominators: Sums of weights over all shards.
        advantage_shift: Subtracted from advantages.
        advantage_scale: Multiplied after that.
    """

    shards: Sequence[SequenceSubset]
    denominators: Denominators
    advantage_shift: torch.Tensor
    advantage_scale: torch.Tensor

    def targets(self, experience: Experience, shard: SequenceSubset) -> RolloutTargets:
        """Return the targets of a shard, with normalized advantages."""
        targets = experience.targets.map(shard.select_decisions)
        return replace(targets, advantages=(targets.advantages - self.advantage_shift) * self.advantage_scale)


def cut_minibatches(experience: Experience, settings: PpoSettings, shuffle_key: ShuffleKey) -> list[Minibatch]:
    """Shuffle all sequences and split them into minibatches, as evenly as possible."""
    scale = rollout_scale(experience, settings)
    return [
        join_shards(experience, shards, settings, scale)
        for shards in cut_shards(experience, settings, shuffle_key)
        if shards
    ]


def rollout_scale(experience: Experience, settings: PpoSettings) -> tuple[torch.Tensor, torch.Tensor]:
    """Return shift and scale of the advantages of a whole rollout."""
    return _scale_over(experience.targets.advantages, experience.targets.policy_weights, settings)


def cut_shards(experience: Experience, settings: PpoSettings, shuffle_key: ShuffleKey) -> list[list[SequenceSubset]]:
    """Return the shards of every minibatch; some are empty if there are fewer sequences than minibatches."""
    inputs = experience.inputs
    keys = (shuffle_key.seed, MINIBATCHES, shuffle_key.update, shuffle_key.epoch)
    if settings.shuffle is Shuffle.BLOCKS and inputs.length == 1:
        cut = blocks(inputs.sequences, _block_size(inputs.sequences, settings, shuffle_key))
        order = permutation(*keys, len(cut)).tensor_split(settings.num_minibatches)
        return [[cut[index] for index in indices.tolist()] for indices in order]
    order = permutation(*keys, inputs.sequences).to(inputs.obs.device).tensor_split(settings.num_minibatches)
    return [inputs.split(sequences, shuffle_key.shard_sequences) for sequences in order if len(sequences)]


def _block_size(total: int, settings: PpoSettings, shuffle_key: ShuffleKey) -> int:
    per_minibatch = -(-total // settings.num_minibatches)
    shards = -(-per_minibatch // shuffle_key.shard_sequences)
    return -(-per_minibatch // shards)


def join_shards(
    experience: Experience,
    shards: Sequence[SequenceSubset],
    settings: PpoSettings,
    scale: tuple[torch.Tensor, torch.Tensor],
) -> Minibatch:
    """Return the minibatch of these shards; `scale` is the shift and scale of the rollout's advantages."""
    targets = experience.targets
    if settings.advantage_normalization is AdvantageScope.MINIBATCH:
        scale = _scale_over(
            concatenate(shards, targets.advantages), concatenate(shards, targets.policy_weights), settings
        )
    sums = weight_sums(experience, shards)
    denominators = Denominators(
        policy=sums.policy.clamp(min=1.0),
        value=sums.value.clamp(min=1.0),
        heads=sums.heads.clamp(min=1.0),
        teaching=None if sums.teaching is None else sums.teaching.clamp(min=1.0),
    )
    return Minibatch(shards, denominators, *scale)


def weight_sums(experience: Experience, shards: Sequence[SequenceSubset]) -> Denominators:
    """Return the sums of the weights of these shards, which may be 0."""
    targets = experience.targets
    policy_weights = concatenate(shards, targets.policy_weights)
    taught = experience.teaching
    return Denominators(
        policy=policy_weights.sum(),
        value=concatenate(shards, targets.value_weights).sum(),
        heads=(concatenate(shards, targets.head_weights) * policy_weights[:, None]).sum(dim=0),
        teaching=None if taught is None else concatenate(shards, taught.head_weights).amax(dim=1).sum(),
    )


def concatenate(shards: Sequence[SequenceSubset], array: torch.Tensor) -> torch.Tensor:
    """Return the entries of all decisions of these shards."""
    return torch.cat([shard.select_decisions(array) for shard in shards])


def advantage_moments(
    advantages: torch.Tensor, weights: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return mean, population variance and count of the advantages whose weight is not 0."""
    counted = (weights > 0).to(advantages.dtype)
    count = counted.sum()
    divisor = count.clamp(min=1.0)
    mean = (counted * advantages).sum() / divisor
    return mean, (counted * (advantages - mean).square()).sum() / divisor, count


def advantage_scale(
    mean: torch.Tensor, variance: torch.Tensor, settings: PpoSettings
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return shift and scale of advantages with this mean and variance."""
    if settings.advantage_normalization is AdvantageScope.NONE:
        return torch.zeros_like(mean), torch.ones_like(mean)
    return mean, 1.0 / variance.sqrt().clamp(min=settings.advantage_std_floor)


def _scale_over(
    advantages: torch.Tensor, weights: torch.Tensor, settings: PpoSettings
) -> tuple[torch.Tensor, torch.Tensor]:
    mean, variance, _ = advantage_moments(advantages, weights)
    return advantage_scale(mean, variance, settings)


_MOMENTS: Final = 3  # mean, variance and count of advantages


def cut_team_minibatches(
    team: Team, experience: Experience, settings: PpoSettings, shuffle_key: ShuffleKey
) -> list[Minibatch]:
    """Return the minibatches of this process, with denominators and advantage scales of all processes.

    The gradients of all processes then add up to the gradient of the combined minibatch.
    """
    cut = [shards for shards in cut_shards(experience, settings, shuffle_key) if shards]
    rollout_moments = advantage_moments(experience.targets.advantages, experience.targets.policy_weights)
    rows = torch.stack([_row(experience, shards, settings, rollout_moments) for shards in cut])
    gathered = team.all_gather(rows)
    is_taught = experience.teaching is not None
    return [
        _team_minibatch(shards, gathered[:, index], settings, is_taught=is_taught) for index, shards in enumerate(cut)
    ]


def _row(
    experience: Experience,
    shards: list[SequenceSubset],
    settings: PpoSettings,
    rollout_moments: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
) -> torch.Tensor:
    """Return weight sums and advantage moments of this process's part of a minibatch."""
    sums, moments = weight_sums(experience, shards), rollout_moments
    if settings.advantage_normalization is AdvantageScope.MINIBATCH:
        targets = experience.targets
        moments = advantage_moments(
            concatenate(shards, targets.advantages), concatenate(shards, targets.policy_weights)
        )
    taught = [] if sums.teaching is None else [sums.teaching.reshape(1)]
    return torch.cat(
        [sums.policy.reshape(1), sums.value.reshape(1), *taught, sums.heads, torch.stack(moments)]
    ).double()


def _team_minibatch(
    shards: list[SequenceSubset], rows: torch.Tensor, settings: PpoSettings, *, is_taught: bool
) -> Minibatch:
    sums = rows[:, :-_MOMENTS].sum(dim=0).clamp(min=1.0).float()
    means, variances, counts = rows[:, -_MOMENTS:].split(1, dim=1)
    mean, variance, _ = merge_moments(means, variances, counts)
    shift, scale = advantage_scale(mean[0].float(), variance[0].float(), settings)
    policy, value, *teaching = sums[: 2 + is_taught]
    denominators = Denominators(
        policy=policy, value=value, heads=sums[2 + is_taught :], teaching=teaching[0] if is_taught else None
    )
    return Minibatch(shards, denominators, shift, scale)
