"""The dashboard of a live world."""

import asyncio
import json
import os
from collections import deque
from collections.abc import Mapping
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

import msgspec
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Header, RichLog, Static
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from diorama.cli.dashboard.live_tables import fill, judgement, kpis, moment, news
from diorama.contracts.errors import ConfigError
from diorama.telemetry.live.reader import LiveState

SUBPROTOCOL: Final = Subprotocol("telemetry.0.3")
_ANSWER_SECONDS: Final = 5.0
_FIRST_RETRY_SECONDS: Final = 0.5
_LONGEST_RETRY_SECONDS: Final = 10.0
_STORIES_KEPT: Final = 200


def watch_live(address: str, *, token_env: str | None) -> None:
    """Watch the live world behind an address until the user leaves.

    Raises:
        ConfigError: Nothing answers there, or no world is live.
    """
    token = None if token_env is None else os.environ.get(token_env)
    if token_env is not None and token is None:
        raise ConfigError(f"the environment variable {token_env} is not set; it should hold a token")
    LiveDashboard(address.rstrip("/"), find_world(address), token).run()


def find_world(address: str) -> str:
    """The id of the first world that is live behind an address; a path of the address may name another.

    Raises:
        ConfigError: Nothing answers there, or no world is live.
    """
    parts = urlsplit(address)
    base = f"{parts.scheme}://{parts.netloc}"
    try:
        with urlopen(f"{base}/api/v1/worlds", timeout=_ANSWER_SECONDS) as answer:
            worlds = [str(row["id"]) for row in json.load(answer)["worlds"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(f"no live world answers at {base}; start one with `diorama live WORLD`") from None
    if not worlds:
        raise ConfigError(f"no world is live at {base}; start one with `diorama live WORLD`")
    wanted = parts.path.strip("/").split("/")[-1]
    if wanted and wanted not in (*worlds, "operate"):
        raise ConfigError(f"no world {wanted!r} is live at {base}; there is: {', '.join(worlds)}")
    return wanted if wanted in worlds else worlds[0]


class LiveDashboard(App[None]):
    """What a live world does, in tables and lines."""

    TITLE = "Diorama"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "Leave"), Binding("p", "hold", "Hold or go on")]
    CSS = """
    #moment { height: 1; padding: 0 1; background: $panel; }
    #left { width: 3fr; }
    #right { width: 2fr; }
    #kpis, #alerts { height: auto; max-height: 12; border: round $primary; padding: 0 1; }
    #state { border: round $primary; }
    #stories { border: round $primary; padding: 0 1; }
    """

    _listening: asyncio.Task[None]

    def __init__(self, address: str, world: str, token: str | None = None) -> None:
        """Show a world; nothing is connected before the app runs."""
        super().__init__()
        parts = urlsplit(address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        self.socket_address = f"{scheme}://{parts.netloc}/ws/v1/worlds/{quote(world)}/telemetry?mode=spectator"
        self.sub_title = f"{world} at {parts.netloc}"
        self.state = LiveState()
        self._token = token
        self._is_held = False
        self._waiting: deque[str] = deque(maxlen=_STORIES_KEPT)

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        yield Header()
        yield Static("connecting …", id="moment")
        with Horizontal():
            with Vertical(id="left"):
                table: DataTable[str] = DataTable(id="state", cursor_type="none")
                table.border_title = "World"
                yield table
            with Vertical(id="right"):
                for name, title in (("kpis", "KPIs"), ("alerts", "Stability and promotion")):
                    panel = Static("nothing yet", id=name)
                    panel.border_title = title
                    yield panel
                stories = RichLog(id="stories", wrap=True, markup=False)
                stories.border_title = "Stories and events"
                yield stories
        yield Footer()

    def on_mount(self) -> None:
        """Begin to listen."""
        self._listening = asyncio.create_task(self._listen())

    async def on_unmount(self) -> None:
        """Say goodbye to the server."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)

    def action_hold(self) -> None:
        """Stop moving what is shown, or go on; the world goes on in any case."""
        self._is_held = not self._is_held

    async def _listen(self) -> None:
        wait = _FIRST_RETRY_SECONDS
        while True:
            try:
                async with connect(self.socket_address, subprotocols=[SUBPROTOCOL], max_size=None) as socket:
                    wait = _FIRST_RETRY_SECONDS
                    if self._token is not None:
                        await socket.send(msgspec.json.encode({"type": "auth", "token": self._token}).decode())
                    await self._follow(socket)
            except (OSError, WebSocketException) as error:
                self._tell(f"no connection ({error}); trying again")
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_RETRY_SECONDS)

    async def _follow(self, socket: ClientConnection) -> None:
        async for text in socket:
            message = msgspec.json.decode(text)
            if self.state.apply(message):
                self._show(message)
            else:
                await socket.send('{"type":"resync"}')

    def _show(self, message: Mapping[str, Any]) -> None:
        self._waiting.extend(news(message))
        if self._is_held:
            return
        blocks = self.state.state
        stories = self.query_one("#stories", RichLog)
        while self._waiting:
            stories.write(self._waiting.popleft())
        self._tell(moment(message, blocks))
        self.query_one("#kpis", Static).update(kpis(blocks))
        self.query_one("#alerts", Static).update(judgement(blocks))
        fill(self.query_one("#state", DataTable), blocks)

    def _tell(self, text: str) -> None:
        self.query_one("#moment", Static).update(text)
