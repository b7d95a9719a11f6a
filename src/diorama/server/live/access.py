"""Who is asking: bearer tokens of requests and sockets, which never come from an address."""

from typing import Annotated, Any, Final

from fastapi import Depends
from starlette.requests import HTTPConnection

from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.callers import Caller
from diorama.operate.console.guesses import RETRY_AFTER
from diorama.server.errors import NOT_FOUND, TOO_MANY, UNAUTHORIZED, UNPROCESSABLE, problems
from diorama.server.live.services import LiveServices, LiveServicesDep

_IN_ADDRESS: Final = frozenset({"token", "access_token", "auth", "authorization", "bearer"})
_SCHEME: Final = "bearer "
UNKNOWN: Final[dict[int | str, dict[str, Any]]] = problems(UNAUTHORIZED, TOO_MANY)  # of who asks
UNFIT: Final[dict[int | str, dict[str, Any]]] = {**UNKNOWN, **problems(NOT_FOUND, UNPROCESSABLE)}  # or of what


def address_of(connection: HTTPConnection) -> str:
    """Return where somebody calls from."""
    return "unknown" if connection.client is None else connection.client.host


def bearer_token(connection: HTTPConnection) -> str | None:
    """Return the token of a connection; None if it has none.

    Raises:
        CommandError: It came in a way that gives it away, or in a form that is none.
    """
    if any(name.lower() in _IN_ADDRESS for name in connection.query_params):
        raise CommandError(
            "unauthorized", "token_in_address", "a token in an address ends up in logs; use Authorization: Bearer …"
        )
    header = connection.headers.get("authorization")
    if header is None:
        return None
    if not header.lower().startswith(_SCHEME):
        raise CommandError("unauthorized", "wrong_scheme", "use Authorization: Bearer …; other schemes are unknown")
    return header[len(_SCHEME) :].strip()


def refusal_headers(error: CommandError) -> dict[str, str]:
    """Return what a refusal tells programs: how to introduce themselves, or when to come again."""
    if error.code == "unauthorized":
        return {"WWW-Authenticate": "Bearer"}
    return {"Retry-After": str(error.details[RETRY_AFTER])} if RETRY_AFTER in error.details else {}


def caller_of(connection: HTTPConnection, services: LiveServices) -> Caller:
    """Say who asks.

    Raises:
        CommandError: `unauthorized`, or `rate_limited` for whoever has tried too often.
    """
    return services.host.desk.authenticate(bearer_token(connection), address_of(connection))


def get_viewer(connection: HTTPConnection, services: LiveServicesDep) -> Caller:
    """Say who asks, for endpoints that show something."""
    return caller_of(connection, services)


def get_admin(connection: HTTPConnection, services: LiveServicesDep) -> Caller:
    """Say who asks, for endpoints that show what is not for everybody.

    Raises:
        CommandError: `unauthorized`, or `forbidden` for a viewer.
    """
    caller = caller_of(connection, services)
    if not caller.may("admin"):
        raise CommandError("forbidden", "role_too_low", f"this is for admins, and {caller.issuer} is a {caller.role}")
    return caller


ViewerDep = Annotated[Caller, Depends(get_viewer)]
AdminDep = Annotated[Caller, Depends(get_admin)]
