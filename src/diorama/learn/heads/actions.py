"""`ActionHeads`: from features to a decision, and from a decision to what the policy thinks of it."""

from collections.abc import Mapping
from typing import Protocol

import torch

from diorama.learn.heads.distributions import Scores
from diorama.learn.heads.plan import HeadPlan
from diorama.learn.heads.sampling import Drawing

Extras = Mapping[str, torch.Tensor]


class ActionHeads(Protocol):
    """Both kinds of heads, joint and stepwise."""

    plan: HeadPlan

    def choose(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        drawing: Drawing,
        *,
        actions: torch.Tensor,
        log_probs: torch.Tensor,
    ) -> None:
        """Write one option per head and row, and its log-probability."""

    def score(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        actions: torch.Tensor,
        exploration: tuple[float, ...],
    ) -> Scores:
        """Return what the policy thinks of these actions."""

    def logits(self, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return rows × options of all heads; heads that wait for others see what `actions` chose for them."""
