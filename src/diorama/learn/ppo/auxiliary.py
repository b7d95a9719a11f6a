"""Auxiliary heads: they predict arrays the source adds, and the features learn from it where they may."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from diorama.learn.keyed import fractions_at
from diorama.learn.policies.policy import Features, Policy
from diorama.learn.settings import AuxiliarySettings, value_at
from diorama.learn.streams import DROPOUT


@dataclass(frozen=True, slots=True)
class Dropping:
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
    dropping: Dropping | None = None,
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
