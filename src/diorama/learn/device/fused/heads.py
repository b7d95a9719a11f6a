"""All heads of a decision by the kernels of one."""

import torch

from diorama.learn.device.fused.choices import fused_draw, fused_score
from diorama.learn.heads.layout import HeadLayout


def fused_draws(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: HeadLayout,
    fractions: torch.Tensor,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Choose one option per head and row, as `sampling.draw_actions` does without exploration."""
    for head, columns in enumerate(layout.slices()):
        fused_draw(
            logits[:, columns],
            None if masks is None else masks[:, columns],
            fractions[:, head],
            noop=layout.noops[head],
            actions=actions[:, head],
            log_probs=log_probs[:, head],
        )


def fused_scores(
    logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor, layout: HeadLayout
) -> tuple[torch.Tensor, ...]:
    """Return log-probabilities, entropies and valid options, rows × heads, as `distributions.score_actions` does."""
    sizes = [*layout.sizes]
    shown = [None] * len(sizes) if masks is None else [*masks.split(sizes, dim=1)]
    # Split in one go: the gradients of the parts are then joined in one go.
    scored = [
        fused_score(part, mask, actions[:, head])
        for head, (part, mask) in enumerate(zip(logits.split(sizes, dim=1), shown, strict=True))
    ]
    return tuple(torch.stack(columns, dim=1) for columns in zip(*scored, strict=True))
