"""Settings of the optimizer, of normalization, and of the trainer as a whole."""

from enum import StrEnum

from pydantic import Field, PositiveFloat, model_validator
from pydantic_core import PydanticCustomError

from diorama.learn.settings.execution import ExecutionSettings, Precision
from diorama.learn.settings.imitation import CloningSettings, KickstartingSettings
from diorama.learn.settings.policy import PolicySettings
from diorama.learn.settings.ppo import PpoSettings
from diorama.learn.settings.schedules import Scheduled, Settings
from diorama.learn.settings.starts import StartMemory, StartsSettings


class RewardScale(StrEnum):
    """The standard deviation that rewards are divided by."""

    NONE = "none"
    REWARD_STD = "reward_std"
    RETURN_STD = "return_std"
    RUNNING_STD = "running_std"


class NormalizationSettings(Settings):
    """Normalization of observations, rewards and values."""

    observations: bool = Field(False, description="normalize float32 entries by running mean and deviation")
    observation_passthrough: tuple[str, ...] = Field(
        (), description="observation fields that are not normalized; patterns such as slot_*[0:11]"
    )
    observation_clip: PositiveFloat = Field(10.0, description="normalized entries are clamped to this magnitude")
    momentum: float | None = Field(
        None, gt=0.0, le=1.0, description="weight of the newest rollout in the statistics; None = equal weights"
    )
    rewards: RewardScale = Field(
        RewardScale.NONE,
        description="divisor of rewards: reward_std and return_std over all rollouts including the current one;"
        " running_std over all rewards so far, in the order of steps and rows",
    )
    counts_failures: bool = Field(
        True, description="whether the rewards of terminating decisions count in the deviation"
    )
    reward_clip: PositiveFloat | None = Field(None, description="normalized rewards are clamped to this magnitude")
    values: bool = Field(False, description="let the critic predict returns divided by their running deviation")


class OptimizerSettings(Settings):
    """Adam."""

    learning_rate: Scheduled = Field(3e-4, description="step size")
    beta1: float = Field(0.9, ge=0.0, lt=1.0, description="decay of the first moment")
    beta2: float = Field(0.999, ge=0.0, lt=1.0, description="decay of the second moment")
    eps: PositiveFloat = Field(1e-5, description="added to the root of the second moment")
    weight_decay: float = Field(0.0, ge=0.0, description="decoupled weight decay, multiplied by the learning rate")
    max_grad_norm: PositiveFloat = Field(0.5, description="gradients with a larger norm are scaled down to it")


class TrainerSettings(Settings):
    """All settings of a trainer."""

    policy: PolicySettings = Field(default_factory=PolicySettings, description="the network")
    ppo: PpoSettings = Field(default_factory=PpoSettings, description="the policy update")
    optimizer: OptimizerSettings = Field(default_factory=OptimizerSettings, description="Adam")
    normalization: NormalizationSettings = Field(default_factory=NormalizationSettings, description="normalization")
    cloning: CloningSettings | None = Field(None, description="imitation of a scripted baseline or a dataset")
    starts: StartsSettings | None = Field(None, description="stored states in which episodes may begin")
    kickstarting: KickstartingSettings | None = Field(
        None,
        description="a loss that pulls the policy towards a teacher on the states it visits itself",
        exclude_if=lambda section: section is None,
    )
    execution: ExecutionSettings = Field(default_factory=ExecutionSettings, description="devices, threads, shards")

    @model_validator(mode="after")
    def _check_together(self) -> "TrainerSettings":
        length = self.ppo.sequence_length
        if length is not None and self.ppo.rollout_steps % length:
            raise PydanticCustomError(
                "sequence_length_indivisible",
                "ppo.sequence_length {length} must divide ppo.rollout_steps {steps}",
                {"length": length, "steps": self.ppo.rollout_steps},
            )
        if self.ppo.vtrace is not None and self.ppo.teacher_share != 0.0:
            raise PydanticCustomError(
                "vtrace_with_teacher", "ppo.vtrace needs decisions of the policy alone; leave ppo.teacher_share at 0"
            )
        if self.kickstarting is not None and self.starts is not None and self.starts.memory is StartMemory.STORED:
            raise PydanticCustomError(
                "stored_memory_with_teacher",
                "starts.memory stored has no memory of the teacher; use empty where there is kickstarting",
            )
        if self.policy.value_components:
            self._check_components()
        if self.execution.precision is Precision.TFLOAT32 and self.execution.is_on_cpu:
            raise PydanticCustomError(
                "precision_needs_gpu", "execution.precision tfloat32 needs a GPU; use float32 on the cpu"
            )
        if self.kickstarting is not None and (not self.execution.is_on_cpu or self.execution.is_pipelined):
            raise PydanticCustomError(
                "kickstarting_needs_cpu",
                "kickstarting asks its teacher where the copies are stepped; use execution.device cpu without"
                " execution.pipeline",
            )
        if self.execution.overlap and not self.execution.is_pipelined:
            raise PydanticCustomError(
                "overlap_needs_pipeline",
                "execution.overlap needs execution.pipeline, which is off on the cpu by default",
            )
        return self

    def _check_components(self) -> None:
        """Refuse what is defined for whole rewards only."""
        unsupported = {
            "ppo.vtrace": self.ppo.vtrace is not None,
            "ppo.failing_rewards": self.ppo.failing_rewards > 0,
            "ppo.diagnosed": self.ppo.diagnosed,
            "normalization.reward_clip": self.normalization.reward_clip is not None,
            "normalization.rewards running_std": self.normalization.rewards is RewardScale.RUNNING_STD,
            "execution.pipeline": self.execution.is_pipelined,
        }
        for name, is_set in unsupported.items():
            if is_set:
                raise PydanticCustomError(
                    "components_unsupported",
                    "policy.value_components cannot be combined with {name}; leave one of them out",
                    {"name": name},
                )
