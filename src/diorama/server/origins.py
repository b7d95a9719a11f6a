"""Who may ask: the server's own pages, those of origins that were let in, and programs; under names of this server."""

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from diorama.server.errors import OriginRefused
from diorama.server.origin_names import EVERY, host_name, is_local_name, is_local_origin
from diorama.server.settings import ServerSettings

_OWN_SITES: Final = frozenset({"same-origin", "none"})  # `none`: somebody typed the address
_SAME_SITE: Final = "same-site"
_NAVIGATING: Final = "navigate"


def check_visitor(connection: HTTPConnection, settings: ServerSettings) -> None:
    """Refuse a page of another origin, unless the CORS settings let it in; a program that names none may come.

    Pages that this machine serves come in where the server is asked on this machine, too (`cors_localhost`). A name of
    the server that a stranger has chosen would make the stranger's pages its own, so names are checked first.

    Raises:
        OriginRefused: With the setting that would let it in.
    """
    headers = connection.headers
    host, origin = headers.get("host", ""), headers.get("origin")
    if not _is_known(host, settings):
        raise OriginRefused(f"host {host[:200]!r} is not known here; DIORAMA_HOSTS on the server can name it")
    if origin is None:
        _check_embedding(connection, settings)
    elif not (_is_own(origin, host) or _is_let_in(origin, settings) or _is_at_home(connection, origin, settings)):
        raise OriginRefused(f"origin {origin[:200]!r} is not allowed; DIORAMA_CORS_ORIGINS on the server can let it in")


def _check_embedding(connection: HTTPConnection, settings: ServerSettings) -> None:
    """Refuse what a page of another origin shows as a part of itself: browsers do not say which page that is."""
    site, mode = (connection.headers.get(f"sec-fetch-{name}") for name in ("site", "mode"))
    if site is None or site in _OWN_SITES or mode == _NAVIGATING:
        return
    if site == _SAME_SITE and _is_asked_at_home(connection, settings):
        return  # a page of the same name on another port: of this machine, too
    if not (settings.cors_origins or settings.cors_origin_regex):
        raise OriginRefused("pages of other origins are not allowed; DIORAMA_CORS_ORIGINS on the server can name them")


def _is_known(host: str, settings: ServerSettings) -> bool:
    """Whether nobody but the owner of this server, or of its network, can have given it that name."""
    name = host_name(host)
    return (
        (bool(name) and "." not in name)  # of this machine or network: such names cannot be bought
        or name.endswith(".localhost")
        or _is_number(name)
        or name in settings.hosts
        or EVERY in settings.hosts
    )


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_own(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _is_at_home(connection: HTTPConnection, origin: str, settings: ServerSettings) -> bool:
    return _is_asked_at_home(connection, settings) and is_local_origin(origin)


def _is_asked_at_home(connection: HTTPConnection, settings: ServerSettings) -> bool:
    """Whether the request came to an address of this machine alone, under a name of it: no proxy passed it on."""
    address = connection.scope.get("server")
    return (
        settings.cors_localhost
        and address is not None
        and is_local_name(address[0])
        and is_local_name(host_name(connection.headers.get("host", "")))
    )


def _is_let_in(origin: str, settings: ServerSettings) -> bool:
    if origin in settings.cors_origins or EVERY in settings.cors_origins:
        return True
    return settings.cors_origin_regex is not None and re.fullmatch(settings.cors_origin_regex, origin) is not None
