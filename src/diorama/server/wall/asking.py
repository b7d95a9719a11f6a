"""What a wall is asked to show, and by whom it is played."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, Json, JsonValue, StrictBool, StrictInt

from diorama.engine.players import Contender
from diorama.engine.venue import Venue, open_foreign_venue
from diorama.server.errors import BadValue
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.setting import contender_named, public_venue
from diorama.server.reading.shelf import RunShelf
from diorama.training.random_play import random_contender
from diorama.worlds.registry import load_world

RANDOM: Final = "random"

Rate = Annotated[float, Field(ge=0.1, le=60.0)]


class WallQuestion(BaseModel):
    """The query of a wall's socket.

    Attributes:
        world: Whose copies are shown.
        copies: How many.
        player: `random`, a bot of the world, or a run whose newest policy plays, in the configuration of the run.
        rate: Decisions a second.
        seed: Of the first copy; the next one has the next.
        config: The world's own configuration as JSON.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    world: str = Field(max_length=128)
    copies: int = Field(default=64, ge=1)
    player: str = Field(default=RANDOM, min_length=1, max_length=128)
    rate: Rate = 10.0
    seed: int = Field(default=0, ge=0, lt=1 << 32)
    config: Json[dict[str, JsonValue]] | None = None


class WallCommand(BaseModel):
    """What a client sends; every field may be left out. `lane` is the copy to show beside the wall, -1 for none."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    seen: Annotated[StrictInt, Field(ge=0, lt=1 << 32)] | None = None
    rate: Rate | None = None
    paused: StrictBool | None = None
    lane: Annotated[StrictInt, Field(ge=-1)] | None = None


def find_cast(question: WallQuestion, runs: RunShelf, shelf: PolicyShelf) -> tuple[Venue, Contender]:
    """Return where is played and who plays.

    Raises:
        UnknownName: There is no such world, bot or run, or the run has no policy.
        BadValue: The configuration is wrong, or is given beside a run.
        ConfigError: The run's own configuration is wrong, or names a module or a file that is not allowed.
    """
    world = load_world(question.world)
    if question.player == RANDOM and RANDOM not in world.bots:
        return public_venue(world, question.config, runs.files), random_contender(RANDOM)
    if question.player in world.bots:
        venue = public_venue(world, question.config, runs.files)
        return venue, contender_named(shelf, venue, question.player)
    if question.config is not None:
        raise BadValue(f"config: a run plays in its own configuration; leave it out beside player={question.player!r}")
    stored = runs.config(runs.find(question.player)).get("config")
    given = stored if isinstance(stored, dict) else {}
    venue = open_foreign_venue(world.id, given, f"run {question.player!r}", files=runs.files)
    return venue, shelf.newest(question.player, venue.spec).contender(deterministic=False)
