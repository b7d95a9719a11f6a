"""The clipped PPO loss and the loss of auxiliary heads; losses of shards add up to that of the minibatch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch

from diorama.learn.experience import RolloutTargets
from diorama.learn.keyed_random import uniforms_at
from diorama.learn.policies.distributions import Scores
from diorama.learn.policies.layers import constant
from diorama.learn.policies.policy import Features, Policy
from diorama.learn.settings import AuxiliarySettings, value_at
from diorama.learn.settings.ppo import PpoSettings, RatioKind
from diorama.learn.streams import DROPOUT

_LARGEST_LOG_RATIO: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Denominators:
    """Sums of the weights over the whole minibatch, by which sums over a shard are divided.

    Attributes:
        teaching: Number of decisions that a teacher is followed in; None without a teacher.
    """

    policy: torch.Tensor
    value: torch.Tensor
    heads: torch.Tensor
    teaching: torch.Tensor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """Scheduled coefficients of the loss; tensors if a CUDA graph records the loss."""

    entropy: float | torch.Tensor
    value: float | torch.Tensor
    entropy_weights: tuple[float, ...]
    value_unit: torch.Tensor


@dataclass(frozen=True, slots=True)
class LossTerms:
    """The loss of a shard and its terms, scalars.

    Attributes:
        kickstarting: Cross-entropy against a teacher; None without one.
        agreement: Share of its decisions in which the policy's most likely options are the teacher's.
    """

    total: torch.Tensor
    policy: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    approx_kl: torch.Tensor
    clip_fraction: torch.Tensor
    kickstarting: torch.Tensor | None = None
    agreement: torch.Tensor | None = None


def ppo_loss(
    settings: PpoSettings,
    scores: Scores,
    values: torch.Tensor,
    targets: RolloutTargets,
    denominators: Denominators,
    coefficients: Coefficients,
) -> LossTerms:
    """Return the clipped PPO loss of a shard of a minibatch.

    Args:
        settings: Kinds of ratio, clipping and entropy.
        scores: Log-probabilities and entropies of the actions under the current policy.
        values: Current outputs of the critic.
        targets: Old log-probabilities and values, advantages, returns and weights.
        denominators: Of the whole minibatch.
        coefficients: Of the terms.
    """
    per_head = settings.ratio is RatioKind.PER_HEAD
    log_ratios = scores.log_probs - targets.log_probs
    if per_head:
        weights, advantages = targets.head_weights * targets.policy_weights[:, None], targets.advantages[:, None]
    else:
        log_ratios = log_ratios.sum(dim=1)
        weights, advantages = targets.policy_weights, targets.advantages
    log_ratios = log_ratios.clamp(-_LARGEST_LOG_RATIO, _LARGEST_LOG_RATIO)
    ratios = log_ratios.exp()
    clipped = ratios.clamp(1.0 - settings.clip_coef, 1.0 + settings.clip_coef)
    objective = torch.minimum(ratios * advantages, clipped * advantages)
    policy = -(weights * objective).sum() / denominators.policy
    value = _value_loss(settings, values, targets, coefficients.value_unit) / denominators.value
    entropy = _entropy(settings, scores, targets, denominators, coefficients)
    total = policy + coefficients.value * value - coefficients.entropy * entropy
    with torch.no_grad():
        approx_kl = (weights * (ratios - 1.0 - log_ratios)).sum() / denominators.policy
        clip_fraction = (weights * (ratios != clipped)).sum() / denominators.policy
    return LossTerms(total, policy, value, entropy, approx_kl, clip_fraction)


def _value_loss(
    settings: PpoSettings, values: torch.Tensor, targets: RolloutTargets, unit: torch.Tensor
) -> torch.Tensor:
    # A critic with components has its own targets for each, and the loss is their mean.
    returns = targets.returns if targets.value_targets is None else targets.value_targets
    old_values = targets.values if targets.old_values is None else targets.old_values
    errors = (values - returns).square()
    if settings.value_clip is not None:
        clipped = old_values + (values - old_values).clamp(-settings.value_clip, settings.value_clip)
        errors = torch.maximum(errors, (clipped - returns).square())
    if targets.value_targets is not None:
        errors = errors.mean(dim=1)
    return 0.5 * (targets.value_weights * errors).sum() / unit.square()


def _entropy(
    settings: PpoSettings,
    scores: Scores,
    targets: RolloutTargets,
    denominators: Denominators,
    coefficients: Coefficients,
) -> torch.Tensor:
    entropies = scores.entropies
    if settings.normalized_entropy:
        entropies = entropies / scores.choices.clamp(min=2.0).log()
    factors = constant(coefficients.entropy_weights, torch.float32, entropies.device)
    if settings.ratio is RatioKind.PER_HEAD:
        weights = targets.head_weights * targets.policy_weights[:, None]
        return (factors * (weights * entropies).sum(dim=0) / denominators.heads).sum()
    return (targets.policy_weights * (entropies * factors).sum(dim=1)).sum() / denominators.policy


@dataclass(frozen=True, slots=True)
class DropoutKey:
    """Key of the dropout draws; `decisions` are indices into the flat rollout."""

    seed: int
    update: int
    epoch: int
    decisions: torch.Tensor

    def mask(self, width: int, dropout: float) -> torch.Tensor:
        """Return the dropout mask, decisions × width: 0 or 1 / (1 - dropout)."""
        draws = uniforms_at((self.seed, DROPOUT, self.update, self.epoch), self.decisions, width)
        return (draws >= dropout).to(torch.float32) / (1.0 - dropout)


def auxiliary_loss(
    policy: Policy,
    settings: Mapping[str, AuxiliarySettings],
    features: Features,
    extras: Mapping[str, torch.Tensor],
    *,
    weight: torch.Tensor,
    env_steps: int,
    dropout_key: DropoutKey | None = None,
) -> torch.Tensor:
    """Return the weighted mean squared error of all auxiliary heads, over the targets that are finite.

    Args:
        policy: Owner of the heads.
        settings: Of the heads, by name.
        features: Of the shard.
        extras: Extra arrays of the shard, with the targets.
        weight: Weight of the shard in its minibatch.
        env_steps: Of the run so far.
        dropout_key: Key of the dropout masks; None disables dropout.
    """
    total = torch.zeros((), device=features.actor.device)
    for name, item in settings.items():
        target = extras[item.target]
        is_known = torch.isfinite(target)
        expected = torch.where(is_known, target, 0.0).clamp(-item.clip, item.clip) / item.clip
        mask = None
        if dropout_key is not None and item.dropout and item.hidden:
            mask = dropout_key.mask(item.hidden[0], item.dropout)
        predicted = policy.predict(name, features, detached=item.detached, dropout_mask=mask)
        errors = torch.where(is_known, (predicted - expected).square(), 0.0)
        mean = errors.sum() / is_known.sum().clamp(min=1)
        total = total + value_at(item.coefficient, env_steps) * weight * mean
    return total
