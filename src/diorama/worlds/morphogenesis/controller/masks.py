"""Masks of a batch: which options each env has, as views of arrays that the caller owns."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import U8
from diorama.worlds.morphogenesis.contracts.actions import (
    CAUSAL_RELEVANCE,
    HEAD_NAMES,
    NUM_OPS,
    PLACEHOLDERS,
    LifecycleOp,
    head_sizes,
)
from diorama.worlds.morphogenesis.contracts.errors import ContractError, InvalidStateMachineError
from diorama.worlds.morphogenesis.controller.mask_rules import (
    MaskRules,
    check_situations,
    op_refusal,
    planting_refusal,
)
from diorama.worlds.morphogenesis.controller.situations import SlotSituation
from diorama.worlds.morphogenesis.vectorized_types import ActionMaskFlags

Bool = NDArray[np.bool_]

HEAD_OPS: Final[dict[str, tuple[LifecycleOp, ...]]] = {
    "style": (LifecycleOp.GERMINATE,),
    "tempo": (LifecycleOp.GERMINATE,),
    "alpha_target": (LifecycleOp.GERMINATE, LifecycleOp.SET_ALPHA_TARGET),
    "alpha_speed": (LifecycleOp.SET_ALPHA_TARGET, LifecycleOp.PRUNE),
    "alpha_curve": (LifecycleOp.SET_ALPHA_TARGET, LifecycleOp.PRUNE),
}
"""Heads that are open while one of these ops is possible, and carry their placeholder alone otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMasks:
    """Valid options by env, one array per head; `slot_by_op` has the slots of each op, env × op × slot.

    `slot` is the union over the valid ops but WAIT, or everything where WAIT alone is valid.
    """

    slot: Bool
    blueprint: Bool
    style: Bool
    tempo: Bool
    alpha_target: Bool
    alpha_speed: Bool
    alpha_curve: Bool
    op: Bool
    slot_by_op: Bool

    @classmethod
    def over(cls, flat: U8, slot_by_op: U8) -> Self:
        """Return views of two arrays: envs × options of all heads in `HEAD_NAMES` order, and envs × ops × slots."""
        slots = slot_by_op.shape[2]
        sizes = head_sizes(slots)
        if flat.shape != (len(slot_by_op), sum(sizes)) or slot_by_op.shape[1] != NUM_OPS:
            raise ContractError(
                f"masks of shape {flat.shape} and {slot_by_op.shape} do not belong together; "
                f"with {slots} slots they are (envs, {sum(sizes)}) and (envs, {NUM_OPS}, {slots})"
            )
        ends = tuple(accumulate(sizes))
        heads = {
            head: flat[:, end - size : end].view(np.bool_)
            for head, size, end in zip(HEAD_NAMES, sizes, ends, strict=True)
        }
        return cls(**heads, slot_by_op=slot_by_op.view(np.bool_))

    @classmethod
    def allocate(cls, envs: int, slots: int) -> Self:
        """Return masks of their own, all false."""
        return cls.over(np.zeros((envs, sum(head_sizes(slots))), np.uint8), np.zeros((envs, NUM_OPS, slots), np.uint8))

    @property
    def envs(self) -> int:
        """Number of envs."""
        return len(self.op)

    def heads(self) -> tuple[Bool, ...]:
        """Return the arrays of the eight heads in `HEAD_NAMES` order."""
        return (
            self.slot,
            self.blueprint,
            self.style,
            self.tempo,
            self.alpha_target,
            self.alpha_speed,
            self.alpha_curve,
            self.op,
        )


def write_masks(masks: ActionMasks, row: int, rules: MaskRules, situations: Mapping[str, SlotSituation | None]) -> None:
    """Write the masks of one env; `ValueError` where an enabled slot is missing from the map."""
    check_situations(rules, situations)
    no_planting = planting_refusal(rules, situations)
    by_op = masks.slot_by_op[row]
    for op in LifecycleOp:
        by_op[op] = [not op_refusal(rules, op, situations[slot_id], no_planting) for slot_id in rules.slot_ids]
    _spread(masks, row, rules)


def write_wait_only(masks: ActionMasks, row: int, rules: MaskRules) -> None:
    """Write the masks of an env whose next action is ignored."""
    masks.slot_by_op[row] = False
    masks.slot_by_op[row, LifecycleOp.WAIT] = True
    _spread(masks, row, rules)


def _spread(masks: ActionMasks, row: int, rules: MaskRules) -> None:
    by_op, op = masks.slot_by_op[row], masks.op[row]
    op[:] = by_op.any(axis=1)
    masks.slot[row] = by_op[LifecycleOp.WAIT + 1 :].any(axis=0) if op[LifecycleOp.WAIT + 1 :].any() else True
    masks.blueprint[row] = False
    masks.blueprint[row, list(rules.blueprints)] = True
    for place, (head, mask) in enumerate(zip(HEAD_NAMES, masks.heads(), strict=True)):
        if head in HEAD_OPS:
            mask[row] = op[list(HEAD_OPS[head])].any()
            mask[row, PLACEHOLDERS[place]] = True


def check_masks(masks: ActionMasks) -> None:
    """Raise `InvalidStateMachineError` where a head of some env has no valid option."""
    for head, mask in zip(HEAD_NAMES, masks.heads(), strict=True):
        empty = np.flatnonzero(~mask.any(axis=1))
        if empty.size:
            raise InvalidStateMachineError(f"head {head!r} of env {empty[0]} has no valid option")
    # An op that is on must have a slot to go to, or the sampler would draw from nothing.
    if np.any(masks.op & ~masks.slot_by_op.any(axis=2)):
        raise InvalidStateMachineError("an op is valid for which no slot is")


def options(masks: ActionMasks, row: int, op: LifecycleOp) -> tuple[Bool, ...]:
    """Return the options of every head once the op is chosen: the slots are those of that op."""
    return (masks.slot_by_op[row, op], *(mask[row] for mask in masks.heads()[1:]))


def write_flags(flags: ActionMaskFlags, masks: ActionMasks, row: int, op: LifecycleOp) -> None:
    """Note for every head whether it had fewer than all options, or did not matter to the op that was sampled."""
    (
        flags.slot_masked,
        flags.blueprint_masked,
        flags.style_masked,
        flags.tempo_masked,
        flags.alpha_target_masked,
        flags.alpha_speed_masked,
        flags.alpha_curve_masked,
        flags.op_masked,
    ) = (
        not (relevant and valid.all())
        for relevant, valid in zip(CAUSAL_RELEVANCE[op], options(masks, row, op), strict=True)
    )
