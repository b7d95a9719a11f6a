"""Runs one console from power-on along known actions; the same wherever it runs, so the fastest one at hand does it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from diorama.contracts.errors import TierUnavailable
from diorama.contracts.values import U8
from diorama.contracts.work import checkpoint
from diorama.native import load_native
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.canonical import WRAM_OFFSET
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.envs.pixels import FULL_SHAPE
from diorama.worlds.gameboy.envs.rom_source import RomSource
from diorama.worlds.gameboy.lanes import Lanes, open_lanes
from diorama.worlds.gameboy.schedule import PressSchedule

_WORK_RAM = 0xC000


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a trace of actions needs beside itself to be played again."""

    rom: RomSource
    boot: BootMode
    schedule: PressSchedule
    action_codec_id: str
    allow_bad_checksum: bool = False


class Replayer:
    """One console and its last picture."""

    def __init__(self, setup: Setup, memory: Mapping[int, int]) -> None:
        """Switch a console on and write to its work RAM before anything runs."""
        self._codec = get_action_codec(setup.action_codec_id)
        self._schedule = setup.schedule
        self.lanes: Lanes = open_lanes(
            fastest_backend(),
            setup.rom.data,
            1,
            boot=setup.boot,
            picture="shade_full",
            allow_bad_checksum=setup.allow_bad_checksum,
        )
        self.picture: U8 = np.zeros(FULL_SHAPE, np.uint8)
        if memory:
            ram = self.lanes.ram(0)
            for address, value in memory.items():
                ram[WRAM_OFFSET + address - _WORK_RAM] = value
            self.lanes.set_ram(0, ram)

    def play(self, actions: Iterable[int]) -> Iterator[U8]:
        """Take the actions one a step and give the picture after each, shades of (144, 160)."""
        shown = np.zeros((1, *FULL_SHAPE), np.uint8)
        schedule = self._schedule
        for action in actions:
            checkpoint()
            choice = np.array([self._codec.validate_action(action)], np.int32)
            self.lanes.step(choice, schedule.frames_per_step, schedule.release_after_frames, picture=shown)
            self.picture = shown[0].copy()
            yield self.picture

    def run(self, actions: Iterable[int]) -> None:
        """Take the actions and keep the last picture."""
        for _ in self.play(actions):
            pass


@cache
def fastest_backend() -> str:
    """The native core where it loads, else the interpreted kernel, which needs nothing."""
    try:
        load_native()
    except TierUnavailable:
        return "py"
    return "rust"
