"""The progress bar of `diorama eval`."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn


class EvaluationBar:
    """One bar per contender on the error stream; silent where that is no terminal."""

    def __init__(self, console: Console) -> None:
        """Prepare the bar; it shows inside a `with` block."""
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("episodes, {task.fields[decisions]:,} decisions"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._decisions = 0

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self._bar.stop()

    def begin(self, contender: str, episodes: int) -> None:
        """Open the bar of a contender."""
        self._decisions = 0
        self._task = self._bar.add_task(contender, total=episodes, decisions=0)

    def advance(self, *, episodes: int, decisions: int) -> None:
        """Move the bar of the current contender."""
        self._decisions += decisions
        if self._task is not None:
            self._bar.update(self._task, advance=episodes, decisions=self._decisions)
