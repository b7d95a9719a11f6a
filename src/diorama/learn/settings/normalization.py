"""Settings of what is brought to scale before it is learned from; everything is off unless asked for."""

from enum import StrEnum

from pydantic import Field, PositiveFloat

from diorama.learn.settings.base import Settings


class RewardScale(StrEnum):
    """What rewards are divided by."""

    NONE = "none"
    REWARD_STD = "reward_std"
    RETURN_STD = "return_std"
    RUNNING_STD = "running_std"


class NormalizationSettings(Settings):
    """Observations, rewards and values."""

    observations: bool = Field(False, description="shift and scale every float32 entry by running statistics")
    observation_passthrough: tuple[str, ...] = Field(
        (), description="observation fields left as they are; with * and entries, as in slot_*[0:11]"
    )
    observation_clip: PositiveFloat = Field(10.0, description="normalized entries are clamped to this magnitude")
    momentum: float | None = Field(
        None, gt=0.0, le=1.0, description="weight of the newest rollout in the statistics; None = all rollouts alike"
    )
    rewards: RewardScale = Field(
        RewardScale.NONE,
        description="what rewards are divided by: reward_std and return_std of all rollouts, this one included;"
        " running_std of the rewards of the run up to each, in the order of steps and rows",
    )
    counts_failures: bool = Field(
        True, description="whether rewards of decisions that end an episode by the rules count in the deviation"
    )
    reward_clip: PositiveFloat | None = Field(None, description="learned-from rewards are clamped to this magnitude")
    values: bool = Field(False, description="let the critic predict returns in units of their running deviation")
