"""What a person sees while a run trains: a live display on a terminal, plain lines elsewhere."""

from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from diorama.contracts.training_reports import UpdateReport
from diorama.operate.training.pace import Pace
from diorama.operate.training.watching import Outlook
from diorama.runs.clock import Clock
from diorama.runs.windows.row import WindowRow

_PICTURES_PER_SECOND: Final = 4
_SECONDS_PER_LINE: Final = 10.0


class TrainingDisplay:
    """A `ProgressReporter` for people; shows inside a `with` block."""

    def __init__(self, console: Console, clock: Clock) -> None:
        """Prepare; the error stream is the right console, so that results stay alone on the standard output."""
        self._console = console
        self._clock = clock
        self._pace = Pace(clock)
        self._bar = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[steps]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=False),
            console=console,
            expand=True,
        )
        self._task: TaskID | None = None
        self._outlook: Outlook | None = None
        self._row: WindowRow = {}
        self._stage: str | None = None
        self._line_at: float | None = None
        self._live = Live(console=console, refresh_per_second=_PICTURES_PER_SECOND, get_renderable=self._picture)

    def __enter__(self) -> Self:
        """Show the display."""
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave its last picture standing."""
        if self._console.is_terminal:
            self._live.stop()

    def begin(self, outlook: Outlook) -> None:
        """Show what run this is and open the bar."""
        self._outlook = outlook
        facts = ", ".join(f"{name} {value}" for name, value in outlook.facts)
        self.tell(f"run {outlook.layout.run_id} in {outlook.layout.directory.parent}: {facts}")
        self._task = self._bar.add_task(
            outlook.spec.world,
            total=outlook.target_env_steps,
            completed=outlook.env_steps,
            steps=_steps(outlook.env_steps, outlook.target_env_steps),
        )

    def stage(self, words: str | None) -> None:
        """Show what takes a while."""
        self._stage = words
        if words is not None and not self._console.is_terminal:
            self.tell(words)

    def advance(self, env_steps: int) -> None:
        """Move the bar; on a pipe, write a line now and then."""
        self._pace.advance(env_steps)
        if self._outlook is None or self._task is None:
            return
        target = self._outlook.target_env_steps
        shown = min(env_steps, target)
        self._bar.update(self._task, completed=shown, steps=_steps(shown, target))
        if not self._console.is_terminal and self._is_time_for_a_line():
            self.tell(f"{_steps(shown, target)}  {self._speed()}  {self._learning()}")

    def update(self, report: UpdateReport) -> None:
        """Take note of where the time went."""
        self._pace.note(report)

    def windows(self, rows: Sequence[WindowRow]) -> None:
        """Keep the newest window in which an episode ended."""
        for row in rows:
            if row["episodes_completed"] or not self._row:
                self._row = row

    def tell(self, line: str) -> None:
        """Write a line above the display."""
        self._console.print(line, highlight=False, soft_wrap=True)

    def _picture(self) -> RenderableType:
        if self._outlook is None:
            return Text("")
        grid = Table.grid(padding=(0, 2))
        grid.add_row("speed", self._speed())
        grid.add_row("learning", self._learning())
        if self._stage is not None:
            grid.add_row("now", f"[yellow]{self._stage}[/]")
        return Group(self._bar, grid)

    def _is_time_for_a_line(self) -> bool:
        now = self._clock.seconds()
        if self._line_at is None or now - self._line_at >= _SECONDS_PER_LINE:
            self._line_at = now
            return True
        return False

    def _speed(self) -> str:
        return str(self._pace)

    def _learning(self) -> str:
        if self._outlook is None or not self._row:
            return "no window has closed yet"
        spec = self._outlook.spec
        names = ["return_mean", *(f"{key}_mean" for key in spec.headline)]
        titles = ["return", *spec.headline]
        parts = [f"{title} {_number(self._row[name])}" for title, name in zip(titles, names, strict=True)]
        return f"window {self._row['window_id']}: " + ", ".join(parts)


def _steps(done: int, target: int) -> str:
    return f"{_short(done)}/{_short(target)} steps"


def _short(count: float) -> str:
    rounded = float(f"{count:.3g}")  # first, so that 999,999 is a million and not a thousand thousands
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if rounded >= size:
            return f"{_number(rounded / size)}{letter}"
    return f"{count:.0f}"


def _number(value: object) -> str:
    if not isinstance(value, int | float):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
