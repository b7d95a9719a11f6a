"""The one place where errors become statuses and `{"detail": …}`."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from diorama.contracts.errors import (
    CheckpointMismatch,
    ConfigError,
    ContractError,
    DioramaError,
    DocumentError,
    EpisodeOver,
    MissingExtra,
    PluginError,
    ReplayDiverged,
    RunConflict,
    SnapshotError,
    StorageError,
    TierUnavailable,
    UnknownName,
)
from diorama.contracts.validation import problem_place, problem_words
from diorama.runs.quota import QuotaReached
from diorama.server.cautious_headers import HEADERS
from diorama.server.models.base import Problem
from diorama.server.route_templates import allowed_methods

BAD_REQUEST: Final = 400
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
WRONG_METHOD: Final = 405
CONFLICT: Final = 409
UNPROCESSABLE: Final = 422
TOO_MANY: Final = 429
BROKEN: Final = 500
BAD_GATEWAY: Final = 502
UNAVAILABLE: Final = 503
RETRY_SECONDS: Final = 5  # after which a client that met a limit may ask again, where nothing better is known

_BEFORE_PATH: Final = r"(?<![\w./~-])"  # where a path can begin
_INTO_PATH: Final = r"/(?=\.?[\w-])"
_AFTER_PATH: Final = r"/?(?![\w/-]|\.\w)"
_UNREADABLE_BODY: Final = "There was an error parsing the body"  # the framework's words for any such trouble


class LimitReached(DioramaError):
    """A configured limit is reached; the message names it, and the field `retry_after_seconds` how long to wait."""


class BadValue(DioramaError):
    """A value of a request does not fit its schema; the message says which and what would be right."""


class StateConflict(DioramaError):
    """Things stand where this cannot be done; the message says how they stand."""


class UpstreamFailed(DioramaError):
    """A service that this one asks on behalf of a caller did not answer as it should."""


class NotAvailable(DioramaError):
    """This server was not given what it needs to answer."""


class OriginRefused(DioramaError):
    """A page of another origin asked, and that origin was not let in."""


# The nearest ancestor of an error counts.
_STATUS: Final[Mapping[type[DioramaError], int]] = {
    DioramaError: BROKEN,
    ConfigError: BAD_REQUEST,
    OriginRefused: FORBIDDEN,
    UnknownName: NOT_FOUND,
    EpisodeOver: CONFLICT,
    RunConflict: CONFLICT,
    ReplayDiverged: CONFLICT,
    StateConflict: CONFLICT,
    CheckpointMismatch: CONFLICT,
    BadValue: UNPROCESSABLE,
    ContractError: UNPROCESSABLE,
    SnapshotError: UNPROCESSABLE,
    LimitReached: TOO_MANY,
    DocumentError: BROKEN,
    StorageError: BROKEN,
    QuotaReached: UNAVAILABLE,
    UpstreamFailed: BAD_GATEWAY,
    NotAvailable: UNAVAILABLE,
    MissingExtra: UNAVAILABLE,
    TierUnavailable: UNAVAILABLE,
    PluginError: UNAVAILABLE,
}


def status_of(error: DioramaError) -> int:
    """Return the HTTP status of an error."""
    for kind in type(error).__mro__:
        status = _STATUS.get(kind)
        if status is not None:
            return status
    return BROKEN


def detail_of(error: DioramaError, runs_root: Path) -> str:
    """Return what a caller is told: the message on one line, without where the runs lie on this machine."""
    return without_root(" ".join(str(error).split()), runs_root)


def without_root(text: str, runs_root: Path) -> str:
    """Take where the runs lie out of a text: a path below the root begins at the root, and the root has a name.

    The root counts where it stands as a path of its own, never as a part of another path or of a sentence.
    """
    for root in {str(runs_root.absolute()), str(runs_root.resolve())}:
        text = re.sub(rf"{_BEFORE_PATH}{re.escape(root)}{_INTO_PATH}", "", text)
        text = re.sub(rf"{_BEFORE_PATH}{re.escape(root)}{_AFTER_PATH}", "the run root", text)
    if runs_root.is_absolute():
        return text
    # `runs` alone is a word, and says nothing about the machine.
    return re.sub(rf"{_BEFORE_PATH}{re.escape(str(runs_root))}{_INTO_PATH}", "", text)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of an endpoint that may answer with these errors."""
    return {status: {"model": Problem, "description": _MEANING[status]} for status in statuses}


def stream_problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the same for an endpoint whose own answer is no JSON; its errors are JSON all the same."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}}
    return {status: {"content": content, "description": _MEANING[status]} for status in statuses}


_MEANING: Final[Mapping[int, str]] = {
    BAD_REQUEST: "The arguments do not go together",
    UNAUTHORIZED: "A token is missing or unknown",
    FORBIDDEN: "The origin is not allowed",
    NOT_FOUND: "There is nothing of that name",
    CONFLICT: "The state does not allow it",
    UNPROCESSABLE: "A value does not fit its schema",
    TOO_MANY: "A limit is reached",
    BROKEN: "A stored file is broken, or points out of its run",
    BAD_GATEWAY: "The tracker failed",
    UNAVAILABLE: "Not available on this server",
}


def install_error_handlers(app: FastAPI, runs_root: Path) -> None:
    """Make every error of an app answer with a status and one `detail`."""

    @app.exception_handler(DioramaError)
    async def answer_own(request: Request, error: DioramaError) -> JSONResponse:
        return _problem(status_of(error), detail_of(error, runs_root), _retry_after(error))

    @app.exception_handler(RequestValidationError)
    async def answer_schema(request: Request, error: RequestValidationError) -> JSONResponse:
        return _problem(UNPROCESSABLE, validation_words(error.errors()))

    @app.exception_handler(HTTPException)
    async def answer_http(request: Request, error: HTTPException) -> JSONResponse:
        if error.detail == _UNREADABLE_BODY:
            return _problem(UNPROCESSABLE, "body: is wrong; it must be JSON in UTF-8")
        if error.status_code == NOT_FOUND and error.detail == "Not Found":
            nothing = f"there is nothing at {request.url.path}; /api/openapi.json lists what there is"
            return _problem(NOT_FOUND, nothing)
        if error.status_code == WRONG_METHOD:
            allowed = allowed_methods(app, request.scope)
            return _problem(WRONG_METHOD, f"{request.method} is not allowed here; use {allowed}", {"Allow": allowed})
        return _problem(error.status_code, error.detail, error.headers)

    @app.exception_handler(Exception)
    async def answer_unexpected(request: Request, error: Exception) -> JSONResponse:
        # Starlette answers it outside of all middleware.
        return _problem(BROKEN, "the server made a mistake; its log says which", HEADERS)


def _retry_after(error: DioramaError) -> dict[str, str] | None:
    """Say when a limit is likely to leave room again."""
    if status_of(error) != TOO_MANY:
        return None
    seconds = error.fields.get("retry_after_seconds", RETRY_SECONDS)
    return {"Retry-After": str(math.ceil(seconds) if isinstance(seconds, float) else RETRY_SECONDS)}


def validation_words(errors: Sequence[Mapping[str, Any]]) -> str:
    """Say in one line what is wrong with the values of a request."""
    return "; ".join(_words(item) for item in errors)


def _words(item: Mapping[str, Any]) -> str:
    place = problem_place(item) or "the request"
    shown = item.get("input")
    quoted = f" {_short(shown)}" if isinstance(shown, str | int | float | bool) else ""
    return f"{place}:{quoted} is wrong; {problem_words(item)}"


def _short(value: str | int | float) -> str:
    longest = 80
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}…"


def _problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)
