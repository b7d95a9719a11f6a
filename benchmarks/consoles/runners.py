"""Sides of the benchmark: one of our backends, and PyBoy in this process. Each steps a batch and shows the same."""

import time
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from consoles.goal_reward import GoalReward
from consoles.setting import Setting, Stage
from diorama.contracts.values import I32, U8
from diorama.worlds.gameboy.canonical import RAM_STRIDE, SCALAR_FIELDS, SERIAL_BUFFER_BYTES, dtype_of
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.lanes import Lanes, open_lanes
from diorama.worlds.gameboy.oracle import Oracle

PACKED_SHAPE = (72, 20)


class Runner(Protocol):
    """A batch of consoles under measurement."""

    @property
    def compile_seconds(self) -> float:
        """Time before the first step that is spent once."""

    @property
    def build(self) -> dict[str, str]:
        """Options of the build, such as layout and style."""

    def step(self, actions: I32) -> None:
        """Advance every lane, with everything that the stage asks for."""

    def finish(self) -> None:
        """Wait until what was asked for is done."""

    def instructions(self) -> int | None:
        """Instructions executed by all lanes since power-on, where the side counts them."""

    def pcs(self) -> NDArray[np.int64] | None:
        """Program counter of every lane, where the side tells it."""

    def state_bytes(self) -> int | None:
        """Bytes of state of a lane."""

    def close(self) -> None:
        """Switch everything off."""


class LanesRunner:
    """Lanes whose arrays are in the memory of the host."""

    def __init__(
        self, backend: str, rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting, threads: int
    ) -> None:
        """Switch the lanes on."""
        began = time.perf_counter()
        picture = "none" if stage == "emulate_only" else "packed2"
        self._lanes = open_lanes(backend, rom.image, lanes, threads=threads, boot=rom.boot, picture=picture)
        self.compile_seconds = 0.0 if backend == "rust" else time.perf_counter() - began
        self.build = {"backend": backend, "threads": str(threads)}
        self._frames = (setting.schedule.frames_per_step, setting.schedule.release_after_frames)
        self._pictures: U8 | None = None
        self._reward: GoalReward | None = None
        self._pays = stage == "full_step"
        if stage != "emulate_only":
            self._pictures = np.zeros((lanes, *PACKED_SHAPE), np.uint8)
            self._lanes.capture(0, 0)
            self._slots = np.zeros(lanes, np.int32)

    def step(self, actions: I32) -> None:
        """Advance every lane."""
        if self._pictures is None:
            self._lanes.step(actions, *self._frames)
            return
        self._lanes.step(actions, *self._frames, picture=self._pictures)
        if not self._pays:
            return
        if self._reward is None:
            self._reward = GoalReward(len(self._pictures), ~self._pictures[0])
        _, ended = self._reward.step(self._pictures)
        if ended.any():
            self._lanes.restore_golden(ended, self._slots)

    def finish(self) -> None:
        """Steps are done when they return."""

    def instructions(self) -> int:
        """Sum over all lanes."""
        return int(self._lanes.field("instr_count").sum())

    def pcs(self) -> NDArray[np.int64]:
        """Of every lane."""
        return self._lanes.field("pc").astype(np.int64)

    def state_bytes(self) -> int:
        """Of the canonical state."""
        return lane_bytes(self._lanes)

    def close(self) -> None:
        """Nothing outlives the object."""


class Pyboys:
    """What PyBoy is wherever it runs: not compiled here, its insides asked for nothing, its pictures paid for."""

    compile_seconds = 0.0

    def __init__(self, pictures: U8, stage: Stage) -> None:
        """Take the pictures that each step leaves, a lane after another."""
        self._pictures = pictures
        self._draws, self._pays = stage != "emulate_only", stage == "full_step"
        self._reward: GoalReward | None = None

    def finish(self) -> None:
        """Steps are done when they return."""

    def instructions(self) -> None:
        """PyBoy does not count them."""

    def pcs(self) -> None:
        """Nobody asks PyBoy."""

    def state_bytes(self) -> None:
        """Nobody asks PyBoy."""

    def _pay(self) -> None:
        if self._pays:
            self._reward = self._reward or GoalReward(len(self._pictures), ~self._pictures[0])
            self._reward.step(self._pictures)


class PyboyRunner(Pyboys):
    """PyBoy in this process: one instance per lane, the last frame of a step rendered."""

    def __init__(self, rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting) -> None:
        """Switch the instances on."""
        super().__init__(np.zeros((lanes, *PACKED_SHAPE), np.uint8), stage)
        self.build = {"backend": "pyboy"}
        self._oracles = [Oracle(rom.image, boot=rom.boot, schedule=setting.schedule) for _ in range(lanes)]

    def step(self, actions: I32) -> None:
        """Advance every instance."""
        for lane, oracle in enumerate(self._oracles):
            oracle.step(int(actions[lane]))
            if self._draws:
                self._pictures[lane] = packed2(oracle.shades())
        self._pay()

    def close(self) -> None:
        """Switch the instances off."""
        for oracle in self._oracles:
            oracle.close()


def lane_bytes(lanes: Lanes) -> int:
    """Scalars, memory, cartridge RAM and room for serial bytes of one lane."""
    scalars = sum(np.dtype(dtype_of(name)).itemsize for name in SCALAR_FIELDS)
    return scalars + RAM_STRIDE + lanes.cram_bytes + SERIAL_BUFFER_BYTES


def packed2(shades: U8) -> U8:
    """Every second line and column of a picture, four shades in a byte, the leftmost in the low bits."""
    half = shades[::2, ::2]
    packed: U8 = (half[:, 0::4] | half[:, 1::4] << 2 | half[:, 2::4] << 4 | half[:, 3::4] << 6).astype(np.uint8)
    return packed
