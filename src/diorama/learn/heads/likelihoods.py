"""How likely every option was when a decision was taken."""

import torch

from diorama.learn.heads.actions import ActionHeads, Extras
from diorama.learn.heads.distributions import head_probabilities
from diorama.learn.heads.masks import joined_masks


def option_probabilities(
    heads: ActionHeads,
    features: torch.Tensor,
    masks: torch.Tensor | None,
    extras: Extras,
    actions: torch.Tensor,
    exploration: tuple[float, ...],
) -> torch.Tensor:
    """Return rows × options of all heads; heads that wait for others see what `actions` chose for them."""
    valid = joined_masks(heads.plan, masks, extras, actions)
    logits = heads.logits(features, actions)
    return torch.cat(head_probabilities(logits, valid, heads.plan.layout, exploration), dim=1)
