"""How complete the record of a run is."""

from typing import Annotated

from fastapi import APIRouter, Query

from diorama.server.completeness.question import CompletenessQuestion
from diorama.server.errors import problems
from diorama.server.models.completeness import Completeness
from diorama.server.parameters import ID_PATTERN, RunId
from diorama.server.services import ServicesDep
from diorama.server.tracker.questions import Scope

router = APIRouter(prefix="/api/runs", tags=["runs"])

_Name = Annotated[str | None, Query(pattern=ID_PATTERN)]


@router.get("/{run_id}/analytics/completeness", responses=problems(400, 404, 422))
async def get_completeness(
    services: ServicesDep,
    run_id: RunId,
    stale_after_seconds: Annotated[int, Query(ge=60, le=604_800)] = 21_600,
    wandb_run_id: _Name = None,
    wandb_entity: _Name = None,
    wandb_project: _Name = None,
    wandb_history_max_points: Annotated[int, Query(ge=1, le=5000)] = 1000,
) -> Completeness:
    """Say which sources of analytics a run has, how fresh they are and where they come from."""
    question = CompletenessQuestion(
        run_id=run_id,
        stale_after_seconds=stale_after_seconds,
        tracked_run_id=wandb_run_id,
        scope=Scope(entity=wandb_entity, project=wandb_project),
        history_max_points=wandb_history_max_points,
    )
    return await services.completeness.assess(question)
