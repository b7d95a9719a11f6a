"""Lets everyone play on the scoreboard of a world who has not: `python -m diorama.server.scoreboard ROOT WORLD`."""

import os
import sys
from pathlib import Path
from threading import Timer
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs.clock import SystemClock
from diorama.training.interrupts import stop_on_interrupt
from diorama.training.scoreboard.board import open_board
from diorama.training.scoreboard.playing import play_missing

_NICENESS: Final = 10
_MOST_SECONDS: Final = 1800.0  # after which no other player begins


def main() -> int:
    """Play at the lowest priority; print a failure as one line."""
    os.nice(_NICENESS)
    with stop_on_interrupt() as stop:
        ending = Timer(_MOST_SECONDS, stop.set)
        ending.daemon = True
        ending.start()
        try:
            play_missing(
                open_board(Path(sys.argv[1]), sys.argv[2]), clock=SystemClock(), progress=SilentProgress(), stop=stop
            )
        except DioramaError as error:
            print(f"diorama: scoreboard: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
