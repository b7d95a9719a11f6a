"""`/api/v1/worlds/{id}/console`: commands, one per request."""

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path, Request, Response

from diorama.contracts.errors import UnknownName
from diorama.contracts.live.refusals import CommandError
from diorama.operate.console import answers
from diorama.operate.console.callers import Caller
from diorama.operate.console.envelopes import Envelope
from diorama.runs.documents import encode
from diorama.server.errors import NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer
from diorama.server.live.access import UNFIT, ViewerDep, caller_of, refusal_headers
from diorama.server.live.models import ConsoleAnswer, ConsolePending
from diorama.server.live.services import LiveId, LiveServices, LiveServicesDep
from diorama.server.models.base import Problem

router = APIRouter(prefix="/api/v1/worlds/{live_id}/console", tags=["live"])

PATIENCE_SECONDS: Final = 2.0
_ACCEPTED: Final = 202
REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    **{
        status: {"model": ConsoleAnswer, "description": "Refused; `error.code` says why"}
        for status in sorted(set(answers.HTTP_STATUS.values()))
    },
    NOT_FOUND: {"model": ConsoleAnswer | Problem, "description": "There is nothing of that name"},
    **problems(UNPROCESSABLE),
}
PENDING: Final[dict[int | str, dict[str, Any]]] = {
    _ACCEPTED: {"model": ConsolePending, "description": "It waits for its turn: ask again with `cmd_id`"}
}
_ENVELOPE: Final = {"requestBody": {"content": {"application/json": {"schema": Envelope.model_json_schema()}}}}


@router.post("", response_model=ConsoleAnswer, responses={**REFUSALS, **PENDING}, openapi_extra=_ENVELOPE)
async def give_command(
    request: Request, services: LiveServicesDep, live_id: LiveId, sent: Annotated[Any, Body()]
) -> Response:
    """Give a command and wait for its answer, for two seconds at most."""
    host = services.find(live_id)
    began = time.perf_counter()
    try:
        caller = caller_of(request, services)
    except CommandError as error:
        return refusal(error, services, began)
    return await answer_of(await asyncio.to_thread(host.desk.submit, sent, caller), caller, services, sent)


@router.get("/{cmd_id:path}", response_model=ConsoleAnswer, responses={**PENDING, **UNFIT})
async def command_answer(
    services: LiveServicesDep,
    viewer: ViewerDep,
    live_id: LiveId,
    cmd_id: Annotated[str, Path(min_length=1, max_length=64, description="As it was sent, or given out.")],
) -> Response:
    """Return the answer to a command of the same sender."""
    desk = services.find(live_id).desk
    answer = desk.lookup(cmd_id, viewer) or services.late.lookup(cmd_id, viewer)
    if answer is None:
        raise UnknownName(f"no command of {viewer.issuer} with the cmd_id {cmd_id!r} is remembered")
    return _json(answer, _ACCEPTED if answer["status"] == "pending" else 200)


async def answer_of(
    answering: Future[answers.Response], caller: Caller, services: LiveServices, sent: object
) -> Response:
    """Wait for an answer as long as a request may take; later ones are kept for whoever asks again."""
    waiting = asyncio.wrap_future(answering)
    done, _ = await asyncio.wait({waiting}, timeout=PATIENCE_SECONDS)
    if done:
        answer = waiting.result()
        return _json(answer, answers.http_status(answer))
    given = sent.get("cmd_id") if isinstance(sent, Mapping) else None
    cmd_id = given if isinstance(given, str) else services.late.keep(answering, caller)
    return _json({"cmd_id": cmd_id, "status": "pending"}, _ACCEPTED)


def refusal(error: CommandError, services: LiveServices, began: float) -> Response:
    """Answer somebody who is nobody, in the form of every answer; nothing they sent is repeated."""
    spent_ms = (time.perf_counter() - began) * 1000.0
    tick = services.host.desk.tick
    answer = answers.response(error, cmd_id=None, name=None, issuer=None, tick=tick, latency_ms=spent_ms)
    made = _json(answer, answers.http_status(answer))
    made.headers.update(refusal_headers(error))
    return made


def _json(answer: answers.Response, status: int) -> Response:
    made = json_answer(encode(answer))
    made.status_code = status
    return made
