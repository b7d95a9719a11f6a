"""`Line`: where a networked transport leads, how long it waits, and how it makes sure of the other side."""

import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass

from diorama.contracts.live.settings.telemetry import Transport as TransportSettings
from diorama.telemetry.live.transports.endpoints import SHORTEST_TIMEOUT_S, Endpoint, endpoint_of, tls_context


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A way to somebody; `context` is None for plain text."""

    endpoint: Endpoint
    context: ssl.SSLContext | None
    connect_timeout_s: float
    send_timeout_s: float

    def open(self) -> socket.socket:
        """Connect, and check who is there.

        Raises:
            OSError: Nobody is there, nobody answers in time, or it is somebody else.
        """
        plain = socket.create_connection((self.endpoint.host, self.endpoint.port), timeout=self.connect_timeout_s)
        try:
            connection = plain
            if self.context is not None:
                connection = self.context.wrap_socket(plain, server_hostname=self.endpoint.host)
            connection.settimeout(self.send_timeout_s)
        except OSError:
            plain.close()
            raise
        return connection


def line_to(settings: TransportSettings, *, default_port: int | None) -> Line:
    """Read where a transport leads.

    Raises:
        ConfigError: The endpoint or a certificate is wrong, or plain text would leave this machine.
    """
    return Line(
        endpoint=endpoint_of(settings, default_port=default_port),
        context=tls_context(settings) if settings.enable_tls else None,
        connect_timeout_s=max(SHORTEST_TIMEOUT_S, settings.connect_timeout_seconds),
        send_timeout_s=max(SHORTEST_TIMEOUT_S, settings.send_timeout_seconds),
    )


def joined(messages: Sequence[bytes]) -> bytes:
    """One message per line."""
    return b"".join(message + b"\n" for message in messages)
