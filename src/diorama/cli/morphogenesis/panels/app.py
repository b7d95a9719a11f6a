"""The dashboard itself: follows a run and answers keys."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar, Final

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer
from textual.widgets import Footer, Input, Static

from diorama.cli.morphogenesis.panels import details, overview, policy
from diorama.cli.morphogenesis.panels.modals import Page
from diorama.cli.morphogenesis.panels.sources import EventSource
from diorama.worlds.morphogenesis.views.aggregator import ViewAggregator
from diorama.worlds.morphogenesis.views.pictures import EnvPicture, RunPicture

EVERY_S: Final = 0.25
ENVS: Final = "envs"
SCORES: Final = "scores"
LOG: Final = "log"
LOG_LINES: Final = 100
PANELS: Final = (ENVS, SCORES, *(name for name, _, _ in policy.PANELS), LOG)
HELP: Final = """\
q        leave                          t        next group
d Enter  detail of what is chosen       Tab      next panel, Shift-Tab the one before
h l ← →  panel to the left or right     j k g G  down, up, first, last
1 … 9 0  choose an env                  /        filter envs and events, Esc clears it
w        what each coalition is worth   a        attribution of the last episode
y        timeline of the slots          i        what the run was started with
p        pause or go on                 :        console: pause, resume, step 3, status, env 0,
r        draw again                              slot 0 r0c0, op 0 PRUNE r0c0, control 0 rules,
?        this page                               snapshot 0, rollback 0, inject 0 nan, quit"""


class GrowthDashboard(App[None]):
    """A run of growing hosts in the terminal. The run itself is elsewhere: this only draws pictures of its events."""

    TITLE = "Diorama"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None  # else the line for filters and commands would take every key
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Leave"),
        Binding("d,enter", "detail", "Detail"),
        Binding("t", "next_group", "Group"),
        Binding("tab", "panel(1)", "Panel", priority=True),
        Binding("shift+tab", "panel(-1)", show=False, priority=True),
        Binding("l,right", "panel(1)", show=False),
        Binding("h,left", "panel(-1)", show=False),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("g,home", "edge(0)", show=False),
        Binding("G,end", "edge(-1)", show=False),
        *(Binding(str(number), f"choose({(number - 1) % 10})", show=False) for number in range(10)),
        Binding("slash", "ask('/')", "Filter"),
        Binding("escape", "clear", show=False),
        Binding("r", "refresh_now", show=False),
        Binding("i", "info", "Run"),
        Binding("question_mark", "help", "Help"),
        Binding("p", "pause", "Pause"),
        Binding("colon", "ask(':')", "Console"),
        Binding("w", "waterfall", show=False),
        Binding("a", "attribution", show=False),
        Binding("y", "timeline", show=False),
    ]
    CSS = """
    .line { height: auto; padding: 0 1; }
    #header { background: $panel; }
    .panel { border: round $primary-darken-2; height: 1fr; }
    .panel.chosen { border: round $accent; }
    .panel Static { width: auto; padding: 0 1; }
    #envs { height: auto; max-height: 45%; }
    #scores { width: 2fr; }
    #policy { width: 3fr; }
    #log { max-height: 12; }
    #asked { display: none; }
    #asked.open { display: block; }
    """

    def __init__(self, source: EventSource, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Follow a source; nothing is read before the app runs."""
        super().__init__()
        self.aggregator = ViewAggregator()
        self.picture: RunPicture = self.aggregator.picture()
        self.wanted = ""
        self.told = ""
        self._source = source
        self._now = now
        self._panel = 0
        self._tab = policy.PANELS[0][0]
        self._env_id: int | None = None
        self._score = 0
        self._group: str | None = None
        self._asks = ""
        self._has_told_stop = False
        self._edition = 0
        self._drawn: dict[str, object] = {}

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        for name in ("header", "anomalies", "narrative"):
            yield Static("", id=name, classes="line")
        yield _panel(ENVS, "Environments")
        with Horizontal():
            yield _panel(SCORES, "Scoreboard")
            yield _panel("policy", "Policy")
        yield _panel(LOG, "Events, newest first")
        yield Static("", id="told", classes="line")
        yield Input(id="asked")
        yield Footer()

    def on_mount(self) -> None:
        """Begin to follow."""
        self.refresh_picture()
        self.set_interval(EVERY_S, self.refresh_picture)

    def refresh_picture(self) -> None:
        """Take in what is new and draw it."""
        fresh, answers, stopped = self._source.take(), self._source.take_answers(), self._source.stopped
        if fresh or stopped is not None or self._group not in (None, self.picture.group_id):
            self.aggregator.add(fresh)
            self.aggregator.dropped, self.aggregator.malformed = self._source.dropped, self._source.malformed
            self.aggregator.stopped = stopped
            self.picture = self.aggregator.picture(self._group)
            self._edition += 1
        self.told = answers[-1] if answers else self.told
        self._draw()
        if self.picture.stopped is not None and not self._has_told_stop:
            self._has_told_stop = True
            self.push_screen(Page("Training stopped", Text(self.picture.stopped)))

    @property
    def panel(self) -> str:
        """The panel that is chosen."""
        return PANELS[self._panel]

    @property
    def env(self) -> EnvPicture | None:
        """The env that is chosen: the first one shown where none is."""
        shown = overview.shown_envs(self.picture, self.wanted)
        return next((env for env in shown if env.env_id == self._env_id), shown[0] if shown else None)

    def action_next_group(self) -> None:
        """Show the next group."""
        groups = self.picture.groups
        if groups:
            self._group = groups[(groups.index(self.picture.group_id) + 1) % len(groups)]
            self._env_id, self._score = None, 0
            self.refresh_picture()

    def action_panel(self, by: int) -> None:
        """Choose another panel."""
        self._panel = (self._panel + by) % len(PANELS)
        if self.panel not in (ENVS, SCORES, LOG):
            self._tab = self.panel
        self._draw()

    def action_move(self, by: int) -> None:
        """Go down or up in the chosen panel."""
        if self.panel == SCORES:
            most = len(overview.scored(self.picture)) - 1
            self._score = max(0, min(self._score + by, most))
        elif self.panel == LOG:
            self.query_one(f"#{LOG}", ScrollableContainer).scroll_relative(y=by, animate=False)
        else:
            self._move_to(by + self._place())
        self._draw()

    def action_edge(self, place: int) -> None:
        """Go to the first or the last line of the chosen panel."""
        if self.panel == SCORES:
            self._score = 0 if place == 0 else max(0, len(overview.scored(self.picture)) - 1)
        elif self.panel == LOG:
            log = self.query_one(f"#{LOG}", ScrollableContainer)
            log.scroll_home(animate=False) if place == 0 else log.scroll_end(animate=False)
        else:
            self._move_to(0 if place == 0 else len(overview.shown_envs(self.picture, self.wanted)) - 1)
        self._draw()

    def action_choose(self, env_id: int) -> None:
        """Choose an env by its number."""
        if any(env.env_id == env_id for env in self.picture.envs):
            self._env_id = env_id
        self._draw()

    def action_detail(self) -> None:
        """Open what is chosen."""
        decisions, env, scored = self.picture.policy.decisions, self.env, overview.scored(self.picture)
        if self.panel == SCORES and scored:
            self._open("Episode", details.episode_detail(scored[min(self._score, len(scored) - 1)]))
        elif self.panel == "decisions" and decisions:
            made = next((one for one in reversed(decisions) if env and one.env_id == env.env_id), decisions[-1])
            self._open("Decision", details.decision_detail(made))
        elif self.panel == "actions" and env is not None:
            self._open("Seeds", Group(*(details.seed_detail(slot) for slot in env.slots)))
        elif self.panel == LOG:
            self._open("Events", overview.log_text(self.picture, self.wanted))
        elif env is not None:
            self._open("Environment", details.env_detail(self.picture, env))

    def action_waterfall(self) -> None:
        """Open what each coalition of seeds is worth."""
        if self.env is not None:
            self._open("Coalitions", details.waterfall(self.env))

    def action_attribution(self) -> None:
        """Open who brought how much in the last episode of the chosen env."""
        env, scored = self.env, overview.scored(self.picture)
        mine = [episode for episode in scored if env is not None and episode.env_id == env.env_id]
        self._open("Attribution", details.attribution(max(mine, key=lambda one: one.episode, default=None)))

    def action_timeline(self) -> None:
        """Open what happened to the slots of the chosen env."""
        if self.env is not None:
            self._open("Timeline", details.timeline(self.env))

    def action_info(self) -> None:
        """Open what the run was started with."""
        self._open("Run", details.run_info(self.picture))

    def action_help(self) -> None:
        """Open the list of keys."""
        self._open("Keys", Text(HELP))

    def action_refresh_now(self) -> None:
        """Draw again at once."""
        self.refresh_picture()

    def action_pause(self) -> None:
        """Pause the run, or the view where the run is out of reach."""
        self.told = self._source.pause()
        self._draw()

    def action_ask(self, what: str) -> None:
        """Open the line for a filter or a command."""
        self._asks = what
        asked = self.query_one("#asked", Input)
        asked.placeholder = "number of an env, a status or a word" if what == "/" else "a command; ? lists them"
        asked.value = ""
        asked.add_class("open")
        asked.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the filter or the command."""
        given = event.value.strip()
        if self._asks == "/":
            self.wanted = given
        elif given:
            self.told = self._source.say(given)
        self._close_line()
        if self._asks == ":" and given == "quit":
            self.exit()
            return
        self.refresh_picture()

    def action_clear(self) -> None:
        """Close the line, and clear the filter."""
        self.wanted, self.told = "", ""
        self._close_line()
        self._draw()

    def _close_line(self) -> None:
        asked = self.query_one("#asked", Input)
        asked.remove_class("open")
        self.set_focus(None)

    def _open(self, title: str, content: RenderableType) -> None:
        self.push_screen(Page(title, content))

    def _place(self) -> int:
        shown, env = overview.shown_envs(self.picture, self.wanted), self.env
        return 0 if env is None else shown.index(env)

    def _move_to(self, place: int) -> None:
        shown = overview.shown_envs(self.picture, self.wanted)
        if shown:
            self._env_id = shown[max(0, min(place, len(shown) - 1))].env_id

    def _draw(self) -> None:
        picture, now = self.picture, self._now()
        edition, env, score = self._edition, self.env, self._score if self.panel == SCORES else None
        chosen, second = None if env is None else env.env_id, now.replace(microsecond=0)
        drawing = next(draw for name, _, draw in policy.PANELS if name == self._tab)
        told = self.told or (f"filter: {self.wanted}" if self.wanted else "")
        # A table takes long to lay out: it is drawn again when what it shows has changed, and else not.
        self._show("header", (edition, second), lambda: overview.header_line(picture, now))
        self._show("anomalies", edition, lambda: overview.anomaly_strip(picture))
        self._show("narrative", edition, lambda: Text(" ".join(picture.narrative), style="italic"))
        self._show(
            f"{ENVS}-text",
            (edition, self.wanted, chosen, second),
            lambda: overview.env_table(picture, now, wanted=self.wanted, chosen=chosen),
        )
        self._show(f"{SCORES}-text", (edition, score), lambda: overview.score_table(picture, score))
        self._show("policy-text", (edition, self._tab), lambda: Group(_tabs(self._tab), drawing(picture)))
        self._show(
            f"{LOG}-text",
            (edition, self.wanted),
            lambda: overview.log_text(picture, self.wanted, lines=LOG_LINES),
        )
        self._show("told", told, lambda: Text(told, style="cyan"))
        for name in (ENVS, SCORES, LOG, "policy"):
            is_chosen = self.panel == name or (name == "policy" and self.panel not in (ENVS, SCORES, LOG))
            self.screen_stack[0].query_one(f"#{name}").set_class(is_chosen, "chosen")

    def _show(self, name: str, key: object, draw: Callable[[], RenderableType]) -> None:
        if self._drawn.get(name) != key:
            self._drawn[name] = key
            self.screen_stack[0].query_one(f"#{name}", Static).update(draw())


def _tabs(chosen: str) -> Text:
    titles = (Text(title, style="bold reverse" if name == chosen else "dim") for name, title, _ in policy.PANELS)
    return Text("  ").join(titles)


def _panel(name: str, title: str) -> ScrollableContainer:
    frame = ScrollableContainer(Static("", id=f"{name}-text"), id=name, classes="panel", can_focus=False)
    frame.border_title = title
    return frame
