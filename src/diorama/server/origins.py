"""Which pages may open a WebSocket: browsers ask nobody before they do, unlike for requests."""

import re
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from diorama.server.errors import OriginRefused
from diorama.server.settings import ServerSettings


def check_origin(connection: HTTPConnection, settings: ServerSettings) -> None:
    """Refuse a page of another origin, unless the CORS settings let it in; a program that names none may come.

    Raises:
        OriginRefused: With the setting that would let it in.
    """
    origin = connection.headers.get("origin")
    if origin is None or _is_own(origin, connection.headers.get("host", "")):
        return
    pattern = settings.cors_origin_regex
    if origin in settings.cors_origins or "*" in settings.cors_origins:
        return
    if pattern is not None and re.fullmatch(pattern, origin) is not None:
        return
    raise OriginRefused(f"origin {origin[:200]!r} is not allowed; DIORAMA_CORS_ORIGINS on the server can let it in")


def _is_own(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False
