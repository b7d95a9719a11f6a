"""The dashboard of a run in training."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Header, Static

from diorama.cli.dashboard.run_texts import curve_lines, metric_rows, standing, window_rows
from diorama.cli.dashboard.tables import CellTable, fill
from diorama.cli.terminal import require_terminal
from diorama.contracts.errors import DioramaError
from diorama.runs.metadata import RunMetadata, RunStatus, is_stale
from diorama.runs.run import Run, open_run

_EVERY_SECONDS: Final = 1.0
_SILENCE: Final = timedelta(minutes=2)
_WINDOW_COLUMNS: Final = ("window", "steps", "episodes", "return", "steps/s")
_METRIC_COLUMNS: Final = ("metric", "last window", "over the run")


def watch_run(root: Path, run_id: str) -> None:
    """Watch a run until the user leaves.

    Raises:
        DioramaError: There is no such run, what it says of itself is broken, or there is no terminal to show it.
    """
    run = open_run(root, run_id)
    run.metadata()
    require_terminal("diorama watch", instead=f"{run.layout.windows} has what it shows, line by line")
    RunDashboard(run).run()


class RunDashboard(App[None]):
    """Where a run stands, its curves, its metrics and its last windows."""

    TITLE = "Diorama"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Leave"),
        Binding("tab", "focus_next", "Next panel", priority=True),
    ]
    CSS = """
    #standing { height: auto; padding: 0 1; background: $panel; }
    #standing.warning { background: $error; color: $text; }
    #curves { height: auto; border: round $primary; padding: 0 1; }
    #windows, #metrics { border: round $primary; height: 1fr; width: 1fr; }
    #windows:focus, #metrics:focus { border: round $accent; }
    """

    def __init__(self, run: Run) -> None:
        """Show a run."""
        super().__init__()
        self._run_shown = run
        self.sub_title = run.run_id

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        yield Header(icon=" ")
        with Vertical():
            yield Static("", id="standing")
            curves = Static("", id="curves")
            curves.border_title = "Curves, window by window"
            yield curves
            with Horizontal():
                for name, title in (("windows", "Windows, newest first"), ("metrics", "Metrics, means of a window")):
                    table: CellTable = DataTable(id=name, cursor_type="none")
                    table.border_title = title
                    yield table
        yield Footer()

    def on_mount(self) -> None:
        """Begin to read; the run is read again every second."""
        self._read()
        self.set_interval(_EVERY_SECONDS, self._read)

    def _read(self) -> None:
        try:
            metadata, windows = self._run_shown.metadata(), self._run_shown.windows()
        except DioramaError as error:
            self._tell(f"the run cannot be read any more: {error}; what is shown is old", is_warning=True)
            return
        self._show(metadata, windows)

    def _show(self, metadata: RunMetadata, windows: list[dict[str, Any]]) -> None:
        now = datetime.now(UTC)
        is_silent = is_stale(metadata, now=now, limit=_SILENCE)
        self._tell(standing(metadata, windows, now if is_silent else None), is_warning=_is_bad(metadata, is_silent))
        lines = "\n".join(curve_lines(windows)) or "no window has closed yet"
        self.query_one("#curves", Static).update(Text(lines))
        fill(self.query_one("#windows", DataTable), _WINDOW_COLUMNS, window_rows(windows))
        fill(self.query_one("#metrics", DataTable), _METRIC_COLUMNS, metric_rows(metadata, windows))

    def _tell(self, text: str, *, is_warning: bool) -> None:
        told = self.query_one("#standing", Static)
        told.update(Text(text))
        told.set_class(is_warning, "warning")


def _is_bad(metadata: RunMetadata, is_silent: bool) -> bool:
    return is_silent or metadata.status is RunStatus.FAILED
