"""The eight heads of an action: options in index order, relevance by op, and placeholders."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from diorama.worlds.morphogenesis.contracts.alpha import DEFAULT_ALPHA_STEEPNESS, AlphaAlgorithm, AlphaCurve
from diorama.worlds.morphogenesis.contracts.blueprints import NUM_BLUEPRINTS, BlueprintAction

HEAD_NAMES: Final = (
    "slot",
    "blueprint",
    "style",
    "tempo",
    "alpha_target",
    "alpha_speed",
    "alpha_curve",
    "op",
)
"""Storage order of every action, log-probability and mask array."""


class LifecycleOp(IntEnum):
    """What the controller does with a slot in one step."""

    WAIT = 0
    GERMINATE = 1
    SET_ALPHA_TARGET = 2
    PRUNE = 3
    FOSSILIZE = 4
    ADVANCE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleTraits:
    """How a style blends: its operator, the identifier of the blend and the curve of its first ramp."""

    operator: AlphaAlgorithm
    blend_id: str
    curve: AlphaCurve


class GerminationStyle(IntEnum):
    """Operator and first ramp in one choice, so that no illegal pair of them can be written down."""

    LINEAR_ADD = 0
    LINEAR_MULTIPLY = 1
    SIGMOID_ADD = 2
    GATED_GATE = 3

    @property
    def traits(self) -> StyleTraits:
        """Operator, blend identifier and first curve of this style."""
        return STYLE_TRAITS[self]


STYLE_TRAITS: Final[dict[GerminationStyle, StyleTraits]] = {
    GerminationStyle.LINEAR_ADD: StyleTraits(operator=AlphaAlgorithm.ADD, blend_id="linear", curve=AlphaCurve.LINEAR),
    GerminationStyle.LINEAR_MULTIPLY: StyleTraits(
        operator=AlphaAlgorithm.MULTIPLY, blend_id="linear", curve=AlphaCurve.LINEAR
    ),
    GerminationStyle.SIGMOID_ADD: StyleTraits(
        operator=AlphaAlgorithm.ADD, blend_id="sigmoid", curve=AlphaCurve.SIGMOID
    ),
    GerminationStyle.GATED_GATE: StyleTraits(operator=AlphaAlgorithm.GATE, blend_id="gated", curve=AlphaCurve.LINEAR),
}


class TempoAction(IntEnum):
    """How quickly a seed blends in at first; the steps are in the timings."""

    FAST = 0
    STANDARD = 1
    SLOW = 2


class AlphaTargetAction(IntEnum):
    """Strength a blend aims at."""

    HALF = 0
    SEVENTY = 1
    FULL = 2

    @property
    def value_share(self) -> float:
        """The alpha itself, 0.5, 0.7 or 1."""
        return ALPHA_TARGET_VALUES[self]


ALPHA_TARGET_VALUES: Final = (0.5, 0.7, 1.0)


class AlphaSpeedAction(IntEnum):
    """How quickly a later ramp runs; the steps are in the timings."""

    INSTANT = 0
    FAST = 1
    MEDIUM = 2
    SLOW = 3


class AlphaCurveAction(IntEnum):
    """Shape of a later ramp."""

    LINEAR = 0
    COSINE = 1
    SIGMOID_GENTLE = 2
    SIGMOID = 3
    SIGMOID_SHARP = 4

    @property
    def curve(self) -> AlphaCurve:
        """Curve of the alpha controller."""
        return _CURVES[self][0]

    @property
    def steepness(self) -> float:
        """Steepness of the sigmoid; the default where the curve has none."""
        return _CURVES[self][1]

    @property
    def glyph(self) -> str:
        """One character that draws the curve."""
        return ALPHA_CURVE_GLYPHS[self]


_CURVES: Final = (
    (AlphaCurve.LINEAR, DEFAULT_ALPHA_STEEPNESS),
    (AlphaCurve.COSINE, DEFAULT_ALPHA_STEEPNESS),
    (AlphaCurve.SIGMOID, 6.0),
    (AlphaCurve.SIGMOID, 12.0),
    (AlphaCurve.SIGMOID, 24.0),
)
ALPHA_CURVE_GLYPHS: Final = ("╱", "∿", "⌒", "⌢", "⊐")  # noqa: RUF001

NUM_OPS: Final = len(LifecycleOp)
NUM_STYLES: Final = len(GerminationStyle)
NUM_TEMPOS: Final = len(TempoAction)
NUM_ALPHA_TARGETS: Final = len(AlphaTargetAction)
NUM_ALPHA_SPEEDS: Final = len(AlphaSpeedAction)
NUM_ALPHA_CURVES: Final = len(AlphaCurveAction)


def head_sizes(slots: int) -> tuple[int, ...]:
    """Return the number of options of each head, in `HEAD_NAMES` order."""
    return (
        slots,
        NUM_BLUEPRINTS,
        NUM_STYLES,
        NUM_TEMPOS,
        NUM_ALPHA_TARGETS,
        NUM_ALPHA_SPEEDS,
        NUM_ALPHA_CURVES,
        NUM_OPS,
    )


def slots_among(options: int) -> int:
    """Return how many slots a host has, by the options of all heads together."""
    return options - sum(head_sizes(0))


RELEVANT_HEADS: Final[dict[LifecycleOp, tuple[str, ...]]] = {
    LifecycleOp.WAIT: (),
    LifecycleOp.GERMINATE: ("slot", "blueprint", "style", "tempo", "alpha_target"),
    LifecycleOp.SET_ALPHA_TARGET: ("slot", "alpha_target", "alpha_speed", "alpha_curve"),
    LifecycleOp.PRUNE: ("slot", "alpha_speed", "alpha_curve"),
    LifecycleOp.FOSSILIZE: ("slot",),
    LifecycleOp.ADVANCE: ("slot",),
}

CAUSAL_RELEVANCE: Final[tuple[tuple[bool, ...], ...]] = tuple(
    tuple(head == "op" or head in RELEVANT_HEADS[op] for head in HEAD_NAMES) for op in LifecycleOp
)
"""Whether a head matters, by op and head in `HEAD_NAMES` order; the only definition of relevance."""

PLACEHOLDERS: Final[tuple[int, ...]] = (
    0,
    int(BlueprintAction.NOOP),
    int(GerminationStyle.SIGMOID_ADD),
    int(TempoAction.STANDARD),
    int(AlphaTargetAction.FULL),
    int(AlphaSpeedAction.INSTANT),
    int(AlphaCurveAction.LINEAR),
    int(LifecycleOp.WAIT),
)
"""What an irrelevant head carries, in `HEAD_NAMES` order; all of it together is the action that does nothing."""
