"""The thirteen blueprints by index, and which topology can grow which."""

from enum import IntEnum
from typing import Final, Literal

Topology = Literal["cnn", "transformer"]
TOPOLOGIES: Final[tuple[Topology, ...]] = ("cnn", "transformer")


class BlueprintAction(IntEnum):
    """Index of a blueprint in the action and in the policy's embedding."""

    NOOP = 0
    CONV_LIGHT = 1
    ATTENTION = 2
    NORM = 3
    DEPTHWISE = 4
    BOTTLENECK = 5
    CONV_SMALL = 6
    CONV_HEAVY = 7
    LORA = 8
    LORA_LARGE = 9
    MLP_SMALL = 10
    MLP = 11
    FLEX_ATTENTION = 12

    @property
    def blueprint_id(self) -> str:
        """Lower-case id, as events and registries spell it."""
        return self.name.lower()


NUM_BLUEPRINTS: Final = len(BlueprintAction)
NULL_BLUEPRINT_INDEX: Final = NUM_BLUEPRINTS
"""Embedding row of an empty slot."""

CNN_BLUEPRINTS: Final = (
    BlueprintAction.CONV_LIGHT,
    BlueprintAction.ATTENTION,
    BlueprintAction.NORM,
    BlueprintAction.DEPTHWISE,
    BlueprintAction.BOTTLENECK,
    BlueprintAction.CONV_SMALL,
    BlueprintAction.CONV_HEAVY,
)
TRANSFORMER_BLUEPRINTS: Final = (
    BlueprintAction.ATTENTION,
    BlueprintAction.NORM,
    BlueprintAction.LORA,
    BlueprintAction.LORA_LARGE,
    BlueprintAction.MLP_SMALL,
    BlueprintAction.MLP,
    BlueprintAction.FLEX_ATTENTION,
)
TOPOLOGY_BLUEPRINTS: Final[dict[Topology, tuple[BlueprintAction, ...]]] = {
    "cnn": CNN_BLUEPRINTS,
    "transformer": TRANSFORMER_BLUEPRINTS,
}
"""What can be planted in each topology; NOOP never."""
