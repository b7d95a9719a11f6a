"""The PPO loss of a part of a minibatch, and the loss of auxiliary heads; parts add up to the whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch

from diorama.learn.experience import RolloutTargets
from diorama.learn.keyed_random import fractions_at
from diorama.learn.policies.distributions import Scores
from diorama.learn.policies.layers import constant
from diorama.learn.policies.policy import Features, Policy
from diorama.learn.settings import AuxiliarySettings, value_at
from diorama.learn.settings.ppo import PpoSettings, RatioKind
from diorama.learn.streams import DROPOUT

_LARGEST_LOG_RATIO: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Denominators:
    """What sums over decisions are divided by: sums of the weights over the whole minibatch."""

    policy: torch.Tensor
    value: torch.Tensor
    heads: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """Weights of the parts of the loss at this point of the run; tensors where the loss is recorded."""

    entropy: float | torch.Tensor
    value: float | torch.Tensor
    entropy_weights: tuple[float, ...]
    value_unit: torch.Tensor


@dataclass(frozen=True, slots=True)
class LossTerms:
    """The loss and what it consists of; scalars, sums over the part divided by the minibatch's denominators."""

    total: torch.Tensor
    policy: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    approx_kl: torch.Tensor
    clip_fraction: torch.Tensor


def ppo_loss(
    settings: PpoSettings,
    scores: Scores,
    values: torch.Tensor,
    targets: RolloutTargets,
    over: Denominators,
    coefficients: Coefficients,
) -> LossTerms:
    """Return the clipped loss of a part of a minibatch.

    Args:
        settings: Kinds of ratio, clipping and entropy.
        scores: What the policy now thinks of the decisions taken.
        values: What the critic now predicts.
        targets: What was recorded of the decisions, with advantages and returns.
        over: Denominators of the whole minibatch.
        coefficients: Weights of the parts.
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
    gains = torch.minimum(ratios * advantages, clipped * advantages)
    policy = -(weights * gains).sum() / over.policy
    value = _value_loss(settings, values, targets, coefficients.value_unit) / over.value
    entropy = _entropy(settings, scores, targets, over, coefficients)
    total = policy + coefficients.value * value - coefficients.entropy * entropy
    with torch.no_grad():
        approx_kl = (weights * (ratios - 1.0 - log_ratios)).sum() / over.policy
        clip_fraction = (weights * (ratios != clipped)).sum() / over.policy
    return LossTerms(total, policy, value, entropy, approx_kl, clip_fraction)


def _value_loss(
    settings: PpoSettings, values: torch.Tensor, targets: RolloutTargets, unit: torch.Tensor
) -> torch.Tensor:
    errors = (values - targets.returns).square()
    if settings.value_clip is not None:
        near = targets.values + (values - targets.values).clamp(-settings.value_clip, settings.value_clip)
        errors = torch.maximum(errors, (near - targets.returns).square())
    return 0.5 * (targets.value_weights * errors).sum() / unit.square()


def _entropy(
    settings: PpoSettings, scores: Scores, targets: RolloutTargets, over: Denominators, coefficients: Coefficients
) -> torch.Tensor:
    entropies = scores.entropies
    if settings.normalized_entropy:
        entropies = entropies / scores.choices.clamp(min=2.0).log()
    factors = constant(coefficients.entropy_weights, torch.float32, entropies.device)
    if settings.ratio is RatioKind.PER_HEAD:
        weights = targets.head_weights * targets.policy_weights[:, None]
        return (factors * (weights * entropies).sum(dim=0) / over.heads).sum()
    return (targets.policy_weights * (entropies * factors).sum(dim=1)).sum() / over.policy


@dataclass(frozen=True, slots=True)
class DropoutKey:
    """What the draws of what is left out depend on; `places` are the decisions' places in the rollout."""

    seed: int
    update: int
    epoch: int
    places: torch.Tensor

    def kept(self, width: int, dropout: float) -> torch.Tensor:
        """Return factors, decisions × width: 0 for what is left out, and more than 1 for the rest to make up for it."""
        drawn = fractions_at((self.seed, DROPOUT, self.update, self.epoch), self.places, width)
        return (drawn >= dropout).to(torch.float32) / (1.0 - dropout)


def auxiliary_loss(
    policy: Policy,
    settings: Mapping[str, AuxiliarySettings],
    features: Features,
    extras: Mapping[str, torch.Tensor],
    *,
    share: torch.Tensor,
    env_steps: int,
    dropping: DropoutKey | None = None,
) -> torch.Tensor:
    """Return the weighted squared errors of all auxiliary heads over the targets that are numbers.

    Args:
        policy: Whose heads.
        settings: Of the heads.
        features: Of the decisions.
        extras: Of the decisions, targets among them.
        share: Part of the minibatch these decisions are; the parts of a minibatch add up.
        env_steps: Of the run so far.
        dropping: Draws for heads of which a share is left out; None leaves nothing out.
    """
    total = torch.zeros((), device=features.actor.device)
    for name, item in settings.items():
        target = extras[item.target]
        fresh = torch.isfinite(target)
        wanted = torch.where(fresh, target, 0.0).clamp(-item.clip, item.clip) / item.clip
        kept = dropping.kept(item.hidden[0], item.dropout) if dropping and item.dropout and item.hidden else None
        predicted = policy.predict(name, features, detached=item.detached, kept=kept)
        errors = torch.where(fresh, (predicted - wanted).square(), 0.0)
        mean = errors.sum() / fresh.sum().clamp(min=1)
        total = total + value_at(item.coefficient, env_steps) * share * mean
    return total
