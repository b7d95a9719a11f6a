"""`/api/runs`: the list of runs, one run, its configuration and its windows."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Response

from diorama.contracts.values import JsonObject
from diorama.runs.catalogue import RunRow
from diorama.runs.documents import Document, RawObject, encode
from diorama.runs.metadata import LatestCheckpoint, LatestWindow
from diorama.server.errors import BROKEN, NOT_FOUND, UNPROCESSABLE, problems, without_root
from diorama.server.json_answers import json_answer, with_list
from diorama.server.models.runs import RunConfig, RunDetail, RunList
from diorama.server.models.windows import WindowList
from diorama.server.parameters import RunId
from diorama.server.reading.windows import ordered_windows
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api/runs", tags=["runs"])


class _Row(Document, frozen=True, kw_only=True):
    run_id: str
    world: str | None = None
    status: str
    trainer_backend: str | None = None
    env_steps_total: int | None = None
    windows_emitted: int | None = None
    checkpoints_written: int | None = None
    latest_window: LatestWindow | None = None
    latest_checkpoint: LatestCheckpoint | None = None
    latest_replay: RawObject | None = None
    replay_count: int
    wandb_run_url: str | None = None
    updated_at: str
    started_at: str | None = None
    finished_at: str | None = None
    tags: tuple[str, ...]
    problem: str | None


@router.get("", response_model=RunList, responses=problems(UNPROCESSABLE))
def runs(
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=500, description="At most so many.")] = 50,
    world: Annotated[str | None, Query(max_length=128, description="Only runs of this world.")] = None,
    search: Annotated[
        str | None, Query(max_length=128, description="Only runs whose id, world, status or tags contain this.")
    ] = None,
    offset: Annotated[int, Query(ge=0, le=1_000_000, description="Leave out so many of the newest.")] = 0,
) -> Response:
    """List the runs, the one that was updated last first."""
    listing = services.runs.catalogue.runs(limit=limit, world=world, search=search, offset=offset)
    rows = [encode(_row(row, services.runs.root)) for row in listing.rows]
    return json_answer(with_list({"count": len(rows), "total": listing.total}, "runs", rows))


@router.get("/{run_id}", response_model=RunDetail, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def run(services: ServicesDep, run_id: RunId) -> Response:
    """Show where a run stands."""
    layout = services.runs.find(run_id)
    answer = {
        "run_id": run_id,
        "metadata": services.runs.metadata(layout),
        "replay_count": len(services.runs.index(layout).entries),
    }
    return json_answer(msgspec.json.encode(answer))


@router.get("/{run_id}/config", response_model=RunConfig, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def run_config(services: ServicesDep, run_id: RunId) -> Response:
    """Show the configuration a run was started with."""
    layout = services.runs.find(run_id)
    answer: RawObject = {
        "run_id": run_id,
        "config_path": layout.relative(layout.config),
        "config": services.runs.config(layout),
    }
    return json_answer(encode(answer))


@router.get(
    "/{run_id}/metrics/windows", response_model=WindowList, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN)
)
def run_windows(
    services: ServicesDep,
    run_id: RunId,
    limit: Annotated[int, Query(ge=1, le=5000, description="At most so many.")] = 200,
    order: Annotated[Literal["asc", "desc"], Query(description="Oldest or newest first.")] = "desc",
) -> Response:
    """Show the windows of a run; none if it has not closed one yet."""
    layout = services.runs.find(run_id)
    windows = ordered_windows(layout)
    page = windows.page(limit, newest_first=order == "desc")
    head: JsonObject = {
        "run_id": run_id,
        "metrics_path": layout.relative(layout.windows),
        "count": len(page.rows),
        "total": len(windows.rows),
        "problem": None if page.problem is None else page.problem.replace(f"{layout.directory}/", ""),
    }
    return json_answer(with_list(head, "windows", page.rows))


def _row(row: RunRow, root: Path) -> _Row:
    problem = None if row.problem is None else without_root(row.problem, root)
    known = row.metadata
    if known is None:
        return _Row(
            run_id=row.run_id,
            status=row.status,
            replay_count=row.replay_count,
            updated_at=row.updated_at,
            tags=row.tags,
            problem=problem,
        )
    return _Row(
        run_id=row.run_id,
        world=known.world,
        status=row.status,
        trainer_backend=known.trainer_backend.value,
        env_steps_total=known.env_steps_total,
        windows_emitted=known.windows_emitted,
        checkpoints_written=known.checkpoints_written,
        latest_window=known.latest_window,
        latest_checkpoint=known.latest_checkpoint,
        latest_replay=known.latest_replay,
        replay_count=row.replay_count,
        wandb_run_url=known.wandb_run_url,
        updated_at=row.updated_at,
        started_at=known.started_at,
        finished_at=known.finished_at,
        tags=row.tags,
        problem=problem,
    )
