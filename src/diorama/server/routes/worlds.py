"""`/api/worlds`: which worlds there are, and the descriptor of one."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from diorama.server.descriptors import descriptor, variant_config
from diorama.server.errors import NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer
from diorama.server.models.worlds import WorldDescriptor, WorldList
from diorama.worlds.registry import list_worlds, load_world

router = APIRouter(prefix="/api/worlds", tags=["worlds"])


@router.get("")
def worlds() -> WorldList:
    """List the worlds."""
    summaries = dict(list_worlds().summaries)
    return WorldList(worlds=list(summaries), count=len(summaries), summaries=summaries)


@router.get("/{world}", response_model=WorldDescriptor, responses=problems(NOT_FOUND, UNPROCESSABLE))
def world(
    world: Annotated[str, Path(max_length=128, description="World id.")],
    variant: Annotated[
        str | None, Query(max_length=128, description="A variant of the world; the default configuration if left out.")
    ] = None,
) -> Response:
    """Describe a world: observation, actions, metrics, events, presentation."""
    registered = load_world(world)
    return json_answer(descriptor(registered, variant_config(registered, variant)))
