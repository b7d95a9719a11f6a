"""Where networked transports connect to, and how they make sure of it."""

import ssl
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.settings.telemetry import Transport as TransportSettings
from diorama.contracts.live.settings.telemetry import is_this_machine

SHORTEST_TIMEOUT_S: Final = 0.001
"""A timeout of 0 means to give up at once; to a socket it would mean never to wait, and fail always."""

_ENCRYPTED: Final = frozenset({"https", "tls", "tcps"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address; `path` begins with a slash."""

    host: str
    port: int
    path: str

    def __str__(self) -> str:
        """Host and port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def endpoint_of(settings: TransportSettings, *, default_port: int | None) -> Endpoint:
    """Read the endpoint of a transport: `host:port`, or an address with a scheme.

    Raises:
        ConfigError: It is none, or plain text would leave this machine.
    """
    given = settings.endpoint or ""
    parts = _split(given)
    port = parts.port or default_port
    if not parts.hostname or port is None:
        raise ConfigError(f"telemetry.transport.endpoint: {given!r} is no address; write host:port")
    if parts.username is not None or parts.password is not None:
        raise ConfigError("telemetry.transport.endpoint: names and passwords have no place in an address")
    if (parts.scheme in _ENCRYPTED) != settings.enable_tls and parts.scheme != "":
        wanted = "enable_tls: true" if parts.scheme in _ENCRYPTED else "enable_tls: false with allow_plaintext: true"
        raise ConfigError(f"telemetry.transport.endpoint: {parts.scheme}:// needs {wanted}")
    if not settings.enable_tls and not (settings.allow_plaintext and is_this_machine(parts.hostname)):
        raise ConfigError(f"telemetry.transport.endpoint: plain text may only go to this machine, not to {given!r}")
    query = f"?{parts.query}" if parts.query else ""
    return Endpoint(host=parts.hostname, port=port, path=(parts.path or "/") + query)


def tls_context(settings: TransportSettings) -> ssl.SSLContext:
    """What a connection is checked against, and what it shows of itself.

    Raises:
        ConfigError: A certificate or key cannot be read.
    """
    try:
        context = ssl.create_default_context(cafile=settings.ca_file)
        if settings.cert_file is not None:
            context.load_cert_chain(settings.cert_file, settings.key_file)
    except OSError as error:
        raise ConfigError(f"telemetry.transport: a certificate or key cannot be used: {error}") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = settings.verify_hostname
    return context


def _split(given: str) -> SplitResult:
    try:
        parts = urlsplit(given if "://" in given else f"//{given}")
        _ = parts.port  # read here because a wrong one is noticed only when it is read
    except ValueError as error:
        raise ConfigError(f"telemetry.transport.endpoint: {given!r}: {error}") from None
    return parts
