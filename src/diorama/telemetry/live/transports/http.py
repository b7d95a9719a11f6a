"""`HttpTransport`: batches of messages, posted as lines."""

from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from typing import Final

from diorama.telemetry.live.transports.lines import Line, joined
from diorama.telemetry.live.transports.protocol import TransportError

CONTENT_TYPE: Final = "application/x-ndjson"
_ANSWER_LIMIT_BYTES: Final = 1 << 16


class HttpTransport:
    """Posts every batch to one address over a connection that is kept.

    A batch whose answer was lost is posted again; receivers know by `seq` what they have.
    """

    begins_anew: Final = False

    def __init__(self, line: Line, name: str = "http") -> None:
        """Choose where it leads."""
        self.name = name
        self._line = line
        self._connection: HTTPConnection | None = None

    def send(self, messages: Sequence[bytes]) -> None:
        """Post the messages as one body.

        Raises:
            OSError: Nobody is there, nobody answers in time, or it is somebody else.
            TransportError: The answer is no success, or no HTTP.
        """
        try:
            status = self._post(joined(messages))
        except OSError:
            self.close()
            raise
        except HTTPException as error:
            self.close()
            raise TransportError(f"{self._line.endpoint} does not answer in HTTP: {type(error).__name__}") from None
        if not 200 <= status < 300:
            self.close()
            raise TransportError(f"{self._line.endpoint} answered {status}; 2xx is needed")

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _post(self, body: bytes) -> int:
        if self._connection is None:
            self._connection = _Connection(self._line)
        self._connection.request("POST", self._line.endpoint.path, body, {"Content-Type": CONTENT_TYPE})
        answer = self._connection.getresponse()
        answer.read(_ANSWER_LIMIT_BYTES)
        if not answer.isclosed():
            self.close()  # there is more of it, and nobody wants it
        return answer.status


class _Connection(HTTPConnection):
    """HTTP over a line, which is opened again whenever the other side has closed it."""

    def __init__(self, line: Line) -> None:
        super().__init__(line.endpoint.host, line.endpoint.port)
        self._line = line

    def connect(self) -> None:
        self.sock = self._line.open()
