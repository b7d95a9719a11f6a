"""Settings of handing a town over from the scripted controller to a policy, stage by stage."""

from enum import StrEnum
from typing import Final

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt, model_validator

from diorama.learn.settings.base import Settings

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
