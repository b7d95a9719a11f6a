"""Auxiliary heads: they predict arrays the source adds, and the features learn from it where they may."""

from collections.abc import Mapping

import torch

from diorama.learn.policies.policy import Features, Policy
from diorama.learn.settings import AuxiliarySettings, value_at


def auxiliary_loss(
    policy: Policy,
    settings: Mapping[str, AuxiliarySettings],
    features: Features,
    extras: Mapping[str, torch.Tensor],
    *,
    share: torch.Tensor,
    env_steps: int,
) -> torch.Tensor:
    """Return the weighted squared errors of all auxiliary heads over the targets that are numbers.

    Args:
        policy: Whose heads.
        settings: Of the heads.
        features: Of the decisions.
        extras: Of the decisions, targets among them.
        share: Part of the minibatch these decisions are; the parts of a minibatch add up.
        env_steps: Of the run so far.
    """
    total = torch.zeros((), device=features.actor.device)
    for name, item in settings.items():
        target = extras[item.target]
        fresh = torch.isfinite(target)
        wanted = torch.where(fresh, target, 0.0).clamp(-item.clip, item.clip) / item.clip
        predicted = policy.predict(name, features, detached=item.detached)
        errors = torch.where(fresh, (predicted - wanted).square(), 0.0)
        mean = errors.sum() / fresh.sum().clamp(min=1)
        total = total + value_at(item.coefficient, env_steps) * share * mean
    return total
