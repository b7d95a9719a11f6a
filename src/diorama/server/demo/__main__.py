"""Makes the demo data of a root: `python -m diorama.server.demo ROOT`."""

import os
import sys
from pathlib import Path
from threading import Event
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.operate.training.interrupts import stop_on_interrupt
from diorama.runs.clock import Clock, SystemClock
from diorama.server.demo.bot_run import BotRun
from diorama.server.demo.training_run import can_train, train_demo
from diorama.worlds.registry import count_worlds

_NICENESS: Final = 10


def make_demo(runs_root: Path, *, stop: Event, clock: Clock) -> None:
    """Make the runs of every world; the bots' first, since their replays are there within seconds.

    Raises:
        DioramaError: Something cannot be made; what was made before stays.
    """
    for world_id in count_worlds().worlds:
        bots = BotRun(runs_root, f"demo-{world_id}-bots", world_id, clock)
        try:
            for bot in bots.bots:
                if not stop.is_set():
                    bots.record(bot)
            if can_train(world_id) and not stop.is_set():
                train_demo(runs_root, f"demo-{world_id}-training", world_id, stop=stop, clock=clock)
        finally:
            # Last, so that pages which show the newest run show the bots, who know what they do.
            bots.close(is_complete=not stop.is_set())


def main() -> int:
    """Make the demo data, as politely as possible; a failure is told in one line."""
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
