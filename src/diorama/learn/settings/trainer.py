"""Settings of the optimizer, of normalization, and of a whole trainer."""

from enum import StrEnum

from pydantic import Field, PositiveFloat, model_validator

from diorama.learn.settings.execution import ExecutionSettings, Precision
from diorama.learn.settings.imitation import CloningSettings
from diorama.learn.settings.policy import PolicySettings
from diorama.learn.settings.ppo import PpoSettings
from diorama.learn.settings.schedules import Scheduled, Settings


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


class OptimizerSettings(Settings):
    """Adam."""

    learning_rate: Scheduled = Field(3e-4, description="step size")
    beta1: float = Field(0.9, ge=0.0, lt=1.0, description="decay of the mean gradient")
    beta2: float = Field(0.999, ge=0.0, lt=1.0, description="decay of the mean squared gradient")
    eps: PositiveFloat = Field(1e-5, description="added to the root of the mean squared gradient")
    weight_decay: float = Field(0.0, ge=0.0, description="share of a weight removed per step, times the learning rate")
    max_grad_norm: PositiveFloat = Field(0.5, description="longer gradients are scaled down to this norm")


class TrainerSettings(Settings):
    """How a policy is trained."""

    policy: PolicySettings = Field(default_factory=PolicySettings, description="the network")
    ppo: PpoSettings = Field(default_factory=PpoSettings, description="the policy update")
    optimizer: OptimizerSettings = Field(default_factory=OptimizerSettings, description="Adam")
    normalization: NormalizationSettings = Field(default_factory=NormalizationSettings, description="bringing to scale")
    cloning: CloningSettings | None = Field(None, description="warm-up from a scripted baseline")
    execution: ExecutionSettings = Field(default_factory=ExecutionSettings, description="devices, threads, portions")

    @model_validator(mode="after")
    def _check_together(self) -> "TrainerSettings":
        length = self.ppo.sequence_length
        if length is not None and self.ppo.rollout_steps % length:
            raise ValueError(f"ppo.sequence_length {length} must divide ppo.rollout_steps {self.ppo.rollout_steps}")
        if self.ppo.vtrace is not None and self.ppo.teacher_share != 0.0:
            raise ValueError("ppo.vtrace corrects for the policy's own decisions; leave ppo.teacher_share at 0")
        if self.execution.precision is Precision.TFLOAT32 and self.execution.is_on_cpu:
            raise ValueError("execution.precision tfloat32 needs a GPU; use float32 on the cpu")
        if self.execution.overlap and not self.execution.is_pipelined:
            raise ValueError(
                "execution.overlap needs execution.pipeline, which is off on the cpu unless it is asked for"
            )
        return self
