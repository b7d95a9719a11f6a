"""`/api/runs/{run_id}/replays`: the replays of a run, and what is known about one."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Response

from diorama.engine.venue import open_foreign_venue
from diorama.runs.documents import encode
from diorama.runs.replays.index import ReplayFilter
from diorama.server.descriptors import descriptor
from diorama.server.errors import BAD_REQUEST, BROKEN, NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer, with_list
from diorama.server.models.replays import ReplayDetail, ReplayList
from diorama.server.models.worlds import WorldDescriptor
from diorama.server.parameters import ReplayId, RunId
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api/runs/{run_id}/replays", tags=["replays"])


@router.get("", response_model=ReplayList, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def replays(
    services: ServicesDep,
    run_id: RunId,
    tag: Annotated[str | None, Query(max_length=256, description="Only with this tag.")] = None,
    tags_any: Annotated[str | None, Query(max_length=1024, description="Only with one of these; CSV.")] = None,
    tags_all: Annotated[str | None, Query(max_length=1024, description="Only with every one of these; CSV.")] = None,
    window_id: Annotated[int | None, Query(ge=0, description="Only of this window.")] = None,
    limit: Annotated[int, Query(ge=1, le=5000, description="At most so many.")] = 100,
) -> Response:
    """List the replays of a run, newest first."""
    layout = services.runs.find(run_id)
    index = services.runs.index(layout)
    wanted = ReplayFilter(
        tag=tag, tags_any=_split(tags_any), tags_all=_split(tags_all), window_id=window_id, limit=limit
    )
    found = [encode(entry.to_json()) for entry in index.find(wanted)]
    index_path = None if index.updated_at is None else layout.relative(layout.replay_index)
    return json_answer(with_list({"run_id": run_id, "index_path": index_path, "count": len(found)}, "replays", found))


@router.get("/{replay_id}", response_model=ReplayDetail, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def replay(services: ServicesDep, run_id: RunId, replay_id: ReplayId) -> Response:
    """Show what is known about a replay."""
    opened = services.frames.open(run_id, replay_id)
    answer = {"run_id": run_id, "replay": opened.entry.to_json(), "meta": opened.reader.sidecar}
    return json_answer(msgspec.json.encode(answer))


@router.get(
    "/{replay_id}/world",
    response_model=WorldDescriptor,
    responses=problems(BAD_REQUEST, NOT_FOUND, UNPROCESSABLE, BROKEN),
)
def replay_world(services: ServicesDep, run_id: RunId, replay_id: ReplayId) -> Response:
    """Describe the world of a replay in the configuration in which it was recorded."""
    # Whether it would come out the same today does not matter: its frames are there to be looked at.
    recorded = services.frames.open(run_id, replay_id).reader.sidecar
    source = f"replay {recorded.replay_id!r}"
    venue = open_foreign_venue(recorded.world, recorded.config, source, files=services.runs.files)
    return json_answer(descriptor(venue.world, venue.config))


def _split(tags: str | None) -> tuple[str, ...]:
    return tuple(tag.strip() for tag in (tags or "").split(",") if tag.strip())
