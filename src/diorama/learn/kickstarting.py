"""The loss that pulls a policy towards a teacher on the states which the policy visits itself."""

from dataclasses import replace

import torch

from diorama.learn.experience import PolicyInputs, TeachingTargets
from diorama.learn.loss import LossTerms
from diorama.learn.policies.distributions import head_log_probabilities, score_actions
from diorama.learn.policies.head_plan import HeadLayout, HeadPlan
from diorama.learn.policies.heads import joined_masks


def add_kickstarting(
    terms: LossTerms,
    logits: torch.Tensor,
    inputs: PolicyInputs,
    targets: TeachingTargets,
    *,
    plan: HeadPlan,
    decisions: torch.Tensor,
    weight: float,
) -> LossTerms:
    """Return the loss of a shard with the cross-entropy against the teacher, summed over heads.

    Args:
        terms: The PPO loss of the shard.
        logits: Of the policy, given the teacher's choices where heads depend on one another.
        inputs: What the policy saw.
        targets: What the teacher says.
        plan: Of the action heads.
        decisions: Number of decisions of the whole minibatch in which the teacher is followed.
        weight: Of the cross-entropy in the loss.
    """
    masks = joined_masks(plan, inputs.masks, inputs.extras, targets.choices)
    cross_entropy = (targets.head_weights * cross_entropies(logits, masks, targets, plan.layout)).sum() / decisions
    with torch.no_grad():
        agreement = _agreements(logits.detach(), masks, targets, plan.layout) / decisions
    return replace(terms, total=terms.total + weight * cross_entropy, kickstarting=cross_entropy, agreement=agreement)


def cross_entropies(
    logits: torch.Tensor, masks: torch.Tensor | None, targets: TeachingTargets, layout: HeadLayout
) -> torch.Tensor:
    """Return the cross-entropy of every head against the teacher, decisions × heads, differentiable in the logits."""
    if targets.probabilities is None:
        noise_free = (0.0,) * len(layout.sizes)
        return -score_actions(logits, masks, targets.choices, layout, noise_free).log_probs
    columns = []
    for log_probs, columns_of_head in zip(head_log_probabilities(logits, masks, layout), layout.slices(), strict=True):
        wanted = targets.probabilities[:, columns_of_head]
        if masks is not None:
            # A teacher may take options that this policy must not; what is left of its distribution counts.
            wanted = wanted * (masks[:, columns_of_head] != 0)
        wanted = wanted / wanted.sum(dim=1, keepdim=True).clamp(min=torch.finfo(wanted.dtype).tiny)
        columns.append(-(wanted * log_probs).sum(dim=1))
    return torch.stack(columns, dim=1)


def _agreements(
    logits: torch.Tensor, masks: torch.Tensor | None, targets: TeachingTargets, layout: HeadLayout
) -> torch.Tensor:
    """Return the number of decisions in which the most likely options are the teacher's."""
    own = _most_likely(logits, masks, layout)
    wanted = targets.choices if targets.probabilities is None else _most_likely(targets.probabilities, masks, layout)
    agrees = ((own == wanted) | (targets.head_weights == 0)).all(dim=1)
    return (agrees * targets.head_weights.amax(dim=1)).sum()


def _most_likely(scores: torch.Tensor, masks: torch.Tensor | None, layout: HeadLayout) -> torch.Tensor:
    if masks is not None:
        scores = scores.masked_fill(masks == 0, -torch.inf)
    return torch.stack([scores[:, columns].argmax(dim=1) for columns in layout.slices()], dim=1)
