"""Settings of cloning and of annealing from a teacher."""

from enum import StrEnum
from typing import Final

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from diorama.learn.settings.schedules import Scheduled, Settings


class DisturbanceSettings(Settings):
    """Pushes the bot off its way, so that it shows how to come back; what is imitated is what it wanted to do."""

    share: float = Field(0.2, gt=0.0, lt=1.0, description="share of the time in which the bot is pushed")
    steps: PositiveInt = Field(16, description="decisions a push lasts")
    heads: tuple[str, ...] = Field(min_length=1, description="heads whose option is drawn instead")


class GateSettings(Settings):
    """What a clone must reach on episodes that were held out, before anything is built on it."""

    accuracy: float = Field(0.9, ge=0.0, le=1.0, description="least share of decisions that are the teacher's")
    recall: float = Field(0.7, ge=0.0, le=1.0, description="least share of it among the decisions for each option")
    recall_decisions: PositiveInt = Field(50, description="options held out less often than this are not asked about")
    value_error: NonNegativeFloat = Field(0.2, description="most squared error of values, over the returns' variance")


class CloningSettings(Settings):
    """Behavior cloning before PPO, and how its pull fades afterwards; from a bot that plays, or from a dataset."""

    bot: str | None = Field(None, description="scripted baseline that shows how it is done")
    dataset: str | None = Field(None, description="folder of a dataset to learn from instead")
    holdout: float = Field(0.1, gt=0.0, lt=1.0, description="share of a dataset's episodes that is only judged by")
    gate: GateSettings | None = Field(None, description="what a clone of a dataset must reach; None = anything goes")
    decisions: PositiveInt = Field(100_000, description="demonstrated decisions to gather")
    copies: PositiveInt = Field(64, description="copies the bot plays at once")
    disturbance: DisturbanceSettings | None = Field(None, description="pushes while the bot plays; None = never")
    rounds: PositiveInt = Field(
        1, description="how often a bot is asked; from the second time on about what the clone itself gets into"
    )
    epochs: PositiveInt = Field(10, description="passes over the demonstrations")
    minibatch_rows: PositiveInt = Field(4096, description="decisions per optimizer step")
    learning_rate: PositiveFloat = Field(1e-3, description="of the warm-up")
    value_coef: NonNegativeFloat = Field(0.5, description="weight of the critic's squared error to the bot's returns")
    value_tail: float = Field(
        0.0,
        ge=0.0,
        lt=1.0,
        description="a bot's return counts as known once what a cut-off episode keeps back weighs less than this",
    )
    anneal: Scheduled = Field(0.0, description="weight of the cloning loss beside PPO's")
    anneal_rows: PositiveInt = Field(2048, description="demonstrated decisions beside each PPO minibatch")

    @model_validator(mode="after")
    def _check(self) -> "CloningSettings":
        if (self.bot is None) == (self.dataset is None):
            raise ValueError("name either a bot or a dataset to learn from")
        if self.rounds > 1 and (self.bot is None or self.anneal != 0.0):
            raise ValueError("several rounds need a bot to ask, and leave nothing that could go on pulling: no anneal")
        if self.gate is not None and self.dataset is None:
            raise ValueError("a gate judges by episodes held out of a dataset; name one")
        return self

    @property
    def teacher(self) -> str:
        """Who shows how it is done, as a message calls it."""
        return self.bot or f"the dataset {self.dataset}"


_BC_WEIGHT: Final = {"bc": 1.0, "ppo": 0.0}


class AnnealMode(StrEnum):
    """What a stage does: imitate and be judged, or learn by PPO."""

    BC = "bc"
    PPO = "ppo"


class AnnealStageSettings(Settings):
    """One stage of the schedule."""

    cycle: NonNegativeInt = Field(description="place in the schedule; stages are taken by ascending cycle")
    mode: AnnealMode = Field(description="bc imitates the dataset and must pass its gate, ppo trains")
    epochs: PositiveInt = Field(1, description="passes over the dataset, or cycles of rollout and update")
    bc_weight: NonNegativeFloat | None = Field(
        None, description="weight of the cloning loss beside PPO's; None = 0 (in a bc stage it is the only loss)"
    )
    ratio: float | None = Field(
        None, ge=0.0, le=1.0, description="share of decisions the policy takes; None = between start and end"
    )

    @model_validator(mode="after")
    def _check(self) -> "AnnealStageSettings":
        if self.mode is AnnealMode.BC and self.ratio is not None:
            raise ValueError("nobody decides anything in a bc stage; leave out its ratio")
        if self.mode is AnnealMode.BC and self.bc_weight == 0.0:
            raise ValueError("a bc stage with bc_weight 0 learns nothing; leave it out")
        return self

    @property
    def cloning_weight(self) -> float:
        """Weight of the cloning loss in this stage."""
        return _BC_WEIGHT[self.mode] if self.bc_weight is None else self.bc_weight


class AnnealSettings(Settings):
    """The schedule, and when it stops handing over."""

    stages: tuple[AnnealStageSettings, ...] = Field(min_length=1, description="at least one of them by ppo")
    accuracy_threshold: float = Field(
        0.9, ge=0.0, le=1.0, description="least share of held-out decisions that are the teacher's, after a bc stage"
    )
    start_ratio: float = Field(0.2, ge=0.0, le=1.0, description="ratio of the first ppo stage that has none")
    end_ratio: float = Field(1.0, ge=0.0, le=1.0, description="ratio of the last ppo stage that has none")
    freeze_drop: float = Field(
        0.3, ge=0.0, le=1.0, description="a key figure that falls by more than this share freezes the ratio"
    )

    @model_validator(mode="after")
    def _check(self) -> "AnnealSettings":
        if all(stage.mode is AnnealMode.BC for stage in self.stages):
            raise ValueError("anneal.stages: there is no ppo stage; use cloning alone to imitate")
        return self

    @property
    def in_order(self) -> tuple[AnnealStageSettings, ...]:
        """The stages by cycle; those of one cycle as they stand."""
        return tuple(sorted(self.stages, key=lambda stage: stage.cycle))

    @property
    def cycles(self) -> int:
        """Cycles of rollout and update of all ppo stages together."""
        return sum(stage.epochs for stage in self.stages if stage.mode is AnnealMode.PPO)

    @property
    def needs_demonstrations(self) -> bool:
        """Whether any stage imitates."""
        return any(stage.cloning_weight > 0.0 for stage in self.stages)

    @property
    def ratios(self) -> tuple[float | None, ...]:
        """For every stage in order the share of decisions the policy takes; None for bc stages."""
        ordered = self.in_order
        places = [place for place, stage in enumerate(ordered) if stage.mode is AnnealMode.PPO]
        ratios: list[float | None] = [None] * len(ordered)
        for turn, place in enumerate(places):
            share = turn / (len(places) - 1) if len(places) > 1 else 1.0
            given = ordered[place].ratio
            ratios[place] = self.start_ratio + (self.end_ratio - self.start_ratio) * share if given is None else given
        return tuple(ratios)
