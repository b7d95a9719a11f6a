"""`Guidance`: what whoever conducts a run asks of an update, where the schedules of the settings cannot know it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """How one update is led.

    Attributes:
        teacher_share: Share of decisions that the world's own controller takes.
        cloning_weight: Weight of the cloning loss beside PPO's.
    """

    teacher_share: float
    cloning_weight: float
