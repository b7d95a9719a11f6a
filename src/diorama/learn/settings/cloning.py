"""Settings of learning from demonstrations."""

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, model_validator

from diorama.learn.settings.base import Settings
from diorama.learn.settings.schedules import Scheduled


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
