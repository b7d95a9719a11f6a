"""Heads whose logits come from one product."""

import torch
from torch import nn

from diorama.learn.heads.actions import Extras
from diorama.learn.heads.distributions import Scores, score_actions
from diorama.learn.heads.networks import orthogonal_linear
from diorama.learn.heads.plan import HeadPlan
from diorama.learn.heads.relevance import relevant_scores, settle_irrelevant
from diorama.learn.heads.sampling import Drawing, draw_actions


class JointHeads(nn.Module):
    """All logits in one product; no head waits for another."""

    def __init__(self, plan: HeadPlan, features: int, *, gain: float, generator: torch.Generator) -> None:
        """Make the layer."""
        super().__init__()
        self.plan = plan
        self.linear = orthogonal_linear(features, plan.layout.options, gain=gain, generator=generator)

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
        draw_actions(self.linear(features), masks, self.plan.layout, drawing, actions=actions, log_probs=log_probs)
        for head in range(len(self.plan.heads)):
            settle_irrelevant(self.plan, head, actions, log_probs)

    def score(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        actions: torch.Tensor,
        exploration: tuple[float, ...],
    ) -> Scores:
        """Return what the policy thinks of these actions."""
        scores = score_actions(self.linear(features), masks, actions, self.plan.layout, exploration)
        return relevant_scores(self.plan, scores, actions)

    def logits(self, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return rows × options of all heads."""
        logits: torch.Tensor = self.linear(features)
        return logits
