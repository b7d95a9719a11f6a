"""The dashboard of a live world."""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import msgspec
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import DataTable, Footer, Header, RichLog, Static
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from diorama.cli.dashboard.addresses import LivePlace
from diorama.cli.dashboard.admission import enter
from diorama.cli.dashboard.live_judging import block, judgement, kpis, moment
from diorama.cli.dashboard.live_news import news
from diorama.cli.dashboard.live_tables import Table, figures, inhabitants
from diorama.cli.dashboard.tables import CellTable, fill
from diorama.cli.terminal import require_terminal
from diorama.contracts.errors import DocumentError
from diorama.telemetry.live.reader import LiveState

SUBPROTOCOL: Final = Subprotocol("telemetry.0.3")
_DRAWN_EVERY_SECONDS: Final = 0.1  # however fast time passes there
_FIRST_RETRY_SECONDS: Final = 0.5
_LONGEST_RETRY_SECONDS: Final = 10.0
_STORIES_KEPT: Final = 200
_TOO_MANY: Final = 429  # spectators; somebody may leave
_NARROW, _WIDE = "-narrow", "-wide"


class Refused(Exception):
    """The server does not show the world; the message has its words.

    Attributes:
        is_final: Whether it is no use to ask again.
    """

    def __init__(self, words: str, *, is_final: bool) -> None:
        """Keep what was said."""
        super().__init__(words)
        self.is_final = is_final


def watch_live(address: str, token_env: str | None) -> None:
    """Watch the live world behind an address until the user leaves; `token_env` holds the token, where one is named.

    Raises:
        DioramaError: Nothing answers there, no such world is live, or there is no terminal to show it.
    """
    place, token = enter(address, token_env)
    server = f"{urlsplit(address).scheme}://{place.server}"
    require_terminal("diorama watch", instead=f"'diorama events --url {server}' tells line by line what happens")
    LiveDashboard(place, token).run()


class LiveDashboard(App[None]):
    """What a live world does, in tables and lines.

    Attributes:
        state: What is known of the world.
    """

    TITLE = "Diorama"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it for instances
        (0, _NARROW),
        (110, _WIDE),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Leave"),
        Binding("p", "hold", "Hold or go on"),
        Binding("tab", "focus_next", "Next panel", priority=True),
    ]
    CSS = """
    #moment { height: auto; padding: 0 1; background: $panel; }
    #moment.warning { background: $error; color: $text; }
    #page.old { opacity: 50%; }
    #left { width: 2fr; }
    #right { width: 1fr; min-width: 42; }
    #kpis, #alerts { height: auto; border: round $primary; padding: 0 1; }
    #seats { height: auto; max-height: 60%; }
    #figures { height: 1fr; }
    #stories { height: 1fr; min-height: 6; padding: 0 1; scrollbar-size-vertical: 1; }
    #seats, #figures, #stories { border: round $primary; }
    #seats:focus, #figures:focus, #stories:focus { border: round $accent; }
    .-wide #page { layout: horizontal; }
    .-narrow #page { layout: vertical; overflow-y: auto; }
    .-narrow #left, .-narrow #right { width: 100%; height: auto; }
    .-narrow #figures { height: auto; max-height: 12; }
    """

    _listening: asyncio.Task[None]

    def __init__(self, place: LivePlace, token: str | None = None) -> None:
        """Show a world; nothing is connected before the app runs."""
        super().__init__()
        self.sub_title = f"{place.world} at {place.server}"
        self.state = LiveState()
        self._place = place
        self._token = token
        self._is_held = False
        self._newest: Mapping[str, Any] | None = None
        self._is_drawn = True
        self._trouble: str | None = None
        self._retry_seconds = _FIRST_RETRY_SECONDS
        self._waiting: deque[Text] = deque(maxlen=_STORIES_KEPT)

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        yield Header(icon=" ")
        yield Static("connecting …", id="moment")
        with Container(id="page"):
            with Vertical(id="left"):
                for name in ("seats", "figures"):
                    yield DataTable(id=name, cursor_type="none")
            with Vertical(id="right"):
                for name, title in (("kpis", "KPIs"), ("alerts", "Stability and policies")):
                    panel = Static("nothing yet", id=name)
                    panel.border_title = title
                    yield panel
                stories = RichLog(id="stories", wrap=True, min_width=1, markup=False, max_lines=_STORIES_KEPT)
                stories.border_title = "Stories and events"
                yield stories
        yield Footer()

    def on_mount(self) -> None:
        """Begin to listen."""
        self.query_one("#stories", RichLog).write(Text("what happens from now on:", style="dim"))
        self._listening = asyncio.create_task(self._listen())
        self.set_interval(_DRAWN_EVERY_SECONDS, self._draw)

    async def on_unmount(self) -> None:
        """Say goodbye to the server."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)

    def action_hold(self) -> None:
        """Stop moving what is shown, or go on; the world goes on in any case."""
        self._is_held = not self._is_held
        self._is_drawn = False
        self._tell_moment()

    async def _listen(self) -> None:
        while True:
            try:
                async with connect(
                    self._place.socket_address, subprotocols=[SUBPROTOCOL], max_size=None, proxy=None
                ) as socket:
                    await self._follow(socket)
                why = "the world has ended, or its server was stopped"
            except Refused as refusal:
                why = f"the server refuses: {refusal}"
                if refusal.is_final:
                    self._admit(why)
                    return
            except OSError as error:
                why = f"no connection: {error.strerror or error}"
            except (WebSocketException, msgspec.DecodeError) as error:
                why = f"the connection broke off: {error}"
            self._admit(f"{why}; next try in {self._retry_seconds:g} s")
            await asyncio.sleep(self._retry_seconds)
            self._retry_seconds = min(2 * self._retry_seconds, _LONGEST_RETRY_SECONDS)

    async def _follow(self, socket: ClientConnection) -> None:
        if self._token is not None:
            await socket.send(msgspec.json.encode({"type": "auth", "token": self._token}).decode())
        async for text in socket:
            message = msgspec.json.decode(text)
            if message.get("type") == "error":
                raise Refused(message["detail"], is_final=message["status_code"] != _TOO_MANY)
            try:
                is_applied = self.state.apply(message)
            except DocumentError as error:
                raise Refused(str(error), is_final=True) from None
            if is_applied:
                self._newest, self._is_drawn, self._trouble = message, False, None
                self._retry_seconds = _FIRST_RETRY_SECONDS
                self._waiting.extend(news(message, block(self.state.state, "agents")))
            else:
                await socket.send('{"type":"resync"}')

    def _admit(self, trouble: str) -> None:
        """Say that nothing comes any more, and what is shown."""
        self._draw()
        shown = "" if self.state.seq is None else f"; what is shown is of tick {self.state.tick:,}"
        self._trouble = trouble + shown
        self._tell_moment()

    def _draw(self) -> None:
        if self._is_held or self._is_drawn:
            return
        self._is_drawn = True
        self._tell_moment()
        blocks = self.state.state
        stories = self.query_one("#stories", RichLog)
        while self._waiting:
            stories.write(self._waiting.popleft())
        self.query_one("#kpis", Static).update(kpis(blocks))
        self.query_one("#alerts", Static).update(judgement(blocks))
        for name, table in (("seats", inhabitants(blocks)), ("figures", figures(blocks))):
            self._fill(name, table)

    def _fill(self, name: str, table: Table) -> None:
        shown: CellTable = self.query_one(f"#{name}", DataTable)
        shown.border_title = table.title
        shown.display = bool(table.rows)
        fill(shown, table.columns, table.rows)

    def _tell_moment(self) -> None:
        line = self.query_one("#moment", Static)
        line.update(Text(self._trouble or self._moment()))
        line.set_class(self._trouble is not None, "warning")
        self.query_one("#page").set_class(self._trouble is not None, "old")

    def _moment(self) -> str:
        if self._newest is None:
            return "connecting …"
        if self._is_held:
            return f"held at tick {self.state.tick:,}; the world goes on, and p shows it again"
        return moment(self._newest, self.state.state)
