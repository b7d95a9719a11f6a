"""Heads that do not matter for a decision: placeholders, no probability, no gradient."""

import torch

from diorama.learn.constants import constant
from diorama.learn.heads.distributions import Scores
from diorama.learn.heads.plan import HeadPlan


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
