"""Play sessions over HTTP."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.background import BackgroundTask

from diorama.server.errors import problems
from diorama.server.json_answers import json_answer
from diorama.server.models.play import (
    CreateSession,
    ForkSession,
    Hint,
    ResetSession,
    SeatRows,
    SessionDeleted,
    SessionMoments,
    SessionState,
    Standings,
    StepSession,
    UndoSession,
)
from diorama.server.models.worlds import WorldDescriptor
from diorama.server.parameters import RUN_ID_PATTERN
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api/play/session", tags=["play"])

SessionId = Annotated[str, PathParameter(max_length=128, description="Id of a play session.")]
PolicyRun = Annotated[
    str, Query(pattern=RUN_ID_PATTERN, description="Run or champion whose newest checkpoint is asked.")
]


@router.post("", responses=problems(400, 404, 422, 429, 503))
async def create_session(services: ServicesDep, body: CreateSession | None = None) -> SessionState:
    """Open a session and return its opening."""
    return await services.play.create(body or CreateSession())


@router.post("/fork", responses=problems(400, 404, 409, 422, 429, 500, 503))
async def fork_session(services: ServicesDep, body: ForkSession) -> SessionState:
    """Open a session that continues a recorded replay after one of its frames, exactly as it was recorded."""
    return await services.play.fork(body)


@router.get("/{session_id}", responses=problems(404, 422, 429, 503))
async def get_session(services: ServicesDep, session_id: SessionId) -> SessionState:
    """Return where a session stands."""
    return await services.play.state(session_id)


@router.get("/{session_id}/world", response_model=WorldDescriptor, responses=problems(404, 422, 429, 503))
async def get_session_world(services: ServicesDep, session_id: SessionId) -> Response:
    """Describe the world of a session in the configuration in which it is played."""
    return json_answer(await services.play.world(session_id))


@router.delete("/{session_id}", responses=problems(404, 422, 429, 503))
async def delete_session(services: ServicesDep, session_id: SessionId) -> SessionDeleted:
    """End a session; a step that is under way is finished first."""
    await services.play.delete(session_id)
    return SessionDeleted(session_id=session_id, deleted=True)


@router.post("/{session_id}/reset", responses=problems(400, 404, 422, 429, 503))
async def reset_session(services: ServicesDep, session_id: SessionId, body: ResetSession | None = None) -> SessionState:
    """Open the next episode of a session, by default that of the next seed, in the same seat."""
    asked = body or ResetSession()
    return await services.play.reset(session_id, asked.seed, asked.seat)


@router.post("/{session_id}/step", responses=problems(404, 409, 422, 429, 503))
async def step_session(services: ServicesDep, session_id: SessionId, body: StepSession) -> SessionState:
    """Take a decision; one that the mask rules out is stepped, too, and reported as the world does."""
    return await services.play.step(session_id, body.action, body.others or ())


@router.post("/{session_id}/undo", responses=problems(404, 409, 422, 429, 503))
async def undo_session(services: ServicesDep, session_id: SessionId, body: UndoSession | None = None) -> SessionState:
    """Take back the last decisions, also that which ended the episode."""
    return await services.play.undo(session_id, (body or UndoSession()).steps)


@router.get("/{session_id}/hint", responses=problems(400, 404, 409, 422, 429, 500, 503))
async def get_hint(services: ServicesDep, session_id: SessionId, policy: PolicyRun) -> Hint:
    """Return the action probabilities of a trained policy for the present observation."""
    return await services.play.counsel.hint(session_id, policy)


@router.get("/{session_id}/rows", responses=problems(404, 409, 422, 429, 503))
async def get_rows(
    services: ServicesDep,
    session_id: SessionId,
    seat: Annotated[
        list[Annotated[int, Field(ge=0)]],
        Query(max_length=256, description="Whose; the one played by hand if left out."),
    ] = [],  # noqa: B006  # the framework copies it
    first: Annotated[
        int | None, Query(ge=0, le=2**31, description="From this decision on; the next one if left out.")
    ] = None,
    extra: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=64)]],
        Query(max_length=8, description="Arrays the world adds."),
    ] = [],  # noqa: B006
) -> SeatRows:
    """Return what seats see before the next decision, and saw before earlier ones, as a policy takes it."""
    return await services.play.counsel.rows(session_id, seat, first, extra)


@router.get("/{session_id}/moments", responses=problems(404, 409, 422, 429, 503))
async def get_moments(
    services: ServicesDep,
    session_id: SessionId,
    first: Annotated[
        int, Query(ge=0, le=2**31, description="Decisions before the first moment; 0 is the opening.")
    ] = 0,
) -> SessionMoments:
    """Return what the viewer drew at the moments of a session so far, for a page that has not seen them."""
    return await services.play.counsel.moments(session_id, first)


@router.get("/{session_id}/standings", responses=problems(400, 404, 422, 429, 500, 503))
async def get_standings(
    services: ServicesDep,
    session_id: SessionId,
    policy: Annotated[
        str | None, Query(pattern=RUN_ID_PATTERN, description="Run or champion whose newest checkpoint plays, too.")
    ] = None,
) -> Standings:
    """Return how the scripted baselines fare on the seed and configuration of a session, beside the session itself."""
    return await services.play.counsel.standings(session_id, policy)


@router.get(
    "/{session_id}/export",
    response_class=FileResponse,
    responses={
        200: {
            "description": "A run directory with the session as its only replay",
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        },
        **problems(404, 409, 422, 429, 500, 503),
    },
)
async def export_session(services: ServicesDep, session_id: SessionId) -> FileResponse:
    """Return the session as a replay: unpack it below a runs root, and watch, verify and fork it there."""
    directory = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="diorama-play-"))
    try:
        archive = await services.play.counsel.export(session_id, directory)
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, directory)
        raise
    remove = BackgroundTask(shutil.rmtree, directory, ignore_errors=True)
    return FileResponse(archive, media_type="application/zip", filename=archive.name, background=remove)
