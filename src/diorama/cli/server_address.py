"""Addresses of servers, as options give them."""

from urllib.parse import urlsplit

from diorama.contracts.errors import ConfigError


def parse_base(option: str, text: str) -> str:
    """Return an address without a slash at its end.

    Raises:
        ConfigError: It is none.
    """
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ConfigError(f"{option} {text!r} is no address of a server; use one like http://127.0.0.1:8000")
    try:
        parts.port  # noqa: B018  # reading it checks it
    except ValueError:
        raise ConfigError(f"{option} {text!r} has no valid port; use 1..65535") from None
    return text.rstrip("/")
