"""A live town as `diorama live` runs it, which also writes down when each tick began, was told and ended.

    python timed_live.py FOLDER FILE

Prints its address; FILE gets a line `tick begun told ended used` for every tick: three times in seconds since 1970, and
the seconds of processor time that the world's own thread used.
"""

import sys
import time
from pathlib import Path
from typing import TextIO

from diorama.cli.live.running import LiveFlags, open_runtime
from diorama.cli.live.serving import serve_live
from diorama.operate.live.orchestrator import CONSOLE, KEEP, TELL, StageContext


class TickTimes:
    """Notes the beginning of a tick, of the stage that tells it, and its end; a stage hook."""

    def __init__(self, file: TextIO) -> None:
        """Begin with nothing noted."""
        self._file = file
        self._begun = self._told = self._used = 0.0

    def before_stage(self, number: int, ctx: StageContext) -> None:
        """Look at the clocks."""
        if number == CONSOLE:
            self._begun, self._used = time.time(), time.thread_time()
        elif number == TELL:
            self._told = time.time()

    def after_stage(self, number: int, ctx: StageContext) -> None:
        """Write a line when the tick has ended."""
        if number == KEEP:
            used = time.thread_time() - self._used
            self._file.write(f"{ctx.tick} {self._begun:.6f} {self._told:.6f} {time.time():.6f} {used:.9f}\n")


def main() -> int:
    """Run the town until a signal ends it."""
    folder, times = map(Path, sys.argv[1:])
    address = ("127.0.0.1", 0)
    flags = LiveFlags(
        world="townlet",
        config=None,
        services=None,
        policy=None,
        shadow=None,
        speed="1x",
        seed=1,
        resume=False,
        run_id=None,
        root=folder,
        autosave=1000,
        ticks=None,
        deterministic=False,
        address=address,
        run_root=folder / "runs",
    )
    runtime = open_runtime(flags)
    with times.open("w", buffering=1, encoding="utf-8") as file:
        runtime.add_hook(TickTimes(file))
        return serve_live(runtime, flags, address)


if __name__ == "__main__":
    sys.exit(main())
