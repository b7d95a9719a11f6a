"""Settings of behavior cloning and of annealing from an expert to the policy."""

from enum import StrEnum
from typing import Final

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, model_validator
from pydantic_core import PydanticCustomError

from diorama.learn.settings.schedules import Ramp, Scheduled, Settings, value_at


class ActionNoiseSettings(Settings):
    """Random actions while the bot plays, so that it demonstrates how to recover; labels stay the bot's own actions."""

    share: float = Field(0.2, gt=0.0, lt=1.0, description="share of the intervals with random actions")
    steps: PositiveInt = Field(16, description="decisions per interval")
    heads: tuple[str, ...] = Field(min_length=1, description="heads whose option is drawn at random")


class GateSettings(Settings):
    """Requirements on a clone, measured on held-out episodes."""

    accuracy: float = Field(0.9, ge=0.0, le=1.0, description="least share of decisions that agree with the expert")
    recall: float = Field(
        0.7, ge=0.0, le=1.0, description="least share of each option's demonstrations that the clone agrees with"
    )
    recall_decisions: PositiveInt = Field(50, description="options with fewer held-out demonstrations need no recall")
    value_error: NonNegativeFloat = Field(
        0.2, description="largest squared error of the values, over the variance of returns"
    )


class CloningSettings(Settings):
    """Behavior cloning before PPO and as an auxiliary loss beside it, from a bot or from a dataset."""

    bot: str | None = Field(None, description="scripted baseline to imitate")
    dataset: str | None = Field(None, description="folder of a dataset to imitate instead")
    holdout: float = Field(0.1, gt=0.0, lt=1.0, description="share of a dataset's episodes that is held out")
    gate: GateSettings | None = Field(None, description="requirements on a clone of a dataset; None = none")
    decisions: PositiveInt = Field(100_000, description="demonstrated decisions to record")
    copies: PositiveInt = Field(64, description="copies the bot plays at once")
    disturbance: ActionNoiseSettings | None = Field(None, description="random actions while the bot plays; None = none")
    rounds: PositiveInt = Field(
        1, description="DAgger rounds of the bot; from the second one on the clone acts and the bot labels"
    )
    epochs: PositiveInt = Field(10, description="passes over the demonstrations")
    minibatch_rows: PositiveInt = Field(4096, description="decisions per optimizer step")
    learning_rate: PositiveFloat = Field(1e-3, description="learning rate of pretraining")
    value_coef: NonNegativeFloat = Field(0.5, description="weight of the squared error of the values")
    value_tail: float = Field(
        0.0,
        ge=0.0,
        lt=1.0,
        description="returns of a cut-off episode count once the rewards after the cut are discounted below this",
    )
    anneal: Scheduled = Field(0.0, description="weight of the cloning loss in PPO updates")
    anneal_rows: PositiveInt = Field(2048, description="demonstrated decisions per PPO minibatch")

    @model_validator(mode="after")
    def _check(self) -> "CloningSettings":
        if (self.bot is None) == (self.dataset is None):
            raise PydanticCustomError("bot_or_dataset_needed", "name either a bot or a dataset to imitate")
        if self.rounds > 1 and (self.bot is None or self.anneal != 0.0):
            raise PydanticCustomError(
                "rounds_need_bot", "rounds above 1 need a bot, and cannot be combined with anneal"
            )
        if self.gate is not None and self.dataset is None:
            raise PydanticCustomError(
                "gate_needs_dataset", "a gate needs held-out episodes of a dataset; name a dataset"
            )
        return self

    @property
    def teacher(self) -> str:
        """Name of the expert in messages."""
        return self.bot or f"the dataset {self.dataset}"


class KickstartingSettings(Settings):
    """A loss beside PPO's that pulls the policy towards a teacher on the states that the policy itself visits."""

    teacher: str = Field(
        min_length=1,
        description="scripted baseline, or champion/WORLD, run directory or checkpoint of a policy, to learn from",
    )
    weight: Scheduled = Field(
        1.0,
        description="weight of the cross-entropy against the teacher's choice, or against the distribution of a policy;"
        " the teacher is not asked any more once the weight has come down to 0",
    )

    def asks_at(self, env_steps: int) -> bool:
        """Whether the teacher is asked after this many env steps of the run."""
        last = self.weight.end if isinstance(self.weight, Ramp) else self.weight
        return last > 0.0 or value_at(self.weight, env_steps) > 0.0


_BC_WEIGHT: Final = {"bc": 1.0, "ppo": 0.0}


class AnnealMode(StrEnum):
    """Kind of a stage: behavior cloning, or PPO."""

    BC = "bc"
    PPO = "ppo"


class AnnealStageSettings(Settings):
    """One stage of the schedule."""

    cycle: NonNegativeInt = Field(description="position in the schedule; stages run in ascending order")
    mode: AnnealMode = Field(description="bc clones the dataset and must pass the gate; ppo trains")
    epochs: PositiveInt = Field(1, description="passes over the dataset (bc), or rollouts with an update (ppo)")
    bc_weight: NonNegativeFloat | None = Field(
        None,
        description="weight of the cloning loss; None = 0 in a ppo stage, 1 in a bc stage, where it is the only loss",
    )
    ratio: float | None = Field(
        None, ge=0.0, le=1.0, description="share of decisions that the policy takes; None = interpolated"
    )

    @model_validator(mode="after")
    def _check(self) -> "AnnealStageSettings":
        if self.mode is AnnealMode.BC and self.ratio is not None:
            raise PydanticCustomError("bc_stage_with_ratio", "a bc stage takes no decisions; leave out its ratio")
        if self.mode is AnnealMode.BC and self.bc_weight == 0.0:
            raise PydanticCustomError(
                "bc_stage_without_weight", "a bc stage with bc_weight 0 learns nothing; leave the stage out"
            )
        return self

    @property
    def cloning_weight(self) -> float:
        """Weight of the cloning loss in this stage."""
        return _BC_WEIGHT[self.mode] if self.bc_weight is None else self.bc_weight


class AnnealSettings(Settings):
    """Schedule that hands decisions over from the expert to the policy."""

    stages: tuple[AnnealStageSettings, ...] = Field(min_length=1, description="stages; at least one is ppo")
    accuracy_threshold: float = Field(
        0.9, ge=0.0, le=1.0, description="least agreement with held-out decisions after a bc stage"
    )
    start_ratio: float = Field(0.2, ge=0.0, le=1.0, description="ratio of the first ppo stage, unless it sets its own")
    end_ratio: float = Field(1.0, ge=0.0, le=1.0, description="ratio of the last ppo stage, unless it sets its own")
    freeze_drop: float = Field(
        0.3, ge=0.0, le=1.0, description="a key figure that falls by more than this share freezes the ratio"
    )

    @model_validator(mode="after")
    def _check(self) -> "AnnealSettings":
        if all(stage.mode is AnnealMode.BC for stage in self.stages):
            raise PydanticCustomError(
                "anneal_without_ppo", "anneal.stages has no ppo stage; use the cloning section alone to imitate"
            )
        return self

    @property
    def in_order(self) -> tuple[AnnealStageSettings, ...]:
        """The stages by cycle; stages of the same cycle keep their order."""
        return tuple(sorted(self.stages, key=lambda stage: stage.cycle))

    @property
    def cycles(self) -> int:
        """Number of rollouts with an update, in all ppo stages."""
        return sum(stage.epochs for stage in self.stages if stage.mode is AnnealMode.PPO)

    @property
    def needs_demonstrations(self) -> bool:
        """Whether any stage uses the cloning loss."""
        return any(stage.cloning_weight > 0.0 for stage in self.stages)

    @property
    def ratios(self) -> tuple[float | None, ...]:
        """For each stage in order, the share of decisions that the policy takes; None for bc stages."""
        ordered = self.in_order
        ppo_stages = [index for index, stage in enumerate(ordered) if stage.mode is AnnealMode.PPO]
        ratios: list[float | None] = [None] * len(ordered)
        for number, index in enumerate(ppo_stages):
            share = number / (len(ppo_stages) - 1) if len(ppo_stages) > 1 else 1.0
            given = ordered[index].ratio
            ratios[index] = self.start_ratio + (self.end_ratio - self.start_ratio) * share if given is None else given
        return tuple(ratios)
