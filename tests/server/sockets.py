"""Reads WebSockets to their end."""

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

PATIENCE = 30


def closing(connection: ClientConnection) -> tuple[int, list[str]]:
    """Return the closing code, 0 without a goodbye, and what was told before."""
    told: list[str] = []
    while True:
        try:
            told.append(str(connection.recv(timeout=PATIENCE)))
        except ConnectionClosed as closed:
            return 0 if closed.rcvd is None else closed.rcvd.code, told


def closing_code(connection: ClientConnection) -> int:
    """Return the closing code, whatever is told before."""
    return closing(connection)[0]
