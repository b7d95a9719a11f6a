"""`/api/best-replays`: what a page shows of a world where no replay is named."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Response

from diorama.server.errors import BROKEN, NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer
from diorama.server.models.champions import BestReplays
from diorama.server.reading.best_replays import find_best_replay
from diorama.server.services import ServicesDep
from diorama.worlds.registry import list_worlds

router = APIRouter(prefix="/api/best-replays", tags=["replays"])


@router.get("", response_model=BestReplays, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def best_replays(
    services: ServicesDep,
    world: Annotated[str | None, Query(max_length=128, description="Only of this world.")] = None,
) -> Response:
    """Return the best replay of every world, of runs and champions, by the first headline metric of the world."""
    worlds = list(list_worlds().summaries) if world is None else [world]
    found = [(name, find_best_replay(services.runs.catalogue, name)) for name in worlds]
    rows = [
        {
            "world": name,
            "run_id": best.run_id,
            "metric": best.metric,
            "value": best.entry.metrics.get(best.metric),
            "replay": best.entry.to_json(),
        }
        for name, best in found
        if best is not None
    ]
    return json_answer(msgspec.json.encode({"replays": rows}))
