"""`/api/worlds`: which worlds there are, and the descriptor of one."""

from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Response

from diorama.contracts.config import parse_config
from diorama.contracts.descriptor import describe_world
from diorama.runs.documents import encode
from diorama.server.errors import NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer
from diorama.server.models.worlds import WorldDescriptor, WorldList
from diorama.worlds.registry import load_world, world_ids

router = APIRouter(prefix="/api/worlds", tags=["worlds"])


@router.get("")
def worlds() -> WorldList:
    """List the worlds."""
    ids = world_ids()
    summaries = {world_id: load_world(world_id).summary for world_id in ids}
    return WorldList(worlds=list(ids), count=len(ids), summaries=summaries)


@router.get("/{world}", response_model=WorldDescriptor, responses=problems(NOT_FOUND, UNPROCESSABLE))
def world(world: Annotated[str, Path(max_length=128, description="World id.")]) -> Response:
    """Describe a world in its default configuration: observation, actions, metrics, events, presentation."""
    return json_answer(_descriptor(load_world(world).id))


@cache
def _descriptor(world_id: str) -> bytes:
    registered = load_world(world_id)
    return encode(describe_world(registered, parse_config(registered.id, registered.config_type, None)))
