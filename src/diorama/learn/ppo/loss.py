"""The PPO loss of a part of a minibatch; the parts of a minibatch add up to its loss."""

from dataclasses import dataclass
from typing import Final

import torch

from diorama.learn.constants import constant
from diorama.learn.heads.distributions import Scores
from diorama.learn.settings.ppo import PpoSettings, RatioKind

_LARGEST_LOG_RATIO: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What is known of each decision; one entry per decision, log-probabilities and weights of heads per head.

    Attributes:
        log_probs: When the decision was taken.
        values: When the decision was taken.
        advantages: Normalized.
        returns: What the critic is to predict.
        policy_weights: Weight in the policy loss and the entropy.
        value_weights: Weight in the value loss.
        head_weights: Weight of each head where ratios are per head: 1 where it mattered and had a choice.
    """

    log_probs: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    policy_weights: torch.Tensor
    value_weights: torch.Tensor
    head_weights: torch.Tensor


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
    known: Remembered,
    over: Denominators,
    coefficients: Coefficients,
) -> LossTerms:
    """Return the clipped loss of a part of a minibatch.

    Args:
        settings: Kinds of ratio, clipping and entropy.
        scores: What the policy now thinks of the decisions taken.
        values: What the critic now predicts.
        known: What was remembered of the decisions.
        over: Denominators of the whole minibatch.
        coefficients: Weights of the parts.
    """
    per_head = settings.ratio is RatioKind.PER_HEAD
    log_ratios = scores.log_probs - known.log_probs
    if per_head:
        weights, advantages = known.head_weights * known.policy_weights[:, None], known.advantages[:, None]
    else:
        log_ratios = log_ratios.sum(dim=1)
        weights, advantages = known.policy_weights, known.advantages
    log_ratios = log_ratios.clamp(-_LARGEST_LOG_RATIO, _LARGEST_LOG_RATIO)
    ratios = log_ratios.exp()
    clipped = ratios.clamp(1.0 - settings.clip_coef, 1.0 + settings.clip_coef)
    gains = torch.minimum(ratios * advantages, clipped * advantages)
    policy = -(weights * gains).sum() / over.policy
    value = _value_loss(settings, values, known, coefficients.value_unit) / over.value
    entropy = _entropy(settings, scores, known, over, coefficients)
    total = policy + coefficients.value * value - coefficients.entropy * entropy
    with torch.no_grad():
        approx_kl = (weights * (ratios - 1.0 - log_ratios)).sum() / over.policy
        clip_fraction = (weights * (ratios != clipped)).sum() / over.policy
    return LossTerms(total, policy, value, entropy, approx_kl, clip_fraction)


def _value_loss(settings: PpoSettings, values: torch.Tensor, known: Remembered, unit: torch.Tensor) -> torch.Tensor:
    errors = (values - known.returns).square()
    if settings.value_clip is not None:
        near = known.values + (values - known.values).clamp(-settings.value_clip, settings.value_clip)
        errors = torch.maximum(errors, (near - known.returns).square())
    return 0.5 * (known.value_weights * errors).sum() / unit.square()


def _entropy(
    settings: PpoSettings, scores: Scores, known: Remembered, over: Denominators, coefficients: Coefficients
) -> torch.Tensor:
    entropies = scores.entropies
    if settings.normalized_entropy:
        entropies = entropies / scores.choices.clamp(min=2.0).log()
    factors = constant(coefficients.entropy_weights, torch.float32, entropies.device)
    if settings.ratio is RatioKind.PER_HEAD:
        weights = known.head_weights * known.policy_weights[:, None]
        return (factors * (weights * entropies).sum(dim=0) / over.heads).sum()
    return (known.policy_weights * (entropies * factors).sum(dim=1)).sum() / over.policy
