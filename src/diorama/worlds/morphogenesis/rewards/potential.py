"""The potential of a host's seeds: shaping that pays for progress and takes it back when it is undone."""

from collections.abc import Iterable
from typing import Final

from diorama.worlds.morphogenesis.contracts.stages import SeedStage

STAGE_POTENTIAL: Final[dict[SeedStage, float]] = {
    SeedStage.GERMINATED: 1.0,
    SeedStage.TRAINING: 2.0,
    SeedStage.BLENDING: 3.5,
    SeedStage.HOLDING: 5.5,
    SeedStage.FOSSILIZED: 6.0,
}
"""Potential at the first epoch of a stage, in the order of the lifecycle; every other stage has none."""

PROGRESS_SHARE: Final = 0.75
PROGRESS_EPOCHS: Final = 8
_ORDER: Final = tuple(STAGE_POTENTIAL)


def seed_potential(stage: SeedStage, epochs_in_stage: int) -> float:
    """Return the potential of one slot; it rises with the epochs and never as far as the next stage."""
    if stage not in STAGE_POTENTIAL:
        return 0.0
    here = STAGE_POTENTIAL[stage]
    if stage is SeedStage.FOSSILIZED:
        return here
    following = STAGE_POTENTIAL[_ORDER[_ORDER.index(stage) + 1]]
    return here + PROGRESS_SHARE * (following - here) * min(epochs_in_stage / PROGRESS_EPOCHS, 1.0)


def host_potential(slots: Iterable[tuple[SeedStage, int]], *, after_step: bool = False) -> float:
    """Return the potential of all slots, given as stage and epochs in it.

    After a step every attached seed is counted one epoch on, so that it equals the potential before the next one.
    """
    return sum(seed_potential(stage, epochs + after_step) for stage, epochs in slots)


def shaping(before: float, after: float, *, weight: float, gamma: float) -> float:
    """Return what a step from one potential to the other pays."""
    return weight * (gamma * after - before)
