"""What a command is answered with: one form for everything, whether it went well or not."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject, JsonValue

Response = dict[str, JsonValue]

HTTP_STATUS: Final[Mapping[str, int]] = {
    "usage": 400,
    "invalid_args": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "rate_limited": 429,
    "internal": 500,
    "unsupported": 501,
}


def response(
    outcome: JsonObject | CommandError,
    *,
    cmd_id: str | None,
    name: str | None,
    issuer: str | None,
    tick: int,
    latency_ms: float,
) -> Response:
    """Put an answer together: a result, or why there is none."""
    head: Response = {"cmd_id": cmd_id, "name": name}
    tail: Response = {"issuer": issuer, "tick": tick, "latency_ms": round(latency_ms, 3), "replayed": False}
    if isinstance(outcome, CommandError):
        return {**head, "status": "error", "error": error_block(outcome), **tail}
    return {**head, "status": "ok", "result": outcome, **tail}


def error_block(error: CommandError) -> Response:
    """Say why a command was refused."""
    return {"code": error.code, "reason": error.reason, "message": error.message, "details": error.details}


def error_of(answer: JsonObject) -> JsonObject | None:
    """Return why an answer is a refusal; None if it is none."""
    error = answer.get("error")
    return error if isinstance(error, Mapping) else None


def http_status(answer: JsonObject) -> int:
    """Return the HTTP status of an answer."""
    error = error_of(answer)
    return 200 if error is None else HTTP_STATUS[str(error["code"])]


def told(answer: JsonObject, *, changes: bool, is_admin: bool) -> Response:
    """Return what spectators may know of an answer.

    Of a command that only asks they learn that it was given, not what it answered: some answers are for admins alone,
    others as large as the state. What somebody without a token wrote is not repeated to others, and what went wrong
    inside, such as at which file, is for whoever gave the command.
    """
    if changes and not _is_internal(answer):
        return dict(answer)
    kept = {**answer, "cmd_id": answer["cmd_id"] if is_admin else None}
    if (error := error_of(answer)) is not None:
        return {**kept, "error": {**error, "message": "", "details": {}}}
    return {**kept, "result": None}


def _is_internal(answer: JsonObject) -> bool:
    error = error_of(answer)
    return error is not None and error["code"] == "internal"
