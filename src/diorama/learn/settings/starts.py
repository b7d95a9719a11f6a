"""Settings of start states: stored states in which episodes begin."""

from enum import StrEnum

from pydantic import Field, PositiveInt, model_validator
from pydantic_core import PydanticCustomError

from diorama.learn.settings.schedules import Ramp, Scheduled, Settings


class StartSource(StrEnum):
    """Where start states come from."""

    DEMONSTRATIONS = "demonstrations"
    REPLAYS = "replays"
    ROLLOUTS = "rollouts"


class StartSampling(StrEnum):
    """How start states are chosen from the library."""

    UNIFORM = "uniform"
    ADVANTAGE = "advantage"


class StartMemory(StrEnum):
    """The recurrent state in which an episode from a start state begins."""

    EMPTY = "empty"
    STORED = "stored"


class StartsSettings(Settings):
    """Stored states in which some episodes of the training begin; evaluation always begins in ordinary ones."""

    sources: tuple[StartSource, ...] = Field(
        (StartSource.ROLLOUTS,),
        min_length=1,
        description="demonstrations = a bot plays before the training; replays = replay files are simulated again"
        " before it; rollouts = the learner's own episodes while it trains",
    )
    bot: str | None = Field(
        None, description="bot that demonstrates; None = the bot of cloning, else the world's own expert"
    )
    decisions: PositiveInt = Field(20_000, description="decisions per seat, over all copies, that the bot demonstrates")
    copies: PositiveInt = Field(8, description="copies the bot plays at once")
    replays: tuple[str, ...] = Field((), description="replay files of the world in the configuration of the run")
    every_decisions: PositiveInt = Field(256, description="decisions of a copy between two states that are stored")
    library_size: PositiveInt = Field(1000, description="most states that are kept")
    library_mib: PositiveInt = Field(256, description="most memory that they take, in MiB")
    ordinary_share: Scheduled = Field(
        0.5, description="share of episodes that begin in an ordinary state of the world (0 to 1)"
    )
    sampling: StartSampling = Field(
        StartSampling.UNIFORM,
        description="uniform, or advantage = in proportion to the mean |advantage| of the decisions after the state",
    )
    fresh_seed: bool = Field(
        True, description="draw what happens after a start from a new seed; false = from that of the stored state"
    )
    memory: StartMemory = Field(
        StartMemory.EMPTY,
        description="recurrent state at a start: empty, or stored = the one the policy had in the rollout the state is"
        " of; then the decisions up to the next sequence are not learned from",
    )
    initial: bool = Field(True, description="let the first episode of every copy begin in such states, too")

    @property
    def is_filled_before(self) -> bool:
        """Whether there are states before the training begins."""
        return any(source is not StartSource.ROLLOUTS for source in self.sources)

    @model_validator(mode="after")
    def _check(self) -> "StartsSettings":
        share = self.ordinary_share
        largest = max(share.start, share.end) if isinstance(share, Ramp) else share
        if largest > 1.0:
            raise PydanticCustomError(
                "ordinary_share_above_one", "ordinary_share is {share}; use 0 to 1", {"share": f"{largest:g}"}
            )
        if (StartSource.REPLAYS in self.sources) != bool(self.replays):
            raise PydanticCustomError(
                "replays_go_together", "sources names replays where, and only where, replays lists their files"
            )
        if self.bot is not None and StartSource.DEMONSTRATIONS not in self.sources:
            raise PydanticCustomError("bot_needs_demonstrations", "bot needs demonstrations among the sources")
        if self.memory is StartMemory.STORED and StartSource.ROLLOUTS not in self.sources:
            raise PydanticCustomError(
                "stored_memory_needs_rollouts", "memory stored needs rollouts among the sources; others have none"
            )
        return self
