"""`/api/scoreboard`: everyone of a world on the same seeds."""

from typing import Annotated

from fastapi import APIRouter, Path

from diorama.server.errors import BROKEN, NOT_FOUND, TOO_MANY, UNPROCESSABLE, problems
from diorama.server.models.scoreboard import Scoreboard
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api/scoreboard", tags=["scoreboard"])

_World = Annotated[str, Path(max_length=128, description="World id.")]


@router.get("/{world}", name="scoreboard", responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def scoreboard(services: ServicesDep, world: _World) -> Scoreboard:
    """Return the stored results of every player, without playing any episode."""
    return services.scoreboards.read(world)


@router.post("/{world}/evaluation", responses=problems(NOT_FOUND, UNPROCESSABLE, TOO_MANY, BROKEN))
def evaluate_scoreboard(services: ServicesDep, world: _World) -> Scoreboard:
    """Let those play who have not, in the background; ask for the scoreboard again to see how far they are."""
    return services.scoreboards.start(world)
