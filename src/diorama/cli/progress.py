"""Progress bars on stderr that leave stdout to the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a bar while the block runs and yield the function that advances it by one; off without a terminal."""
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn

    with _bar(title, total, MofNCompleteColumn(), TimeElapsedColumn()) as advance:
        yield lambda: advance(1)


@contextmanager
def byte_bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar of bytes while the block runs and yield the function that advances it by so many."""
    from rich.progress import DownloadColumn, TransferSpeedColumn

    with _bar(title, total, DownloadColumn(), TransferSpeedColumn()) as advance:
        yield advance


@contextmanager
def _bar(title: str, total: int, *columns: ProgressColumn) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        # Redirected lines come out on stderr: right on a terminal, where both meet, and wrong into a file.
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task = bar.add_task(title, total=total)
        yield lambda steps: bar.advance(task, steps)
