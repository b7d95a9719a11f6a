"""The stages of a seed and the transitions between them."""

from enum import IntEnum
from typing import Final

NUM_STAGES: Final = 10
STAGE_SCHEMA_VERSION: Final = 1


class SeedStage(IntEnum):
    """Where a seed stands in its life. The value 5 is reserved, so that `SeedStage(5)` raises."""

    UNKNOWN = 0
    DORMANT = 1
    GERMINATED = 2
    TRAINING = 3
    BLENDING = 4
    HOLDING = 6
    FOSSILIZED = 7
    PRUNED = 8
    EMBARGOED = 9
    RESETTING = 10


STAGE_TO_ONE_HOT: Final[dict[SeedStage, int]] = {stage: index for index, stage in enumerate(SeedStage)}
"""Column of each stage in the one-hot of the observation, 0 to 9."""

VALID_TRANSITIONS: Final[dict[SeedStage, tuple[SeedStage, ...]]] = {
    SeedStage.UNKNOWN: (SeedStage.DORMANT,),
    SeedStage.DORMANT: (SeedStage.GERMINATED,),
    SeedStage.GERMINATED: (SeedStage.TRAINING, SeedStage.PRUNED),
    SeedStage.TRAINING: (SeedStage.BLENDING, SeedStage.PRUNED),
    SeedStage.BLENDING: (SeedStage.HOLDING, SeedStage.PRUNED),
    SeedStage.HOLDING: (SeedStage.FOSSILIZED, SeedStage.BLENDING, SeedStage.PRUNED),
    SeedStage.FOSSILIZED: (),
    SeedStage.PRUNED: (SeedStage.EMBARGOED,),
    SeedStage.EMBARGOED: (SeedStage.RESETTING,),
    SeedStage.RESETTING: (SeedStage.DORMANT,),
}

ATTACHED_STAGES: Final = frozenset(
    {SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED}
)
"""A module sits in the slot."""

CONTRIBUTING_STAGES: Final = frozenset({SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED})
"""The module lies on the path to the output."""

COOLING_STAGES: Final = frozenset({SeedStage.PRUNED, SeedStage.EMBARGOED, SeedStage.RESETTING})
"""The module is gone and the slot is not yet free."""


def is_valid_transition(start: SeedStage, end: SeedStage) -> bool:
    """Say whether a seed may go from one stage straight to the other."""
    return end in VALID_TRANSITIONS[start]


def is_attached(stage: SeedStage) -> bool:
    """Say whether a module sits in a slot of this stage."""
    return stage in ATTACHED_STAGES


def is_contributing(stage: SeedStage) -> bool:
    """Say whether a seed of this stage lies on the path to the output."""
    return stage in CONTRIBUTING_STAGES


def next_stage(stage: SeedStage) -> SeedStage | None:
    """Return where ADVANCE leads by default: the first target that is no failure; none for a terminal stage."""
    targets = (target for target in VALID_TRANSITIONS[stage] if target is not SeedStage.PRUNED)
    return next(targets, None)
