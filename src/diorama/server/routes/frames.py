"""`…/frames`: pages of a replay over HTTP."""

from typing import Annotated

import anyio
from fastapi import APIRouter, Query, Response

from diorama.contracts.values import JsonObject
from diorama.server.errors import BROKEN, NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer, with_list
from diorama.server.models.frames import FramePage
from diorama.server.parameters import ReplayId, RunId
from diorama.server.services import Services, ServicesDep

router = APIRouter(prefix="/api/runs/{run_id}/replays/{replay_id}", tags=["replays"])


@router.get("/frames", response_model=FramePage, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
async def frames(
    services: ServicesDep,
    run_id: RunId,
    replay_id: ReplayId,
    offset: Annotated[int, Query(ge=0, description="First frame.")] = 0,
    limit: Annotated[int, Query(ge=1, le=5000, description="At most so many.")] = 256,
) -> Response:
    """Read frames of a replay; `next_offset` is where the next page begins."""
    body = await anyio.to_thread.run_sync(
        _page, services, run_id, replay_id, offset, limit, limiter=services.frames.turns
    )
    return json_answer(body)


def _page(services: Services, run_id: str, replay_id: str, offset: int, limit: int) -> bytes:
    page = services.frames.page(services.frames.open(run_id, replay_id).reader, offset, limit)
    head: JsonObject = {
        "run_id": run_id,
        "replay_id": replay_id,
        "offset": offset,
        "next_offset": page.next_offset,
        "count": len(page.lines),
        "has_more": page.has_more,
    }
    return with_list(head, "frames", page.lines)
