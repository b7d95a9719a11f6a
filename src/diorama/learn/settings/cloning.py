"""Settings of learning from demonstrations."""

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from diorama.learn.settings.base import Settings
from diorama.learn.settings.schedules import Scheduled


class DisturbanceSettings(Settings):
    """Pushes the bot off its way, so that it shows how to come back; what is imitated is what it wanted to do."""

    share: float = Field(0.2, gt=0.0, lt=1.0, description="share of the time in which the bot is pushed")
    steps: PositiveInt = Field(16, description="decisions a push lasts")
    heads: tuple[str, ...] = Field(min_length=1, description="heads whose option is drawn instead")


class CloningSettings(Settings):
    """Behavior cloning before PPO, and how its pull fades afterwards."""

    bot: str = Field(description="scripted baseline that shows how it is done")
    decisions: PositiveInt = Field(100_000, description="demonstrated decisions to gather")
    copies: PositiveInt = Field(64, description="copies the bot plays at once")
    disturbance: DisturbanceSettings | None = Field(None, description="pushes while the bot plays; None = never")
    epochs: PositiveInt = Field(10, description="passes over the demonstrations")
    minibatch_rows: PositiveInt = Field(4096, description="decisions per optimizer step")
    learning_rate: PositiveFloat = Field(1e-3, description="of the warm-up")
    value_coef: NonNegativeFloat = Field(0.5, description="weight of the critic's squared error to the bot's returns")
    anneal: Scheduled = Field(0.0, description="weight of the cloning loss beside PPO's")
    anneal_rows: PositiveInt = Field(2048, description="demonstrated decisions beside each PPO minibatch")
