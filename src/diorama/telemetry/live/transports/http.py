"""`HttpTransport`: batches of messages, posted as lines."""

import ssl
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final

from diorama.telemetry.live.transports.endpoints import SHORTEST_TIMEOUT_S, Endpoint
from diorama.telemetry.live.transports.protocol import TransportError

CONTENT_TYPE: Final = "application/x-ndjson"
_ANSWER_LIMIT_BYTES: Final = 1 << 16


class HttpTransport:
    """Posts every batch to one address over a connection that is kept.

    A batch whose answer was lost is posted again; receivers know by `seq` what they have.
    """

    begins_anew: Final = False

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        context: ssl.SSLContext | None,
        connect_timeout_s: float,
        send_timeout_s: float,
        name: str = "http",
    ) -> None:
        """Choose the address; `context` is None for plain text."""
        self.name = name
        self._endpoint = endpoint
        self._context = context
        self._connect_timeout_s = max(SHORTEST_TIMEOUT_S, connect_timeout_s)
        self._send_timeout_s = max(SHORTEST_TIMEOUT_S, send_timeout_s)
        self._connection: HTTPConnection | None = None

    def send(self, messages: Sequence[bytes]) -> None:
        """Post the messages as one body.

        Raises:
            OSError: Nobody is there, nobody answers in time, or it is somebody else.
            TransportError: The answer is no success, or no HTTP.
        """
        try:
            status = self._post(b"".join(message + b"\n" for message in messages))
        except OSError:
            self.close()
            raise
        except HTTPException as error:
            self.close()
            raise TransportError(f"{self._endpoint} does not answer in HTTP: {type(error).__name__}") from None
        if not 200 <= status < 300:
            self.close()
            raise TransportError(f"{self._endpoint} answered {status}; 2xx is needed")

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _post(self, body: bytes) -> int:
        if self._connection is None:
            self._connection = self._connect()
        self._connection.request("POST", self._endpoint.path, body, {"Content-Type": CONTENT_TYPE})
        answer = self._connection.getresponse()
        answer.read(_ANSWER_LIMIT_BYTES)
        if not answer.isclosed():
            self.close()  # there is more of it, and nobody wants it
        return answer.status

    def _connect(self) -> HTTPConnection:
        host, port = self._endpoint.host, self._endpoint.port
        if self._context is None:
            connection = HTTPConnection(host, port, timeout=self._connect_timeout_s)
        else:
            connection = HTTPSConnection(host, port, timeout=self._connect_timeout_s, context=self._context)
        connection.connect()
        connection.sock.settimeout(self._send_timeout_s)
        return connection
