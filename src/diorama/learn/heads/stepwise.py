"""Heads that wait for one another."""

import torch
from torch import nn
from torch.nn import functional

from diorama.learn.heads.actions import Extras
from diorama.learn.heads.distributions import Scores, score_actions
from diorama.learn.heads.masks import head_mask, joined_masks
from diorama.learn.heads.networks import relu_tower
from diorama.learn.heads.plan import HeadPlan
from diorama.learn.heads.relevance import relevant_scores, settle_irrelevant
from diorama.learn.heads.sampling import Drawing, draw_actions


class StepwiseHeads(nn.Module):
    """Heads chosen one after another: later ones see earlier choices, in their logits and in their masks."""

    def __init__(self, plan: HeadPlan, features: int, *, gain: float, generator: torch.Generator) -> None:
        """Make one tower per head."""
        super().__init__()
        self.plan = plan
        sizes = plan.layout.sizes
        self.towers = nn.ModuleList(
            relu_tower(
                features + sum(sizes[other] for other in head.inputs),
                head.hidden,
                size,
                gain=gain,
                generator=generator,
            )
            for head, size in zip(plan.heads, sizes, strict=True)
        )

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
        for head in self.plan.order:
            choice = torch.empty(len(features), 1, dtype=torch.int32, device=features.device)
            log_prob = torch.empty(len(features), 1, device=features.device)
            draw_actions(
                self._logits(head, features, actions),
                head_mask(self.plan, head, masks, extras, actions),
                self.plan.layout.only(head),
                drawing.of_head(head),
                actions=choice,
                log_probs=log_prob,
            )
            actions[:, head : head + 1] = choice
            log_probs[:, head : head + 1] = log_prob
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
        masks = joined_masks(self.plan, masks, extras, actions)
        scores = score_actions(self.logits(features, actions), masks, actions, self.plan.layout, exploration)
        return relevant_scores(self.plan, scores, actions)

    def logits(self, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return rows × options of all heads, given what was chosen for those they wait for."""
        heads = range(len(self.plan.heads))
        return torch.cat([self._logits(head, features, actions) for head in heads], dim=1)

    def _logits(self, head: int, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        sizes = self.plan.layout.sizes
        seen = [
            functional.one_hot(actions[:, other].long(), sizes[other]).to(features.dtype)
            for other in self.plan.heads[head].inputs
        ]
        logits: torch.Tensor = self.towers[head](torch.cat([features, *seen], dim=1))
        return logits
