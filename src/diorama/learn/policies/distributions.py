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

LOG_IMPOSSIBLE: Final = -1e4  # log-probability of a masked option; it has no gradient


@dataclass(frozen=True, slots=True)
class Scores:
    """Log-probabilities of given actions and entropies of the heads, all rows × heads.

    Attributes:
        log_probs: Of the given actions; 0 where a head has no valid option.
        entropies: In nats.
        choices: Number of valid options, float32.
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
    """Score one option per head and row, differentiable in the logits.

    Args:
        logits: Rows × options of all heads.
        masks: Like `logits`, uint8, non-zero where an option is valid; None if all are valid.
        actions: Rows × heads, int32.
        layout: Columns of the heads.
        exploration: Share of uniform choice among valid options, per head.
    """
    if kernels.can_use_native(logits):
        kernel = kernels.head_kernel(layout, exploration)
        return Scores(*_CompiledScore.apply(logits, masks, actions, kernel))  # type: ignore[no-untyped-call]
    if kernels.can_use_triton(logits) and not any(exploration):
        from diorama.learn.triton_kernels import score_heads

        return Scores(*score_heads(logits, masks, actions, layout))
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
        grad_log_probs, grad_entropies, _ = (gradient.contiguous().numpy() for gradient in gradients)
        logits, *_ = ctx.saved_tensors
        grad_logits = torch.empty_like(logits)
        saved = (tensor.detach().numpy() for tensor in ctx.saved_tensors)
        ctx.kernel.score_backward(*saved, grad_log_probs, grad_entropies, grad_logits.numpy())
        return grad_logits, None, None, None


def head_probabilities(
    logits: torch.Tensor, masks: torch.Tensor | None, layout: HeadLayout, exploration: Sequence[float]
) -> list[torch.Tensor]:
    """Return every head's probabilities over its options, float32; a head without a valid option has zeros.

    Args:
        logits: Rows × options of all heads.
        masks: Like `logits`, non-zero where an option is valid; None if all are valid.
        layout: Columns of the heads.
        exploration: Share of uniform choice among valid options, per head.
    """
    mixed = []
    for columns, share in zip(layout.slices(), exploration, strict=True):
        valid = torch.ones_like(logits[:, columns], dtype=torch.bool) if masks is None else masks[:, columns] != 0
        # A row without valid options gets a softmax over all options and is then zeroed, which avoids NaN.
        usable = valid | ~valid.any(dim=1, keepdim=True)
        greedy = torch.softmax(logits[:, columns].float().masked_fill(~usable, -torch.inf), dim=1) * valid
        count = valid.sum(dim=1, keepdim=True).clamp(min=1)
        mixed.append((1.0 - share) * greedy + share * valid / count if share else greedy)
    return mixed


def head_log_probabilities(logits: torch.Tensor, masks: torch.Tensor | None, layout: HeadLayout) -> list[torch.Tensor]:
    """Return the logarithms of `head_probabilities` without exploration; 0 for options that are not valid."""
    logs = []
    for columns in layout.slices():
        valid = torch.ones_like(logits[:, columns], dtype=torch.bool) if masks is None else masks[:, columns] != 0
        logs.append(_masked_log_softmax(logits[:, columns], valid))
    return logs


def _masked_log_softmax(logits: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
    usable = valid | ~valid.any(dim=1, keepdim=True)
    logs = torch.log_softmax(logits.float().masked_fill(~usable, LOG_IMPOSSIBLE), dim=1)
    return logs.masked_fill(~valid, 0.0)


def score_in_torch(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    actions: torch.Tensor,
    layout: HeadLayout,
    exploration: Sequence[float],
) -> Scores:
    """Score actions with torch operations, on any device."""
    log_probs, entropies, choices = [], [], []
    probabilities = head_probabilities(logits, masks, layout, exploration)
    for head, (columns, share) in enumerate(zip(layout.slices(), exploration, strict=True)):
        valid = torch.ones_like(logits[:, columns], dtype=torch.bool) if masks is None else masks[:, columns] != 0
        any_valid = valid.any(dim=1)
        p = probabilities[head]
        logs = torch.log(p.masked_fill(~valid, 1.0)) if share else _masked_log_softmax(logits[:, columns], valid)
        chosen = actions[:, head : head + 1].long()
        log_prob = logs.masked_fill(~valid, LOG_IMPOSSIBLE).gather(1, chosen)[:, 0]
        log_probs.append(torch.where(any_valid, log_prob, 0.0))
        entropies.append(-(p * logs).sum(dim=1))
        choices.append(valid.sum(dim=1))
    return Scores(torch.stack(log_probs, 1), torch.stack(entropies, 1), torch.stack(choices, 1).float())


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSampling:
    """How actions are sampled.

    Attributes:
        exploration: Share of uniform choice among valid options, per head.
        key: Key of the random draws; None takes the most likely option, the first among equals.
        uniforms: Random numbers to use in place of the key, rows × heads in [0, 1), float64.
    """

    exploration: tuple[float, ...]
    key: DrawKey | None
    uniforms: torch.Tensor | None = None

    def of_head(self, head: int) -> ActionSampling:
        """Return the sampling of one head."""
        return ActionSampling(
            exploration=self.exploration[head : head + 1],
            key=None if self.key is None else self.key.at_head(head),
            uniforms=None if self.uniforms is None else self.uniforms[:, head : head + 1],
        )


def sample_actions(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: HeadLayout,
    sampling: ActionSampling,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Sample one option per head and row; a head without a valid option takes its no-op with log-probability 0.

    Args:
        logits: Rows × options of all heads.
        masks: Like `logits`, uint8; None if all options are valid.
        layout: Columns of the heads.
        sampling: How to sample.
        actions: Rows × heads, int32; written.
        log_probs: Rows × heads, float32; written.

    Raises:
        TrainingDiverged: A logit is not finite (checked on the CPU only).
    """
    if sampling.uniforms is not None or not kernels.can_use_native(logits):
        sample_in_torch(logits, masks, layout, sampling, actions=actions, log_probs=log_probs)
        return
    key = sampling.key
    not_finite = kernels.head_kernel(layout, sampling.exploration).sample(
        logits.detach().contiguous().numpy(),
        None if masks is None else masks.numpy(),
        None if key is None else (key.seed, key.update, key.step, key.row, key.head),
        actions.numpy(),
        log_probs.numpy(),
    )
    refuse_non_finite_logits(not_finite, len(logits))


def refuse_non_finite_logits(not_finite: int, rows: int) -> None:
    """Raise an error unless all rows have finite logits.

    Raises:
        TrainingDiverged: `not_finite` of the rows have a NaN or infinite logit.
    """
    if not_finite:
        raise TrainingDiverged(
            f"the policy's logits are not finite in {not_finite} of {rows} rows",
            code="logits_not_finite",
            not_finite=not_finite,
            rows=rows,
        )


def sample_in_torch(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: HeadLayout,
    sampling: ActionSampling,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Sample with torch operations or Triton kernels, on any device."""
    draws = sampling.uniforms
    if draws is None and sampling.key is not None:
        draws = uniforms(sampling.key, len(logits), len(layout.sizes), logits.device)
    if draws is not None and kernels.can_use_triton(logits) and not any(sampling.exploration):
        from diorama.learn.triton_kernels import sample_heads

        sample_heads(logits, masks, layout, draws, actions=actions, log_probs=log_probs)
        return
    for head, p in enumerate(head_probabilities(logits, masks, layout, sampling.exploration)):
        if draws is None:
            chosen = p.argmax(dim=1)
        else:
            reached = p.double().cumsum(dim=1)
            last = (p > 0).long().mul(torch.arange(p.shape[1], device=p.device)).amax(dim=1)
            passed = reached <= draws[:, head : head + 1] * reached[:, -1:]
            chosen = torch.minimum(passed.sum(dim=1), last)
        any_valid = (p > 0).any(dim=1)
        chosen = torch.where(any_valid, chosen, layout.noops[head])
        log_prob = p.gather(1, chosen[:, None])[:, 0].log().clamp(min=LOG_IMPOSSIBLE)
        actions[:, head] = chosen
        log_probs[:, head] = torch.where(any_valid, log_prob, 0.0)
