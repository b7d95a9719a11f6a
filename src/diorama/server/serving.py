"""`Serving`: the server process; it ends gracefully, with streams open or not."""

import logging
import resource
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn
from fastapi import FastAPI
from uvicorn.server import HANDLED_SIGNALS

from diorama.contracts.errors import ConfigError
from diorama.operate.shutdown import DEFAULT_SECONDS, ShutdownDeadline
from diorama.server.connections import LOG, Connection
from diorama.server.streams import OpenStreams

_GRACE_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.5
SOCKET_MESSAGE_BYTES: Final = 1 << 16  # of what a client sends; decisions are small
_PING_SECONDS: Final = 15.0
_BACKLOG: Final = 2048
_EVERYWHERE: Final = ("0.0.0.0", "::", "")
_OPEN_FILES: Final = 1 << 16  # more than all limits of a server together; shells often allow 1,024


class Serving(uvicorn.Server):
    """One server; `run()` serves until it is told to stop.

    Attributes:
        deadline: Counts from the moment at which the server is told to stop; whoever called `run` ends it.
    """

    def __init__(
        self,
        app: FastAPI,
        streams: OpenStreams,
        *,
        proxies: Sequence[str] = (),
        shutdown_seconds: float = DEFAULT_SECONDS,
    ) -> None:
        """Serve an app; its streams are asked to end before it does.

        Args:
            app: What answers.
            streams: Its open streams.
            proxies: Addresses and networks of the proxies whose `X-Forwarded-For` and `-Proto` are believed.
            shutdown_seconds: How long the end may take once a signal has asked for it.
        """
        self._streams = streams
        self.deadline = ShutdownDeadline(shutdown_seconds)
        super().__init__(
            uvicorn.Config(
                app,
                # The log of the process is the framework's, too; lines of requests come from a middleware.
                log_config=None,
                # Whatever the level of the process: its debug lines quote the headers of requests, and so tokens.
                log_level="warning",
                access_log=False,
                http=Connection,
                ws_ping_interval=_PING_SECONDS,
                ws_max_size=SOCKET_MESSAGE_BYTES,
                # Replays are large: packing them would cost more time than a local network takes to carry them.
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=max(1, int(min(_GRACE_SECONDS, shutdown_seconds / 2))),
                server_header=False,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(proxies),
            )
        )

        # What strangers send is answered; a line for each would let them fill the log.
        LOG.setLevel(logging.ERROR)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until `end` or a signal.

        The event loop has a thread of its own, so that this one, which gets the signals, can act on them whatever
        happens on the loop.
        """
        failures: list[BaseException] = []

        def serve() -> None:
            try:
                super(Serving, self).run(sockets)
            except BaseException as error:
                failures.append(error)

        if threading.current_thread() is not threading.main_thread():
            super().run(sockets)
            return
        loop = threading.Thread(target=serve, name="server", daemon=True)
        with self._signals_handled():
            loop.start()
            while loop.is_alive():
                loop.join(_LOOK_SECONDS)
        if failures:
            raise failures[0]

    def end(self) -> None:
        """Stop, within the time that is set for it; from any thread."""
        self.deadline.begin()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal, at once at the second; the caller then cleans up instead of dying of it."""
        if self.should_exit:
            self.force_exit = True
        self.end()

    @contextmanager
    def _signals_handled(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with room for as many connections as the limits allow."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ask the open streams to end before waiting for connections: a stream would never end by itself."""
        self._streams.end_all()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Open the address of a server; port 0 takes a free one.

    Raises:
        ConfigError: It is taken, or is no address of this machine.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError, OverflowError):
        raise ConfigError(f"--host {host!r} is no address; use 127.0.0.1 for this machine alone") from None
    family, kind, protocol, _, address = found[0]
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
    except OSError as error:
        opened.close()
        raise ConfigError(
            f"cannot listen on {host}:{port} ({(error.strerror or str(error)).lower()}); choose another with --port"
        ) from None
    return opened


def is_everywhere(host: str) -> bool:
    """Whether a server that listens there can be reached by every name of this machine."""
    return host in _EVERYWHERE


def address_of(host: str, opened: socket.socket) -> str:
    """Return the address under which a server that listens there is reached from this machine."""
    port = opened.getsockname()[1]
    name = "127.0.0.1" if is_everywhere(host) else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
