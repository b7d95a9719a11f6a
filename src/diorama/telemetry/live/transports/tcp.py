"""`TcpTransport`: one message per line over a connection, encrypted unless it stays on this machine."""

import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from diorama.telemetry.live.transports.lines import Line, joined


class TcpTransport:
    """Connects when there is something to send, and again after a failure; a new connection begins anew."""

    begins_anew: Final = True

    def __init__(self, line: Line, name: str = "tcp") -> None:
        """Choose where it leads."""
        self.name = name
        self._line = line
        self._socket: socket.socket | None = None

    def send(self, messages: Sequence[bytes]) -> None:
        """Write the messages to the connection.

        Raises:
            OSError: Nobody is there, nobody reads in time, or it is somebody else.
        """
        try:
            if self._socket is None:
                self._socket = self._line.open()
            self._socket.sendall(joined(messages))
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            with suppress(OSError):  # the other side may be gone
                self._socket.close()
            self._socket = None
