"""Makes the demo data of a root: `python -m diorama.server.demo ROOT`."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from threading import Event
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.runs.clock import Clock, SystemClock
from diorama.server.demo.bot_run import BotRun
from diorama.server.demo.training_run import can_train, train_demo
from diorama.training.interrupts import stop_on_interrupt
from diorama.worlds.registry import list_worlds

_NICENESS: Final = 10


def make_demo(runs_root: Path, *, stop: Event, clock: Clock) -> None:
    """Make the runs of every world: the episode of the bot that knows it best, those of the others, a short training.

    Whoever looks meanwhile sees something of every world as soon as can be.

    Raises:
        DioramaError: Something cannot be made, the first such; everything else is.
    """
    worlds = tuple(list_worlds().summaries)
    opened: list[BotRun] = []
    failures: list[DioramaError] = []
    try:
        for world_id in takewhile(lambda _: not stop.is_set(), worlds):
            with _noting(failures):
                opened.append(BotRun(runs_root, f"demo-{world_id}-bots", world_id, clock))
                _record(opened[-1], opened[-1].bots[:1], stop)
        for bots in opened:
            with _noting(failures):
                _record(bots, bots.bots[1:], stop)
        for world_id in takewhile(lambda _: not stop.is_set(), filter(can_train, worlds)):
            with _noting(failures):
                train_demo(runs_root, f"demo-{world_id}-training", world_id, stop=stop, clock=clock)
    finally:
        # Last, so that pages which show the newest run show the bots, who know what they do.
        for bots in opened:
            bots.close(is_complete=not stop.is_set())
    if failures:
        raise failures[0]


def _record(bots: BotRun, names: Sequence[str], stop: Event) -> None:
    for bot in names:
        if not stop.is_set():
            bots.record(bot)


@contextmanager
def _noting(failures: list[DioramaError]) -> Iterator[None]:
    try:
        yield
    except DioramaError as error:
        failures.append(error)


def main() -> int:
    """Make the demo data at the lowest priority; print a failure as one line."""
    os.nice(_NICENESS)
    with stop_on_interrupt() as stop:
        try:
            make_demo(Path(sys.argv[1]), stop=stop, clock=SystemClock())
        except DioramaError as error:
            print(f"diorama: demo data: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
