"""Actions as eight indices: composed from names, and put into the one form that equal behavior has."""

from collections.abc import Sequence
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import (
    CAUSAL_RELEVANCE,
    HEAD_NAMES,
    PLACEHOLDERS,
    AlphaCurveAction,
    AlphaSpeedAction,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    TempoAction,
)
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction

Action = tuple[int, ...]
"""Eight indices in `HEAD_NAMES` order."""

OP_COLUMN: Final = HEAD_NAMES.index("op")
WAIT: Final[Action] = PLACEHOLDERS


def canonical(action: Sequence[int]) -> Action:
    """Return the action with a placeholder in every head its op does not read."""
    relevance = CAUSAL_RELEVANCE[action[OP_COLUMN]]
    return tuple(
        int(chosen) if matters else placeholder
        for chosen, matters, placeholder in zip(action, relevance, PLACEHOLDERS, strict=True)
    )


def compose(
    op: LifecycleOp,
    slot_index: int = 0,
    *,
    blueprint: BlueprintAction = BlueprintAction.NOOP,
    style: GerminationStyle = GerminationStyle.SIGMOID_ADD,
    tempo: TempoAction = TempoAction.STANDARD,
    alpha_target: AlphaTargetAction = AlphaTargetAction.FULL,
    alpha_speed: AlphaSpeedAction = AlphaSpeedAction.INSTANT,
    alpha_curve: AlphaCurveAction = AlphaCurveAction.LINEAR,
) -> Action:
    """Return the canonical action of an op; what is not given is the placeholder."""
    return canonical((slot_index, blueprint, style, tempo, alpha_target, alpha_speed, alpha_curve, op))
