"""The Weights & Biases proxy."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from diorama.server.errors import BadValue, problems
from diorama.server.models.wandb import (
    IterationView,
    LatestTrackedRuns,
    TrackedHistory,
    TrackedSummary,
    TrackerStatus,
)
from diorama.server.parameters import ID_PATTERN
from diorama.server.services import ServicesDep
from diorama.server.tracker.questions import MAX_KEYS, HistoryQuestion, Scope

router = APIRouter(prefix="/api/wandb", tags=["wandb"])

_SCOPE_PATTERN = r"^[A-Za-z0-9_\-][A-Za-z0-9._\-]{0,127}$"
TrackedRunId = Annotated[str, Path(pattern=ID_PATTERN, description="Id of the run at the tracker.")]
Entity = Annotated[str | None, Query(pattern=_SCOPE_PATTERN, description="User or team; the server's if left out.")]
Project = Annotated[str | None, Query(pattern=_SCOPE_PATTERN, description="Project; the server's if left out.")]
Keys = Annotated[
    str | None, Query(max_length=4096, description=f"Names of columns, separated by commas, at most {MAX_KEYS}.")
]
MaxPoints = Annotated[int, Query(ge=1, le=5000, description="At most so many rows, evenly spread.")]


@router.get("/status")
async def get_tracker_status(services: ServicesDep) -> TrackerStatus:
    """Say whether the tracker can be asked, why not, and how its cache serves."""
    return await services.tracker.status()


@router.get("/runs/latest", responses=problems(400, 422, 502, 503))
async def list_tracked_runs(
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    entity: Entity = None,
    project: Project = None,
) -> LatestTrackedRuns:
    """List the newest runs of a project."""
    return await services.tracker.latest(Scope(entity=entity, project=project), limit)


@router.get("/runs/{run_id}/summary", responses=problems(400, 404, 422, 502, 503))
async def get_tracked_summary(
    services: ServicesDep, run_id: TrackedRunId, entity: Entity = None, project: Project = None
) -> TrackedSummary:
    """Return configuration and summary of a run."""
    return await services.tracker.summary(Scope(entity=entity, project=project), run_id)


@router.get("/runs/{run_id}/history", responses=problems(400, 404, 422, 502, 503))
async def get_tracked_history(
    services: ServicesDep,
    run_id: TrackedRunId,
    keys: Keys = None,
    max_points: MaxPoints = 1000,
    entity: Entity = None,
    project: Project = None,
) -> TrackedHistory:
    """Return the logged rows of a run."""
    question = HistoryQuestion(run_id=run_id, keys=_split(keys), max_points=max_points)
    return await services.tracker.history(Scope(entity=entity, project=project), question)


@router.get("/runs/{run_id}/iteration-view", responses=problems(400, 404, 422, 502, 503))
async def get_iteration_view(
    services: ServicesDep,
    run_id: TrackedRunId,
    keys: Keys = None,
    max_points: MaxPoints = 1000,
    entity: Entity = None,
    project: Project = None,
) -> IterationView:
    """Return a run, the rows of its windows and its newest figures."""
    question = HistoryQuestion(run_id=run_id, keys=_split(keys), max_points=max_points)
    return await services.tracker.iteration_view(Scope(entity=entity, project=project), question)


def _split(keys: str | None) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(part.strip() for part in (keys or "").split(",") if part.strip()))
    if len(named) > MAX_KEYS:
        raise BadValue(f"keys names {len(named)} columns; ask for at most {MAX_KEYS}")
    return named
