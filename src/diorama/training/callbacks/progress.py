"""Shows a person how a run goes: a live display on a terminal, plain lines elsewhere."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import UpdateReport
from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.windows.row import WindowRow
from diorama.runs.writer import RunWriter
from diorama.training.callbacks.base import RunCallback
from diorama.training.plan import TrainingPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run as it starts or resumes: the env steps it has taken, and those it will have taken at its end."""

    layout: RunLayout
    spec: WorldSpec
    env_steps: int
    target_env_steps: int
    facts: tuple[tuple[str, str], ...]


def run_summary(plan: TrainingPlan, writer: RunWriter, env_steps: int, target: int) -> RunSummary:
    """Return what the display shows; `env_steps` were taken before, `target` is the total to reach."""
    metadata, settings = writer.keeper.current, plan.settings
    return RunSummary(
        layout=writer.layout,
        spec=plan.spec,
        env_steps=env_steps,
        target_env_steps=target,
        facts=(
            ("backend", settings.backend.value),
            ("policy", plan.policy_arch or "none"),
            ("copies", f"{settings.copies:,}"),
            ("tier", metadata.tier_selected),
            ("device", settings.execution.device),
            ("seed", str(settings.seed)),
        ),
    )


class ProgressReporter(Protocol):
    """Shows the progress of a training run; every call comes from the training thread."""

    def begin(self, summary: RunSummary) -> None:
        """The run's directory is open; training is about to start."""

    def stage(self, text: str | None) -> None:
        """Something other than training takes a while; None when it has ended."""

    def advance(self, env_steps: int) -> None:
        """The run has taken so many env steps."""

    def update(self, report: UpdateReport) -> None:
        """The policy was updated."""

    def windows(self, rows: Sequence[WindowRow]) -> None:
        """Windows closed."""

    def log(self, line: str) -> None:
        """A line for a person to read."""


class ProgressCallback(RunCallback):
    """Passes updates, windows and env steps on to a reporter."""

    def __init__(self, progress: ProgressReporter) -> None:
        """Keep the reporter."""
        self._progress = progress

    def on_update(self, report: UpdateReport) -> None:
        """Report an update."""
        self._progress.update(report)

    def on_window(self, rows: Sequence[WindowRow]) -> None:
        """Report windows."""
        self._progress.windows(rows)

    def on_advance(self, env_steps_total: int) -> None:
        """Report env steps."""
        self._progress.advance(env_steps_total)


class NoProgress:
    """A `ProgressReporter` that shows nothing."""

    def begin(self, summary: RunSummary) -> None:
        """Show nothing."""

    def stage(self, text: str | None) -> None:
        """Show nothing."""

    def advance(self, env_steps: int) -> None:
        """Show nothing."""

    def update(self, report: UpdateReport) -> None:
        """Show nothing."""

    def windows(self, rows: Sequence[WindowRow]) -> None:
        """Show nothing."""

    def log(self, line: str) -> None:
        """Show nothing."""


_LOOK_BACK_SECONDS: Final = 10.0


class Pace:
    """Steps per second over the last ten seconds, and the shares of env, policy and learning."""

    def __init__(self, clock: Clock) -> None:
        """Begin without a measurement."""
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque()
        self._spent: deque[tuple[float, float, float, float]] = deque()

    def advance(self, env_steps: int) -> None:
        """Record how many env steps the run has taken."""
        now = self._clock.seconds()
        self._marks.append((now, env_steps))
        while len(self._marks) > 2 and now - self._marks[0][0] > _LOOK_BACK_SECONDS:
            self._marks.popleft()

    def record(self, report: UpdateReport) -> None:
        """Record where the time of an update went."""
        now = self._clock.seconds()
        self._spent.append((now, report.seconds_env, report.seconds_policy, report.seconds_learn))
        while now - self._spent[0][0] > _LOOK_BACK_SECONDS:
            self._spent.popleft()

    @property
    def steps_per_second(self) -> float | None:
        """None before there are two measurements."""
        if len(self._marks) < 2:
            return None
        (began, first), (ended, last) = self._marks[0], self._marks[-1]
        return (last - first) / (ended - began) if ended > began else None

    def __str__(self) -> str:
        """Return it as one line."""
        speed = self.steps_per_second
        text = "-" if speed is None else f"{speed:,.0f} steps/s"
        sums = [sum(column) for column in zip(*(entry[1:] for entry in self._spent), strict=True)]
        total = sum(sums)
        if total <= 0.0:
            return text
        shares = ", ".join(
            f"{name} {share / total:.0%}" for name, share in zip(("env", "policy", "learn"), sums, strict=True)
        )
        return f"{text} ({shares})"


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
        self._summary: RunSummary | None = None
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

    def begin(self, summary: RunSummary) -> None:
        """Show what run this is and open the bar."""
        self._summary = summary
        facts = ", ".join(f"{name} {value}" for name, value in summary.facts)
        self.log(f"run {summary.layout.run_id} in {summary.layout.directory.parent}: {facts}")
        self._task = self._bar.add_task(
            summary.spec.world,
            total=summary.target_env_steps,
            completed=summary.env_steps,
            steps=_steps(summary.env_steps, summary.target_env_steps),
        )

    def stage(self, text: str | None) -> None:
        """Show what takes a while."""
        self._stage = text
        if text is not None and not self._console.is_terminal:
            self.log(text)

    def advance(self, env_steps: int) -> None:
        """Move the bar; on a pipe, write a line now and then."""
        self._pace.advance(env_steps)
        if self._summary is None or self._task is None:
            return
        target = self._summary.target_env_steps
        shown = min(env_steps, target)
        self._bar.update(self._task, completed=shown, steps=_steps(shown, target))
        if not self._console.is_terminal and self._is_time_for_a_line():
            self.log(f"{_steps(shown, target)}  {self._speed()}  {self._learning()}")

    def update(self, report: UpdateReport) -> None:
        """Record where the time went."""
        self._pace.record(report)

    def windows(self, rows: Sequence[WindowRow]) -> None:
        """Keep the newest window in which an episode ended."""
        for row in rows:
            if row["episodes_completed"] or not self._row:
                self._row = row

    def log(self, line: str) -> None:
        """Print a line above the display."""
        self._console.print(line, highlight=False, soft_wrap=True)

    def _picture(self) -> RenderableType:
        if self._summary is None:
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
        if self._summary is None or not self._row:
            return "no window has closed yet"
        spec = self._summary.spec
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
