"""A real server on a loopback port, in a thread of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from threading import Event, Thread
from typing import Any

from fastapi import FastAPI

from diorama.server.app import create_app
from diorama.server.services import Services
from diorama.server.serving import Serving, listen
from diorama.server.settings import ServerSettings
from diorama.server.streams import OpenStreams


@dataclass(frozen=True, slots=True)
class LoopbackServer:
    """Where a server answers, what it serves, and its insides."""

    base_url: str
    run_root: Path
    services: Services

    @property
    def ws_url(self) -> str:
        """Where its WebSockets answer."""
        return self.base_url.replace("http", "ws", 1)


class Announcing(Serving):
    """Says when it is up."""

    def __init__(self, app: FastAPI, streams: OpenStreams, proxies: Sequence[str] = ()) -> None:
        super().__init__(app, streams, proxies=proxies)
        self.is_up = Event()

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.is_up.set()


@contextmanager
def serving(run_root: Path, port: int = 0, /, **settings: Any) -> Iterator[LoopbackServer]:
    """Serve a root until the block ends; a port of 0 takes a free one, and one address may take everything."""
    told = ServerSettings(runs_root=run_root, **{"visitor_share": 1.0, "visitor_saved_seconds": 1e6, **settings})
    app = create_app(told)
    opened = listen("127.0.0.1", port)
    server = Announcing(app, app.services.streams, told.trusted_proxies)
    thread = Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    try:
        assert server.is_up.wait(30), "the server did not come up"
        yield LoopbackServer(f"http://127.0.0.1:{opened.getsockname()[1]}", run_root, app.services)
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the server did not stop"
