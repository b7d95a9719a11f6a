"""The whole of the settings."""

from pydantic import Field, PositiveFloat, model_validator

from diorama.learn.settings.base import Settings
from diorama.learn.settings.cloning import CloningSettings
from diorama.learn.settings.execution import ExecutionSettings, Precision
from diorama.learn.settings.normalization import NormalizationSettings
from diorama.learn.settings.policy import PolicySettings
from diorama.learn.settings.ppo import PpoSettings
from diorama.learn.settings.schedules import Scheduled


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
