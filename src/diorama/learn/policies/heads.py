"""Action heads, chosen together or one after another, and auxiliary heads."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import torch
from torch import nn
from torch.nn import functional

from diorama.contracts.errors import ConfigError
from diorama.learn.policies.distributions import (
    ActionSampling,
    Scores,
    head_probabilities,
    sample_actions,
    score_actions,
)
from diorama.learn.policies.entities import EntityTable
from diorama.learn.policies.head_plan import HeadPlan
from diorama.learn.policies.layers import constant, hidden_layers, orthogonal_linear, relu_tower
from diorama.learn.settings.policy import AuxiliarySettings

Extras = Mapping[str, torch.Tensor]


class ActionHeads(Protocol):
    """Samples and scores actions; implemented by `JointHeads` and `StepwiseHeads`."""

    plan: HeadPlan

    def sample(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        sampling: ActionSampling,
        *,
        actions: torch.Tensor,
        log_probs: torch.Tensor,
    ) -> None:
        """Sample one option per head and row; write actions and log-probabilities."""

    def score(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        actions: torch.Tensor,
        exploration: tuple[float, ...],
    ) -> Scores:
        """Return log-probabilities and entropies of these actions."""

    def logits(self, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return the logits, rows × options of all heads; conditional heads read the choices in `actions`."""


def is_relevant(plan: HeadPlan, head: int, actions: torch.Tensor) -> torch.Tensor | None:
    """Return whether the head matters for each row's action; None if it always does."""
    relevance = plan.heads[head].relevance
    if relevance is None:
        return None
    table = constant(relevance.table, torch.bool, actions.device)
    return table[actions[:, relevance.given].long()]


def fill_irrelevant(plan: HeadPlan, head: int, actions: torch.Tensor, log_probs: torch.Tensor) -> None:
    """Write the head's placeholder where the head does not matter, so that equal actions are encoded alike."""
    relevant = is_relevant(plan, head, actions)
    if relevant is not None:
        actions[:, head] = torch.where(relevant, actions[:, head], plan.heads[head].placeholder)
        log_probs[:, head] *= relevant


def relevant_scores(plan: HeadPlan, scores: Scores, actions: torch.Tensor) -> Scores:
    """Return the scores with log-probability and entropy 0 for heads that do not matter."""
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
    """Return the valid options of one head, rows × options; None if all are valid.

    Args:
        plan: How the heads depend on one another.
        head: Index of the head.
        masks: Rows × options of all heads, as the environments wrote them.
        extras: Extra arrays, among them masks that depend on another head's choice.
        actions: Rows × heads, with the choices that this head depends on.
    """
    conditional = plan.heads[head].conditional_mask
    # Callers without extra arrays, such as hints for players, use the mask that holds for all choices.
    if conditional is None or conditional.extra not in extras:
        return None if masks is None else masks[:, plan.layout.slices()[head]].contiguous()
    # The shape and not `len`, which an export takes for a constant.
    table = extras[conditional.extra].view(actions.shape[0], -1, plan.layout.sizes[head])
    rows = torch.arange(actions.shape[0], device=actions.device)
    return table[rows, actions[:, conditional.given].long()]


def joined_masks(
    plan: HeadPlan, masks: torch.Tensor | None, extras: Extras, actions: torch.Tensor
) -> torch.Tensor | None:
    """Return the valid options of all heads, given the actions taken."""
    if not plan.mask_extras:
        return masks
    parts = [head_mask(plan, head, masks, extras, actions) for head in range(len(plan.heads))]
    filled = [
        torch.ones(len(actions), size, dtype=torch.uint8, device=actions.device) if part is None else part
        for part, size in zip(parts, plan.layout.sizes, strict=True)
    ]
    return torch.cat(filled, dim=1)


def had_choice(plan: HeadPlan, masks: torch.Tensor | None, extras: Extras, actions: torch.Tensor) -> torch.Tensor:
    """Return rows × heads, 1 where the head mattered for the action and had at least two valid options."""
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


def is_valid(plan: HeadPlan, masks: torch.Tensor | None, extras: Extras, actions: torch.Tensor) -> torch.Tensor:
    """Return rows × heads, 1 where the mask of the head, given the choices it depends on, has the option."""
    columns = []
    for head in range(len(plan.heads)):
        mask = head_mask(plan, head, masks, extras, actions)
        if mask is None:
            columns.append(torch.ones(len(actions), device=actions.device))
        else:
            columns.append((mask.gather(1, actions[:, head : head + 1].long())[:, 0] != 0).to(torch.float32))
    return torch.stack(columns, dim=1)


def option_probabilities(
    heads: ActionHeads,
    features: torch.Tensor,
    masks: torch.Tensor | None,
    extras: Extras,
    actions: torch.Tensor,
    exploration: tuple[float, ...],
) -> torch.Tensor:
    """Return the probabilities, rows × options of all heads; conditional heads read the choices in `actions`."""
    valid = joined_masks(heads.plan, masks, extras, actions)
    logits = heads.logits(features, actions)
    return torch.cat(head_probabilities(logits, valid, heads.plan.layout, exploration), dim=1)


class JointHeads(nn.Module):
    """Independent heads: one linear layer computes all logits."""

    def __init__(self, plan: HeadPlan, features: int, *, gain: float, generator: torch.Generator) -> None:
        """Create the layer."""
        super().__init__()
        self.plan = plan
        self.linear = orthogonal_linear(features, plan.layout.options, gain=gain, generator=generator)

    def sample(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        sampling: ActionSampling,
        *,
        actions: torch.Tensor,
        log_probs: torch.Tensor,
    ) -> None:
        """Sample one option per head and row; write actions and log-probabilities."""
        sample_actions(self._logits(features), masks, self.plan.layout, sampling, actions=actions, log_probs=log_probs)
        for head in range(len(self.plan.heads)):
            fill_irrelevant(self.plan, head, actions, log_probs)

    def score(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        actions: torch.Tensor,
        exploration: tuple[float, ...],
    ) -> Scores:
        """Return log-probabilities and entropies of these actions."""
        scores = score_actions(self._logits(features), masks, actions, self.plan.layout, exploration)
        return relevant_scores(self.plan, scores, actions)

    def logits(self, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return the logits, rows × options of all heads."""
        return self._logits(features)

    def _logits(self, features: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.linear(features)
        return logits


class PointerHeads(JointHeads):
    """Independent heads; the logit of an option that points at an entity gets a product of a query and its embedding.

    Features are those of the memory, followed by the embeddings of all entities that are pointed at.
    """

    def __init__(
        self,
        plan: HeadPlan,
        features: int,
        tables: Sequence[EntityTable],
        *,
        gain: float,
        generator: torch.Generator,
    ) -> None:
        """Create the layers."""
        super().__init__(plan, features, gain=gain, generator=generator)
        self._features = features
        self._tables = tables
        self.queries = nn.ModuleList(
            orthogonal_linear(features, table.width, gain=gain, generator=generator) for table in tables
        )

    def _logits(self, features: torch.Tensor) -> torch.Tensor:
        sizes = [self._features, *(table.count * table.width for table in self._tables)]
        known, *parts = features.split(sizes, dim=1)
        logits = super()._logits(known)
        for table, query, part in zip(self._tables, self.queries, parts, strict=True):
            entities = part.view(-1, table.count, table.width)
            scores = torch.bmm(entities, query(known)[:, :, None])[:, :, 0]
            first = table.first_option or 0
            logits = logits + functional.pad(scores, (first, self.plan.layout.options - first - table.count))
        return logits


class StepwiseHeads(nn.Module):
    """Autoregressive heads: logits and masks of later heads depend on earlier choices."""

    def __init__(self, plan: HeadPlan, features: int, *, gain: float, generator: torch.Generator) -> None:
        """Create one MLP per head."""
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

    def sample(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        sampling: ActionSampling,
        *,
        actions: torch.Tensor,
        log_probs: torch.Tensor,
    ) -> None:
        """Sample one option per head and row; write actions and log-probabilities."""
        for head in self.plan.order:
            choice = torch.empty(len(features), 1, dtype=torch.int32, device=features.device)
            log_prob = torch.empty(len(features), 1, device=features.device)
            sample_actions(
                self._logits(head, features, actions),
                head_mask(self.plan, head, masks, extras, actions),
                self.plan.layout.only(head),
                sampling.of_head(head),
                actions=choice,
                log_probs=log_prob,
            )
            actions[:, head : head + 1] = choice
            log_probs[:, head : head + 1] = log_prob
            fill_irrelevant(self.plan, head, actions, log_probs)

    def score(
        self,
        features: torch.Tensor,
        masks: torch.Tensor | None,
        extras: Extras,
        actions: torch.Tensor,
        exploration: tuple[float, ...],
    ) -> Scores:
        """Return log-probabilities and entropies of these actions."""
        masks = joined_masks(self.plan, masks, extras, actions)
        scores = score_actions(self.logits(features, actions), masks, actions, self.plan.layout, exploration)
        return relevant_scores(self.plan, scores, actions)

    def logits(self, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return the logits, rows × options of all heads, given the choices that they depend on."""
        heads = range(len(self.plan.heads))
        return torch.cat([self._logits(head, features, actions) for head in heads], dim=1)

    def _logits(self, head: int, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        sizes = self.plan.layout.sizes
        choices = [
            functional.one_hot(actions[:, other].long(), sizes[other]).to(features.dtype)
            for other in self.plan.heads[head].inputs
        ]
        logits: torch.Tensor = self.towers[head](torch.cat([features, *choices], dim=1))
        return logits


def build_heads(
    plan: HeadPlan, features: int, tables: Sequence[EntityTable], *, gain: float, generator: torch.Generator
) -> JointHeads | StepwiseHeads:
    """Return `StepwiseHeads` if a head depends on another or has its own layers, else joint ones.

    Raises:
        ConfigError: Options point at entities, and heads are chosen one after another.
    """
    if not plan.is_stepwise:
        if tables:
            return PointerHeads(plan, features, tables, gain=gain, generator=generator)
        return JointHeads(plan, features, gain=gain, generator=generator)
    if tables:
        raise ConfigError(
            "policy.entities: options cannot point at entities where heads have inputs, layers or masks of their own;"
            " leave out the options",
            code="pointers_unsupported",
        )
    return StepwiseHeads(plan, features, gain=gain, generator=generator)


class AuxiliaryHead(nn.Module):
    """ReLU layers, with optional dropout after the first, and a linear layer."""

    def __init__(
        self, features: int, outputs: int, settings: AuxiliarySettings, *, gain: float, generator: torch.Generator
    ) -> None:
        """Create the layers."""
        super().__init__()
        layers = hidden_layers(features, settings.hidden, normalized=settings.normalized_layers, generator=generator)
        inputs = settings.hidden[-1] if settings.hidden else features
        layers.append(orthogonal_linear(inputs, outputs, gain=gain, generator=generator))
        self.layers = nn.ModuleList(layers)
        self._first_relu = next((index for index, layer in enumerate(layers) if isinstance(layer, nn.ReLU)), None)

    def forward(self, features: torch.Tensor, dropout_mask: torch.Tensor | None = None) -> torch.Tensor:
        """Return rows × width; `dropout_mask` multiplies the outputs of the first hidden layer."""
        for index, layer in enumerate(self.layers):
            features = layer(features)
            if dropout_mask is not None and index == self._first_relu:
                features = features * dropout_mask
        return features
