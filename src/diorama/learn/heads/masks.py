"""Which options are valid for a decision, and how many there are."""

import torch

from diorama.learn.heads.actions import Extras
from diorama.learn.heads.plan import HeadPlan
from diorama.learn.heads.relevance import is_relevant


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
