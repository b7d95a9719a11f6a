"""The dashboard of a run in training."""

from pathlib import Path
from typing import Any, ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import DataTable, Footer, Header, Static

from diorama.cli.dashboard.texts import curve, number
from diorama.runs.run import Run, open_run

_EVERY_SECONDS: Final = 1.0
_WINDOWS_SHOWN: Final = 40
_CURVES: Final = (
    ("return_mean", "Return"),
    ("steps_per_sec", "Steps per second"),
    ("episode_length_mean", "Episode length"),
    ("loss_policy", "Policy loss"),
    ("loss_value", "Value loss"),
    ("entropy", "Entropy"),
    ("approx_kl", "KL divergence"),
)


def watch_run(root: Path, run_id: str) -> None:
    """Watch a run until the user leaves.

    Raises:
        UnknownName: There is no such run.
    """
    RunDashboard(open_run(root, run_id)).run()


class RunDashboard(App[None]):
    """Where a run stands, its curves and its last windows."""

    TITLE = "Diorama"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "Leave")]
    CSS = """
    #standing { height: auto; padding: 0 1; background: $panel; }
    #curves { height: auto; border: round $primary; padding: 0 1; }
    #windows { border: round $primary; }
    """

    def __init__(self, run: Run) -> None:
        """Show a run."""
        super().__init__()
        self._run_shown = run
        self.sub_title = run.run_id

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        yield Header()
        with Vertical():
            yield Static("", id="standing")
            curves = Static("", id="curves")
            curves.border_title = "Curves"
            yield curves
            table: DataTable[str] = DataTable(id="windows", cursor_type="none")
            table.border_title = "Windows, newest first"
            yield table
        yield Footer()

    def on_mount(self) -> None:
        """Begin to read; the run is read again every second."""
        self.query_one("#windows", DataTable).add_columns("window", "steps", "episodes", "return", "steps/s")
        self._read()
        self.set_interval(_EVERY_SECONDS, self._read)

    def _read(self) -> None:
        metadata, windows = self._run_shown.metadata(), self._run_shown.windows()
        self.query_one("#standing", Static).update(
            f"{metadata.world} · {metadata.status.value} · {number(metadata.env_steps_total)} steps · "
            f"{number(metadata.episodes_total)} episodes · {number(metadata.policy_updates)} updates · "
            f"{number(metadata.checkpoints_written)} checkpoints · {number(metadata.replays_written)} replays"
        )
        self.query_one("#curves", Static).update("\n".join(_curve_lines(windows)) or "no window has closed yet")
        table = self.query_one("#windows", DataTable)
        table.clear()
        for row in reversed(windows[-_WINDOWS_SHOWN:]):
            table.add_row(
                *(number(row.get(key)) for key in ("window_id", "env_steps_total", "episodes_completed")),
                *(number(row.get(key)) for key in ("return_mean", "steps_per_sec")),
            )


def _curve_lines(windows: list[dict[str, Any]]) -> list[str]:
    lines = []
    for key, title in _CURVES:
        values = [float(row[key]) for row in windows if isinstance(row.get(key), int | float)]
        if values:
            lines.append(f"{title:<18}{number(values[-1]):>12}  {curve(values, 60)}")
    return lines
