"""`/api/v1/worlds/{id}/snapshots`: what was saved, and saving."""

import asyncio
import time
import uuid
from typing import Annotated, Final

from fastapi import APIRouter, Body, Request, Response

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.server.live.access import UNFIT, ViewerDep, caller_of
from diorama.server.live.models import ConsoleAnswer, SavedList, SaveRequest
from diorama.server.live.routes.console import PENDING, REFUSALS, answer_of, refusal
from diorama.server.live.services import LiveId, LiveServicesDep

router = APIRouter(prefix="/api/v1/worlds/{live_id}/snapshots", tags=["live"])
_NOTHING: Final = SaveRequest()


@router.get("", responses=UNFIT)
def saved(services: LiveServicesDep, viewer: ViewerDep, live_id: LiveId) -> SavedList:
    """List the snapshots, newest first; in privacy mode only admins learn what operators called them."""
    host = services.find(live_id)
    are_named = viewer.may("admin") or not host.publisher.is_private
    rows = host.snapshots()
    return SavedList.model_validate({"snapshots": rows if are_named else [{**row, "path": None} for row in rows]})


@router.post("", response_model=ConsoleAnswer, responses={**REFUSALS, **PENDING})
async def save(
    request: Request,
    services: LiveServicesDep,
    live_id: LiveId,
    wanted: Annotated[SaveRequest, Body()] = _NOTHING,
) -> Response:
    """Save the world: the command `snapshot_save`, answered like it."""
    host = services.find(live_id)
    began = time.perf_counter()
    try:
        caller = caller_of(request, services)
    except CommandError as error:
        return refusal(error, services, began)
    envelope: JsonObject = {
        "name": "snapshot_save",
        "kwargs": {} if wanted.name is None else {"name": wanted.name},
        "cmd_id": wanted.cmd_id or uuid.uuid4().hex,
    }
    return await answer_of(await asyncio.to_thread(host.desk.submit, envelope, caller), caller, services, envelope)
