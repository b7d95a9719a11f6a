"""`TcpTransport`: one message per line over a TLS connection."""

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from diorama.telemetry.live.transports.endpoints import SHORTEST_TIMEOUT_S, Endpoint


class TcpTransport:
    """Connects when there is something to send, and again after a failure; a new connection begins anew."""

    begins_anew: Final = True

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        context: ssl.SSLContext | None,
        connect_timeout_s: float,
        send_timeout_s: float,
        name: str = "tcp",
    ) -> None:
        """Choose the address; `context` is None for plain text."""
        self.name = name
        self._endpoint = endpoint
        self._context = context
        self._connect_timeout_s = max(SHORTEST_TIMEOUT_S, connect_timeout_s)
        self._send_timeout_s = max(SHORTEST_TIMEOUT_S, send_timeout_s)
        self._socket: socket.socket | None = None

    def send(self, messages: Sequence[bytes]) -> None:
        """Write the messages to the connection.

        Raises:
            OSError: Nobody is there, nobody reads in time, or it is somebody else.
        """
        try:
            if self._socket is None:
                self._socket = self._connect()
            self._socket.sendall(b"".join(message + b"\n" for message in messages))
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            with suppress(OSError):  # the other side may be gone
                self._socket.close()
            self._socket = None

    def _connect(self) -> socket.socket:
        address = (self._endpoint.host, self._endpoint.port)
        plain = socket.create_connection(address, timeout=self._connect_timeout_s)
        try:
            connection = plain
            if self._context is not None:
                connection = self._context.wrap_socket(plain, server_hostname=self._endpoint.host)
            connection.settimeout(self._send_timeout_s)
        except OSError:
            plain.close()
            raise
        return connection
