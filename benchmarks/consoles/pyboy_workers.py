"""Vectorized PyBoy: a process per core, each with several instances; pictures come back in shared memory."""

import multiprocessing as mp
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from consoles.runners import PACKED_SHAPE, Pyboys, packed2
from consoles.setting import Setting, Stage
from diorama.contracts.values import I32, U8
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.oracle import Oracle
from diorama.worlds.gameboy.schedule import PressSchedule


class PyboyWorkers(Pyboys):
    """PyBoy over processes, with the interface of a `Runner`."""

    def __init__(self, rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting, workers: int) -> None:
        """Start the processes and wait until every instance is on."""
        self._memory = SharedMemory(create=True, size=lanes * PACKED_SHAPE[0] * PACKED_SHAPE[1])
        super().__init__(np.ndarray((lanes, *PACKED_SHAPE), np.uint8, self._memory.buf), stage)
        count = min(workers, lanes)
        self.build = {"backend": "pyboy", "workers": str(count)}
        bounds = np.linspace(0, lanes, count + 1).astype(int)
        self._parts = [(int(low), int(high)) for low, high in pairwise(bounds)]
        context = mp.get_context("spawn")
        self._pipes, self._processes = [], []
        for low, high in self._parts:
            ours, theirs = context.Pipe()
            arguments = (theirs, self._memory.name, rom, (low, high, lanes), self._draws, setting.schedule)
            process = context.Process(target=_work, args=arguments, daemon=True)
            process.start()
            self._pipes.append(ours)
            self._processes.append(process)
        for pipe in self._pipes:
            pipe.recv()

    def step(self, actions: I32) -> None:
        """Advance every instance."""
        for pipe, (low, high) in zip(self._pipes, self._parts, strict=True):
            pipe.send(actions[low:high].tolist())
        for pipe in self._pipes:
            pipe.recv()
        self._pay()

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.send(None)
        for process in self._processes:
            process.join()
        del self._pictures
        self._memory.close()
        self._memory.unlink()


def _work(
    pipe: Connection,
    memory_name: str,
    rom: RomUnderTest,
    part: tuple[int, int, int],
    draws: bool,
    schedule: PressSchedule,
) -> None:
    low, high, lanes = part
    memory = SharedMemory(memory_name)
    pictures: U8 = np.ndarray((lanes, *PACKED_SHAPE), np.uint8, memory.buf)
    oracles = [Oracle(rom.image, boot=rom.boot, schedule=schedule) for _ in range(low, high)]
    pipe.send("on")
    while (actions := pipe.recv()) is not None:
        for lane, (oracle, action) in enumerate(zip(oracles, actions, strict=True), start=low):
            oracle.step(action)
            if draws:
                pictures[lane] = packed2(oracle.shades())
        pipe.send("done")
    for oracle in oracles:
        oracle.close()
    del pictures
    memory.close()
