"""Masked categorical distributions over several heads: log-probabilities, entropies and samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import torch

from diorama.learn import kernels
from diorama.learn.errors import TrainingDiverged
from diorama.learn.keyed_random import DrawKey, uniforms
from diorama.learn.policies.head_plan import HeadLayout

if TYPE_CHECKING:
    from diorama import _native

LOG_IMPOSSIBLE: Final = -1e4  # log-probability reported for an option outside the mask; it carries no gradient


@dataclass(frozen=True, slots=True)
class Scores:
    """What a policy thinks of given actions; all are rows × heads.

    Attributes:
        log_probs: Of the given options; 0 where a head has no valid option.
        entropies: Of the heads, in nats.
        choices: How many options are valid, as float32.
    """

    log_probs: torch.Tensor
    entropies: torch.Tensor
    choices: torch.Tensor


def score_actions(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    actions: torch.Tensor,
    layout: HeadLayout,
    exploration: tuple[float, ...],
) -> Scores:
    """Score one option per head and row, with a gradient for the logits.

    Args:
        logits: Rows × options of all heads.
        masks: Like `logits`, uint8, non-zero where an option is valid; None where all are.
        actions: Rows × heads, int32.
        layout: Where the heads lie.
        exploration: Share of uniform choice among valid options, per head.
    """
    if kernels.serves(logits):
        kernel = kernels.head_kernel(layout, exploration)
        return Scores(*_CompiledScore.apply(logits, masks, actions, kernel))  # type: ignore[no-untyped-call]
    if kernels.triton_serves(logits) and not any(exploration):
        from diorama.learn.triton_kernels import fused_scores

        return Scores(*fused_scores(logits, masks, actions, layout))
    return score_in_torch(logits, masks, actions, layout, exploration)


class _CompiledScore(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor, kernel: _native.HeadKernel
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        logits = logits.detach().contiguous()
        log_probs, entropies, choices, log_sums = (torch.empty(actions.shape) for _ in range(4))
        probabilities = torch.empty_like(logits)
        kernel.score(
            logits.numpy(),
            None if masks is None else masks.numpy(),
            actions.numpy(),
            log_probs.numpy(),
            entropies.numpy(),
            choices.numpy(),
            log_sums.numpy(),
            probabilities.numpy(),
        )
        ctx.kernel = kernel
        ctx.save_for_backward(logits, actions, probabilities, entropies, choices, log_sums)
        ctx.mark_non_differentiable(choices)
        return log_probs, entropies, choices

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        of_log_probs, of_entropies, _ = (gradient.contiguous().numpy() for gradient in gradients)
        logits, *_ = ctx.saved_tensors
        of_logits = torch.empty_like(logits)
        saved = (tensor.detach().numpy() for tensor in ctx.saved_tensors)
        ctx.kernel.score_backward(*saved, of_log_probs, of_entropies, of_logits.numpy())
        return of_logits, None, None, None


def head_probabilities(
    logits: torch.Tensor, masks: torch.Tensor | None, layout: HeadLayout, exploration: Sequence[float]
) -> list[torch.Tensor]:
    """Return every head's probabilities over its options, float32; a head without a valid option has zeros.

    Args:
        logits: Rows × options of all heads.
        masks: Like `logits`, non-zero where an option is valid; None where all are.
        layout: Where the heads lie.
        exploration: Share of uniform choice among valid options, per head.
    """
    mixed = []
    for columns, share in zip(layout.slices(), exploration, strict=True):
        valid = torch.ones_like(logits[:, columns], dtype=torch.bool) if masks is None else masks[:, columns] != 0
        # A row without valid options gets a softmax over all and is then zeroed, so that no NaN is born.
        usable = valid | ~valid.any(dim=1, keepdim=True)
        greedy = torch.softmax(logits[:, columns].float().masked_fill(~usable, -torch.inf), dim=1) * valid
        count = valid.sum(dim=1, keepdim=True).clamp(min=1)
        mixed.append((1.0 - share) * greedy + share * valid / count if share else greedy)
    return mixed


def score_in_torch(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    actions: torch.Tensor,
    layout: HeadLayout,
    exploration: Sequence[float],
) -> Scores:
    """Score actions with plain torch operations, on any device and with autograd."""
    log_probs, entropies, choices = [], [], []
    probabilities = head_probabilities(logits, masks, layout, exploration)
    for head, (columns, share) in enumerate(zip(layout.slices(), exploration, strict=True)):
        valid = torch.ones_like(logits[:, columns], dtype=torch.bool) if masks is None else masks[:, columns] != 0
        any_valid = valid.any(dim=1)
        p = probabilities[head]
        if share:
            logs = torch.log(p.masked_fill(~valid, 1.0))
        else:
            usable = valid | ~any_valid[:, None]
            logs = torch.log_softmax(logits[:, columns].float().masked_fill(~usable, LOG_IMPOSSIBLE), dim=1)
            logs = logs.masked_fill(~valid, 0.0)
        chosen = actions[:, head : head + 1].long()
        log_prob = logs.masked_fill(~valid, LOG_IMPOSSIBLE).gather(1, chosen)[:, 0]
        log_probs.append(torch.where(any_valid, log_prob, 0.0))
        entropies.append(-(p * logs).sum(dim=1))
        choices.append(valid.sum(dim=1))
    return Scores(torch.stack(log_probs, 1), torch.stack(entropies, 1), torch.stack(choices, 1).float())


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How to choose.

    Attributes:
        exploration: Share of uniform choice among valid options, per head.
        key: What the draws are for; None chooses the likeliest option, the first among equals.
        fractions: Draws that somebody else made, rows × heads in [0, 1), float64, in place of those of the key.
    """

    exploration: tuple[float, ...]
    key: DrawKey | None
    fractions: torch.Tensor | None = None

    def of_head(self, head: int) -> Drawing:
        """Return how to choose one head alone."""
        return Drawing(
            exploration=self.exploration[head : head + 1],
            key=None if self.key is None else self.key.at_head(head),
            fractions=None if self.fractions is None else self.fractions[:, head : head + 1],
        )


def draw_actions(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: HeadLayout,
    drawing: Drawing,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Choose one option per head and row; a head without a valid option takes its no-op with log-probability 0.

    Args:
        logits: Rows × options of all heads.
        masks: Like `logits`, uint8; None where every option is valid.
        layout: Where the heads lie.
        drawing: How to choose.
        actions: Rows × heads, int32; written.
        log_probs: Rows × heads, float32; written.

    Raises:
        TrainingDiverged: A logit is not a number (noticed here only on the CPU).
    """
    if drawing.fractions is not None or not kernels.serves(logits):
        draw_in_torch(logits, masks, layout, drawing, actions=actions, log_probs=log_probs)
        return
    key = drawing.key
    broken = kernels.head_kernel(layout, drawing.exploration).sample(
        logits.detach().contiguous().numpy(),
        None if masks is None else masks.numpy(),
        None if key is None else (key.seed, key.update, key.step, key.row, key.head),
        actions.numpy(),
        log_probs.numpy(),
    )
    if broken:
        raise TrainingDiverged(f"the policy's logits are not finite in {broken} of {len(logits)} rows")


def draw_in_torch(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: HeadLayout,
    drawing: Drawing,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Do the same with torch operations on any device, or with fused kernels where they serve."""
    fractions = drawing.fractions
    if fractions is None and drawing.key is not None:
        fractions = uniforms(drawing.key, len(logits), len(layout.sizes), logits.device)
    if fractions is not None and kernels.triton_serves(logits) and not any(drawing.exploration):
        from diorama.learn.triton_kernels import fused_draws

        fused_draws(logits, masks, layout, fractions, actions=actions, log_probs=log_probs)
        return
    for head, p in enumerate(head_probabilities(logits, masks, layout, drawing.exploration)):
        if fractions is None:
            chosen = p.argmax(dim=1)
        else:
            reached = p.double().cumsum(dim=1)
            last = (p > 0).long().mul(torch.arange(p.shape[1], device=p.device)).amax(dim=1)
            passed = reached <= fractions[:, head : head + 1] * reached[:, -1:]
            chosen = torch.minimum(passed.sum(dim=1), last)
        any_valid = (p > 0).any(dim=1)
        chosen = torch.where(any_valid, chosen, layout.noops[head])
        log_prob = p.gather(1, chosen[:, None])[:, 0].log().clamp(min=LOG_IMPOSSIBLE)
        actions[:, head] = chosen
        log_probs[:, head] = torch.where(any_valid, log_prob, 0.0)
