"""Programs on the oracle, for tests; where it is not installed they are skipped, and say so."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.oracle import Oracle
from diorama.worlds.gameboy.roms.catalogue import assemble
from diorama.worlds.gameboy.schedule import PressSchedule

needs_oracle = pytest.mark.skipif(
    importlib.util.find_spec("pyboy") is None, reason="PyBoy is not installed (extra `oracle`): not run on the oracle"
)
ONE_FRAME = PressSchedule(frames_per_step=1, release_after_frames=1)


@cache
def built(name: str) -> bytes:
    """A ROM of ours, assembled once."""
    return assemble(name)


@contextmanager
def running(
    rom: bytes, *, boot: BootMode = BootMode.STUB, frames: int = 0, schedule: PressSchedule = ONE_FRAME
) -> Iterator[Oracle]:
    """An oracle that has run some frames, the last one drawn."""
    with Oracle(rom, boot=boot, schedule=schedule) as oracle:
        for frame in range(frames):
            oracle.tick(draw=frame == frames - 1)
        yield oracle
