"""The names that browsers give to where a page comes from, and to whom they ask."""

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

EVERY: Final = "*"
LOCAL_ORIGINS: Final = (
    r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.)?localhost(?::\d{1,5})?"
    r"|https?://127(?:\.\d{1,3}){3}(?::\d{1,5})?"
    r"|https?://\[::1\](?::\d{1,5})?"
)
"""A pattern for pages that this very machine serves, on any port."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def as_origin(text: str) -> str:
    """Return an origin as browsers write it: small letters, no slash, a usual port left out; `*` stands for all.

    Raises:
        ValueError: It is none; a setting that could never match is a mistake.
    """
    if text == EVERY:
        return text
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(_advice(text)) from None
    scheme, host = parts.scheme.lower(), parts.hostname
    if (
        scheme not in _DEFAULT_PORTS
        or not host
        or "@" in parts.netloc
        or parts.path.strip("/")
        or "?" in text
        or "#" in text
    ):
        raise ValueError(_advice(text))
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" if port in (None, _DEFAULT_PORTS[scheme]) else f"{scheme}://{name}:{port}"


def as_host(text: str) -> str:
    """Return a host as browsers write it, without its port; `*` stands for all.

    Raises:
        ValueError: It is none.
    """
    if text == EVERY:
        return text
    try:
        parts = urlsplit(f"//{text}")
        host, is_more = parts.hostname, bool(parts.path or parts.query or parts.fragment or "@" in text)
    except ValueError:
        host, is_more = None, True
    if host is None or is_more:
        raise ValueError(f"{text!r} is no name of a host; use one like worlds.example.org")
    return host.rstrip(".")


def is_local_origin(origin: str) -> bool:
    """Whether a page comes from a server on the machine of the browser that shows it."""
    return re.fullmatch(LOCAL_ORIGINS, origin) is not None


def is_local_name(name: str) -> bool:
    """Whether a host name or number stands for the machine itself."""
    try:
        return name == "localhost" or name.endswith(".localhost") or ip_address(name).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """Return the name in a `Host` header, without its port; empty where there is none that could be right."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _advice(text: str) -> str:
    return f"{text!r} is no origin; use a scheme, a host and a port if there is one, such as https://watch.example.org"
