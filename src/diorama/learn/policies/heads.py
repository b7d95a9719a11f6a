"""Action heads, one after another or all at once, and auxiliary heads."""

from collections.abc import Mapping
from typing import Protocol

import torch
from torch import nn
from torch.nn import functional

from diorama.learn.policies.distributions import Drawing, Scores, draw_actions, head_probabilities, score_actions
from diorama.learn.policies.head_plan import HeadPlan
from diorama.learn.policies.layers import constant, hidden_layers, orthogonal_linear, relu_tower
from diorama.learn.settings.policy import AuxiliarySettings

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


def is_relevant(plan: HeadPlan, head: int, actions: torch.Tensor) -> torch.Tensor | None:
    """Return one truth per row, whether the head matters for the decision; None where it always does."""
    relevance = plan.heads[head].relevance
    if relevance is None:
        return None
    table = constant(relevance.table, torch.bool, actions.device)
    return table[actions[:, relevance.given].long()]


def settle_irrelevant(plan: HeadPlan, head: int, actions: torch.Tensor, log_probs: torch.Tensor) -> None:
    """Give the head its placeholder where it does not matter, so that equal behavior has one encoding."""
    relevant = is_relevant(plan, head, actions)
    if relevant is not None:
        actions[:, head] = torch.where(relevant, actions[:, head], plan.heads[head].placeholder)
        log_probs[:, head] *= relevant


def relevant_scores(plan: HeadPlan, scores: Scores, actions: torch.Tensor) -> Scores:
    """Return the scores with nothing left of heads that do not matter; they count as having no choice."""
    if not plan.has_relevance:
        return scores
    everywhere = torch.ones(len(actions), dtype=torch.bool, device=actions.device)
    columns = [is_relevant(plan, head, actions) for head in range(len(plan.heads))]
    relevant = torch.stack([everywhere if column is None else column for column in columns], dim=1)
    return Scores(
        log_probs=torch.where(relevant, scores.log_probs, 0.0),
        entropies=torch.where(relevant, scores.entropies, 0.0),
        choices=torch.where(relevant, scores.choices, 1.0),
    )


def head_mask(
    plan: HeadPlan, head: int, masks: torch.Tensor | None, extras: Extras, actions: torch.Tensor
) -> torch.Tensor | None:
    """Return the valid options of one head, rows × options; None where all are.

    Args:
        plan: How the heads depend on one another.
        head: Which head.
        masks: Rows × options of all heads, as the batch wrote them.
        extras: Extra arrays, for masks that depend on another head's choice; the mask of the batch is for all choices.
        actions: Rows × heads; the choices this head waits for must stand in it.
    """
    conditional = plan.heads[head].conditional_mask
    # Whoever has no extra arrays at hand, such as a viewer that asks for advice, gets by with the mask of the batch.
    if conditional is None or conditional.extra not in extras:
        return None if masks is None else masks[:, plan.layout.slices()[head]].contiguous()
    table = extras[conditional.extra].view(len(actions), -1, plan.layout.sizes[head])
    rows = torch.arange(len(actions), device=actions.device)
    return table[rows, actions[:, conditional.given].long()]


def joined_masks(
    plan: HeadPlan, masks: torch.Tensor | None, extras: Extras, actions: torch.Tensor
) -> torch.Tensor | None:
    """Return the valid options of all heads given the decisions taken."""
    if not plan.mask_extras:
        return masks
    parts = [head_mask(plan, head, masks, extras, actions) for head in range(len(plan.heads))]
    filled = [
        torch.ones(len(actions), size, dtype=torch.uint8, device=actions.device) if part is None else part
        for part, size in zip(parts, plan.layout.sizes, strict=True)
    ]
    return torch.cat(filled, dim=1)


def had_choice(plan: HeadPlan, masks: torch.Tensor | None, extras: Extras, actions: torch.Tensor) -> torch.Tensor:
    """Return rows × heads, 1 where the head mattered for the decision and had two valid options or more."""
    columns = []
    for head, size in enumerate(plan.layout.sizes):
        mask = head_mask(plan, head, masks, extras, actions)
        if mask is None:
            free = torch.full((len(actions),), size > 1, device=actions.device)
        else:
            free = (mask != 0).sum(dim=1) > 1
        relevant = is_relevant(plan, head, actions)
        columns.append(free if relevant is None else free & relevant)
    return torch.stack(columns, dim=1).to(torch.float32)


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


def build_heads(
    plan: HeadPlan, features: int, *, gain: float, generator: torch.Generator
) -> JointHeads | StepwiseHeads:
    """Return joint heads where no head waits for another, else stepwise ones."""
    kind = StepwiseHeads if plan.is_stepwise else JointHeads
    return kind(plan, features, gain=gain, generator=generator)


class AuxiliaryHead(nn.Module):
    """ReLU layers, of whose first a share may be left out while it learns, and a last linear layer."""

    def __init__(
        self, features: int, outputs: int, settings: AuxiliarySettings, *, gain: float, generator: torch.Generator
    ) -> None:
        """Make the layers."""
        super().__init__()
        layers = hidden_layers(features, settings.hidden, normalized=settings.normalized_layers, generator=generator)
        inputs = settings.hidden[-1] if settings.hidden else features
        layers.append(orthogonal_linear(inputs, outputs, gain=gain, generator=generator))
        self.layers = nn.ModuleList(layers)
        self._first_relu = next((place for place, layer in enumerate(layers) if isinstance(layer, nn.ReLU)), None)

    def forward(self, features: torch.Tensor, kept: torch.Tensor | None = None) -> torch.Tensor:
        """Return rows × width; `kept` is what the outputs of the first hidden layer are multiplied with."""
        for place, layer in enumerate(self.layers):
            features = layer(features)
            if kept is not None and place == self._first_relu:
                features = features * kept
        return features
