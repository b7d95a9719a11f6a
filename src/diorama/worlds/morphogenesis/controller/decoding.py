"""From eight sampled indices to an `ActionSpec`; the rules are asked again, whatever the mask said."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.actions import (
    HEAD_NAMES,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    head_sizes,
)
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.controller.mask_rules import (
    MaskRules,
    check_situations,
    op_refusal,
    planting_refusal,
)
from diorama.worlds.morphogenesis.controller.situations import SlotSituation
from diorama.worlds.morphogenesis.vectorized_types import ActionSpec

TARGETING_OPS: Final = frozenset({LifecycleOp.GERMINATE, LifecycleOp.SET_ALPHA_TARGET})
DEFAULT_STYLE: Final = GerminationStyle.LINEAR_ADD


def decode(
    spec: ActionSpec,
    action: Sequence[int] | NDArray[np.int64],
    rules: MaskRules,
    situations: Mapping[str, SlotSituation | None],
) -> str:
    """Fill an env's `ActionSpec` from its action, in `HEAD_NAMES` order.

    Returns:
        Why the action is invalid; empty where it is valid. An invalid action counts as WAIT for the reward.

    Raises:
        ContractError: There are not eight indices, or one other than the slot's is outside its head.
    """
    check_situations(rules, situations)
    _check_ranges(action, len(rules.slot_ids))
    spec.reset()
    (
        spec.slot_idx,
        spec.blueprint_idx,
        spec.style_idx,
        spec.tempo_idx,
        spec.alpha_target_idx,
        spec.alpha_speed_idx,
        spec.alpha_curve_idx,
        spec.op_idx,
    ) = (int(index) for index in action)
    op = LifecycleOp(spec.op_idx)
    spec.slot_is_enabled = 0 <= spec.slot_idx < len(rules.slot_ids)
    spec.target_slot = rules.slot_ids[spec.slot_idx] if spec.slot_is_enabled else ""
    here = situations[spec.target_slot] if spec.slot_is_enabled else None
    refusal = _refusal(spec, op, rules, here, planting_refusal(rules, situations))
    spec.action_valid_for_reward = not refusal
    spec.action_for_reward = LifecycleOp.WAIT if refusal else op
    spec.alpha_target = AlphaTargetAction(spec.alpha_target_idx).value_share if op in TARGETING_OPS else 1.0
    style = _style(spec, op, here)
    spec.alpha_algorithm, spec.blend_algorithm_id = style.traits.operator, style.traits.blend_id
    return refusal


def _check_ranges(action: Sequence[int] | NDArray[np.int64], slots: int) -> None:
    if len(action) != len(HEAD_NAMES):
        raise ContractError(f"an action has {len(action)} indices; give one for each of {', '.join(HEAD_NAMES)}")
    for head, size, index in zip(HEAD_NAMES[1:], head_sizes(slots)[1:], action[1:], strict=True):
        if not 0 <= index < size:
            raise ContractError(f"head {head!r}: option {index} is outside 0..{size - 1}")


def _refusal(spec: ActionSpec, op: LifecycleOp, rules: MaskRules, here: SlotSituation | None, no_planting: str) -> str:
    if not spec.slot_is_enabled:
        return f"slot {spec.slot_idx} is outside 0..{len(rules.slot_ids) - 1}"
    blueprint = BlueprintAction(spec.blueprint_idx)
    if op is LifecycleOp.GERMINATE and blueprint not in rules.blueprints:
        return f"blueprint {blueprint.blueprint_id!r} cannot be planted here"
    return op_refusal(rules, op, here, no_planting)


def _style(spec: ActionSpec, op: LifecycleOp, here: SlotSituation | None) -> GerminationStyle:
    if op is LifecycleOp.GERMINATE:
        return GerminationStyle(spec.style_idx)
    return DEFAULT_STYLE if here is None else here.style
