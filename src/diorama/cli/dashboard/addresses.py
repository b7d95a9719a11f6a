"""Which live world an address means."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from diorama.cli.console.client import ConsoleClient
from diorama.cli.console.overhearing import warn_if_overheard
from diorama.contracts.errors import ConfigError

_PAGE: Final = "operate"  # of the web client; names no world
_WITHOUT_SCHEME: Final = re.compile(r"(\[[0-9a-fA-F:]+\]|[\w.-]+):\d+(/.*)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePlace:
    """A live world, and the server that shows it.

    Attributes:
        server: Host and port.
        socket_address: Of its telemetry.
    """

    server: str
    world: str
    socket_address: str


def as_address(target: str) -> str | None:
    """Return the address that a target is, with its scheme; None where it is none, and names a run."""
    if target.startswith(("http://", "https://")):
        return target
    return f"http://{target}" if _WITHOUT_SCHEME.match(target) else None


def find_place(address: str, token: str | None = None) -> LivePlace:
    """Return the live world behind an address: the one its path names, else the first.

    Raises:
        ConfigError: It is no address.
        UnknownName: No world of that name is live there.
        ConsoleFailure: Nothing answers there, or not to whoever asks.
    """
    try:
        parts = urlsplit(address)
        is_whole = parts.hostname is not None and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ConfigError(f"{address!r} is no address; use one as `diorama live` prints it: http://127.0.0.1:8001")
    named = parts.path.strip("/").split("/")[-1]
    base = f"{parts.scheme}://{parts.netloc}"
    warn_if_overheard(base, token)
    world = ConsoleClient(base, token).world(named if named not in ("", _PAGE) else None)
    scheme = "wss" if parts.scheme == "https" else "ws"
    path = f"/ws/v1/worlds/{quote(world, safe='')}/telemetry?mode=spectator"
    return LivePlace(server=parts.netloc, world=world, socket_address=f"{scheme}://{parts.netloc}{path}")
