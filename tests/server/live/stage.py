"""A live town behind a real server on a loopback port."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET, socket
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import ClientConnection, connect

from diorama.contracts.config import parse_config
from diorama.operate.live.runtime import LiveRuntime
from diorama.server.live.app import create_live_app
from diorama.server.serving import listen
from diorama.server.settings import ServerSettings
from diorama.server.streams import OpenStreams
from diorama.worlds.registry import load_world
from tests.server.loopback import Announcing

SMALL_BUFFER_BYTES = 1 << 14
ADMIN_TOKEN = "an-admin-token-0123456789"
VIEWER_TOKEN = "a-viewer-token-0123456789"
AUTH = {
    "enabled": True,
    "tokens": [
        {"label": "olga", "role": "admin", "token": ADMIN_TOKEN},
        {"label": "vera", "role": "viewer", "token": VIEWER_TOKEN},
    ],
}


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where a live world answers, and its insides."""

    base_url: str
    root: Path
    runtime: LiveRuntime
    http: httpx.Client
    streams: OpenStreams

    @property
    def address(self) -> str:
        """Where the world's own endpoints lie."""
        return f"{self.base_url}/api/v1/worlds/{self.runtime.world.identity.world}"

    @property
    def audit(self) -> list[dict[str, Any]]:
        """Everything that was audited."""
        return [json.loads(line) for line in (self.root / "logs/console/commands.jsonl").read_text().splitlines()]

    def post(self, envelope: object, token: str | None) -> httpx.Response:
        """Give a command over REST."""
        return self.http.post(f"{self.address}/console", json=envelope, headers=bearer(token))

    def get(self, path: str, token: str | None = None, **parameters: Any) -> httpx.Response:
        """Ask for something."""
        return self.http.get(f"{self.address}{path}", headers=bearer(token), params=parameters)

    def socket(self, kind: str, token: str | None = None, query: str = "", **options: Any) -> ClientConnection:
        """Open a WebSocket."""
        world = self.runtime.world.identity.world
        address = f"{self.base_url.replace('http', 'ws', 1)}/ws/v1/worlds/{world}/{kind}{query}"
        opened: ClientConnection = connect(
            address, additional_headers=bearer(token), proxy=None, max_size=None, open_timeout=20, **options
        )
        return opened

    def deaf_socket(self, kind: str, token: str | None = None) -> ClientConnection:
        """Open a WebSocket that takes in very little until somebody reads it."""
        place = urlsplit(self.base_url)
        raw = socket()
        raw.setsockopt(SOL_SOCKET, SO_RCVBUF, SMALL_BUFFER_BYTES)
        raw.connect((place.hostname, place.port))
        return self.socket(kind, token, sock=raw, max_queue=1, compression=None)

    def wait_until_left(self, kind: str) -> None:
        """Wait until the server has let go of every socket of a kind."""
        while self.streams.counts[kind]:  # asking over and over would take the time that the world needs
            assert self.runtime.join(timeout=0.05) is None, "the world has ended"

    def fingerprint(self) -> tuple[Any, ...]:
        """Return everything an intruder could change."""
        runtime = self.runtime
        status = dict(runtime.status())
        saved = sorted(path for path in self.root.rglob("*") if path.is_file() and "logs" not in path.parts)
        return (
            runtime.world.state_hash(),
            status["tick"],
            status["speed"],
            status["policy"],
            runtime.settings,
            runtime.promotion.status(),
            [path for path in saved if path.suffix == ".gz"],
        )


def every_route(stage: Stage) -> Iterator[tuple[str, str]]:
    """Yield method and address of everything that the server's document lists."""
    document = stage.http.get(f"{stage.base_url}/api/openapi.json").json()
    filled = {"live_id": "townlet", "cmd_id": "x", "world": "townlet"}
    for path, operations in document["paths"].items():
        for method in operations:
            yield method.upper(), stage.base_url + path.format(**filled)


@contextmanager
def on_stage(
    root: Path,
    speed: str = "pause",
    world_id: str = "townlet",
    is_driven: bool = False,
    limits: Mapping[str, int] | None = None,
    **config: Any,
) -> Iterator[Stage]:
    """Run a world live behind a server until the block ends; one that is driven ticks when the test says so."""
    registered = load_world(world_id)
    given = {"console_auth": AUTH, "telemetry": {"transport": {"type": "none"}}, **config}
    runtime = LiveRuntime.open(
        registered,
        parse_config(world_id, registered.config_type, given),
        root=root,
        run_id="stage",
        seed=7,
        speed=speed,
    )
    settings = ServerSettings.model_validate(
        {"runs_root": root / "runs", "follow_heartbeat_seconds": 0.2, **(limits or {})}
    )
    app = create_live_app(runtime, settings)
    opened = listen("127.0.0.1", 0)
    opened.setsockopt(SOL_SOCKET, SO_SNDBUF, SMALL_BUFFER_BYTES)  # what clients do not read must pile up in the server
    server = Announcing(app, app.services.streams, ("127.0.0.1",))  # tests ask from other addresses, too
    thread = Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    if not is_driven:
        runtime.start()
    thread.start()
    try:
        assert server.is_up.wait(30), "the server did not come up"
        with httpx.Client(timeout=20) as http:
            address = f"http://127.0.0.1:{opened.getsockname()[1]}"
            yield Stage(base_url=address, root=root, runtime=runtime, http=http, streams=app.services.streams)
    finally:
        server.should_exit = True
        thread.join(30)
        if is_driven:
            runtime.close()
        else:
            runtime.stop()
            assert runtime.join(30) == 0
        assert not thread.is_alive(), "the server did not stop"
