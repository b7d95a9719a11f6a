"""Consoles over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from diorama.server.errors import problems
from diorama.server.models.consoles import (
    ConsoleClosed,
    ConsoleList,
    ConsoleState,
    Inspection,
    OpenConsole,
    ProgramList,
)
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api/consoles", tags=["consoles"])

_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}

SessionId = Annotated[str, Path(max_length=128, description="Id of a console session.")]
WorldId = Annotated[str, Path(max_length=128, description="World id.")]


@router.get("", responses=problems(429, 503))
async def list_consoles(services: ServicesDep) -> ConsoleList:
    """List the worlds with consoles, and what their consoles are like."""
    return await services.consoles.all()


@router.get("/{world}/programs", responses=problems(404, 422, 429, 503))
async def list_programs(services: ServicesDep, world: WorldId) -> ProgramList:
    """List what can be run on the consoles of a world: what comes with it, and the files of the server's folder."""
    return await services.consoles.programs(world)


@router.post("/session", responses=problems(400, 404, 422, 429, 503))
async def open_console(services: ServicesDep, body: OpenConsole) -> ConsoleState:
    """Switch a console on; it is switched off again when it is left alone."""
    return await services.consoles.open(body)


@router.get("/session/{session_id}", responses=problems(404, 422, 429, 503))
async def get_console(services: ServicesDep, session_id: SessionId) -> ConsoleState:
    """Return where a console stands."""
    return await services.consoles.state(session_id)


@router.delete("/session/{session_id}", responses=problems(404, 422, 429, 503))
async def close_console(services: ServicesDep, session_id: SessionId) -> ConsoleClosed:
    """Switch a console off for good."""
    await services.consoles.close_session(session_id)
    return ConsoleClosed(session_id=session_id, deleted=True)


@router.post("/session/{session_id}/restart", responses=problems(404, 422, 429, 503))
async def restart_console(services: ServicesDep, session_id: SessionId) -> ConsoleState:
    """Switch a console off and on again."""
    return await services.consoles.restart(session_id)


@router.get("/session/{session_id}/inspection", responses=problems(404, 422, 429, 503))
async def inspect_console(services: ServicesDep, session_id: SessionId) -> Inspection:
    """Return registers, instructions around the next one, tiles, objects and what was sent over the serial port."""
    return await services.consoles.inspect(session_id)


@router.get(
    "/session/{session_id}/savestate",
    response_class=Response,
    responses={200: {"description": "The state", "content": _BYTES}, **problems(404, 422, 429, 503)},
)
async def save_console(services: ServicesDep, session_id: SessionId) -> Response:
    """Return the complete state of a console; the same call with POST goes on from it."""
    data, file_name = await services.consoles.save(session_id)
    disposition = f'attachment; filename="{_plain(file_name)}"'
    return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": disposition})


@router.post(
    "/session/{session_id}/savestate",
    responses=problems(404, 422, 429, 503),
    openapi_extra={"requestBody": {"required": True, "content": _BYTES}},
)
async def load_console(services: ServicesDep, session_id: SessionId, request: Request) -> ConsoleState:
    """Go on from a saved state of the same program; on an error the console is as it was."""
    return await services.consoles.load(session_id, await request.body())


def _plain(name: str) -> str:
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_. ") else "_" for letter in name)
