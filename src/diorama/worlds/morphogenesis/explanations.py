"""Why an option cannot be chosen now, in words for whoever decides.

Read from the render state, so that whoever sees a moment can explain it without simulating anything.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, PLACEHOLDERS, LifecycleOp, head_sizes
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.controller.mask_rules import EMPTY
from diorama.worlds.morphogenesis.controller.masks import HEAD_OPS

POSSIBLE: Final = ""
NOTHING_HERE: Final = "nothing can be done with this slot now"
NOT_PLANTED: Final = "this blueprint cannot be planted in this host"
ROLLING_BACK: Final = "the host is being put back to its last snapshot"
_WORDS: Final[Mapping[LifecycleOp, str]] = {
    LifecycleOp.GERMINATE: "planted",
    LifecycleOp.SET_ALPHA_TARGET: "sent to another strength",
    LifecycleOp.PRUNE: "pruned",
}


def explain_mask(state: JsonObject, seat: int) -> tuple[str, ...]:
    """Return for each option of all heads what stands against it, empty where nothing does.

    Args:
        state: A render state.
        seat: Always 0; an env has one controller.
    """
    refusals = _refusals(state)
    slot_ids = _slot_ids(state)
    open_ops = [op for op in LifecycleOp if POSSIBLE in refusals[op]]
    reasons = {
        "slot": _slots(refusals, open_ops),
        "blueprint": _blueprints(state),
        "op": tuple(POSSIBLE if op in open_ops else _nowhere(refusals[op], slot_ids) for op in LifecycleOp),
    }
    for place, (head, size) in enumerate(zip(HEAD_NAMES, head_sizes(len(slot_ids)), strict=True)):
        if head in HEAD_OPS:
            reasons[head] = _further(HEAD_OPS[head], open_ops, size, PLACEHOLDERS[place])
    return tuple(reason for head in HEAD_NAMES for reason in reasons[head])


def _refusals(state: JsonObject) -> dict[LifecycleOp, tuple[str, ...]]:
    told = state["refusals"]
    if not isinstance(told, Mapping):
        raise TypeError("a render state of morphogenesis tells its refusals by operation")
    return {op: _texts(told[op.name]) for op in LifecycleOp}


def _slot_ids(state: JsonObject) -> tuple[str, ...]:
    slots = state["slots"]
    if not isinstance(slots, Sequence):
        raise TypeError("a render state of morphogenesis lists its slots")
    return tuple(str(slot["slot_id"]) for slot in slots if isinstance(slot, Mapping))


def _nowhere(reasons: Sequence[str], slot_ids: Sequence[str]) -> str:
    """Say why an operation has no slot to go to: once where it is the same everywhere, else by slot.

    That a slot is empty goes without saying where there is more to tell.
    """
    told = [(slot_id, why) for slot_id, why in zip(slot_ids, reasons, strict=True) if why != EMPTY]
    if len(set(reasons)) == 1 or not told:
        return reasons[0]
    return "; ".join(f"{slot_id}: {why}" for slot_id, why in told)


def _slots(refusals: Mapping[LifecycleOp, tuple[str, ...]], open_ops: Sequence[LifecycleOp]) -> tuple[str, ...]:
    count = len(refusals[LifecycleOp.WAIT])
    if open_ops == [LifecycleOp.WAIT]:
        return (POSSIBLE,) * count
    return tuple(
        POSSIBLE if any(not refusals[op][slot] for op in open_ops if op is not LifecycleOp.WAIT) else NOTHING_HERE
        for slot in range(count)
    )


def _blueprints(state: JsonObject) -> tuple[str, ...]:
    allowed = _texts(state["blueprints"])
    return tuple(POSSIBLE if blueprint.blueprint_id in allowed else NOT_PLANTED for blueprint in BlueprintAction)


def _further(
    ops: Sequence[LifecycleOp], open_ops: Sequence[LifecycleOp], size: int, placeholder: int
) -> tuple[str, ...]:
    if any(op in open_ops for op in ops):
        return (POSSIBLE,) * size
    reason = f"nothing can be {' or '.join(_WORDS[op] for op in ops)} now"
    return tuple(POSSIBLE if option == placeholder else reason for option in range(size))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, Sequence) else ()
