"""Chooses actions from logits and masks; the draws depend on the key alone."""

from dataclasses import dataclass

import torch

from diorama.learn import kernels
from diorama.learn.device.fused import presence
from diorama.learn.divergence import TrainingDiverged
from diorama.learn.heads.distributions import LOG_IMPOSSIBLE, head_probabilities
from diorama.learn.heads.layout import HeadLayout
from diorama.learn.keyed import DrawKey, uniforms


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

    def of_head(self, head: int) -> "Drawing":
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
    if fractions is not None and presence.serve(logits) and not any(drawing.exploration):
        from diorama.learn.device.fused.heads import fused_draws

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
