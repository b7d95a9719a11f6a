"""`Subject`: a backend under verification, whichever it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final, Protocol, Self

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import I32, JsonObject
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS, WRAM_OFFSET
from diorama.worlds.gameboy.cartridge import Cartridge, MbcKind, parse_cartridge
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.harness.views import View, view_lane, view_oracle
from diorama.worlds.gameboy.lanes import BACKENDS, Lanes, open_lanes
from diorama.worlds.gameboy.oracle import VERSION as ORACLE_VERSION
from diorama.worlds.gameboy.oracle import Oracle
from diorama.worlds.gameboy.roms.rom import MicroRom
from diorama.worlds.gameboy.savestate import Savestate, pack_savestate
from diorama.worlds.gameboy.schedule import PressSchedule

STUB_BAD: Final = "stub_bad"
SUBJECTS: Final = (*BACKENDS, STUB_BAD)
BAD_FROM_STEP: Final = 3
BAD_OFFSET: Final = WRAM_OFFSET + 0x1F00  # $DF00


@dataclass(frozen=True)
class RomUnderTest:
    """A ROM and how it starts.

    `is_free` says that its bytes may travel in a bundle; `selected` is that of `MicroRom`.
    """

    name: str
    image: bytes
    boot: BootMode = BootMode.STUB_LCD
    is_free: bool = False
    selected: range = range(0)

    @classmethod
    def of(cls, rom: MicroRom) -> Self:
        """Assemble one of ours."""
        return cls(rom.name, rom.assemble(), rom.boot, is_free=True, selected=rom.selected)

    @cached_property
    def cartridge(self) -> Cartridge:
        """The checked image."""
        return parse_cartridge(self.image, name=self.name)

    @property
    def sha256(self) -> str:
        """Hash of the image as it was given."""
        return sha256(self.image).hexdigest()


class Subject(Protocol):
    """Consoles that are stepped and looked at."""

    @property
    def version(self) -> str:
        """What runs them, for the bundle."""

    @property
    def tells_everything(self) -> bool:
        """Whether views have every canonical field; the oracle's do not."""

    def step(self, actions: I32) -> None:
        """Advance every console by one step, with one action for each lane of the verification."""

    def pc(self, lane: int) -> int:
        """Address of the next instruction of a lane."""

    def view(self, lane: int) -> View:
        """Look at a lane."""

    def snapshot(self, lane: int) -> bytes | None:
        """Keep what a lane needs to go on from here, where the backend can."""

    def savestate(self, lane: int) -> bytes | None:
        """Pack a lane as a savestate of ours, where the backend can."""

    def close(self) -> None:
        """Switch everything off."""


class OracleSubject:
    """An oracle of its own for each sampled lane."""

    version: Final = f"PyBoy {ORACLE_VERSION}"
    tells_everything: Final = False

    def __init__(self, rom: RomUnderTest, sampled: Sequence[int], schedule: PressSchedule) -> None:
        """Switch an oracle on for each of these lanes."""
        self._cram_bytes = rom.cartridge.ram_bytes
        self._oracles: Mapping[int, Oracle] = {
            lane: Oracle(rom.image, boot=rom.boot, schedule=schedule) for lane in sampled
        }

    def step(self, actions: I32) -> None:
        """Advance the oracles of the sampled lanes."""
        for lane, oracle in self._oracles.items():
            oracle.step(int(actions[lane]))

    def pc(self, lane: int) -> int:
        """Address of the next instruction of a sampled lane."""
        return self._oracles[lane].cpu().pc

    def view(self, lane: int) -> View:
        """Look at a sampled lane."""
        return view_oracle(self._oracles[lane], cram_bytes=self._cram_bytes)

    def snapshot(self, lane: int) -> None:
        """Its state is not ours to keep."""

    def savestate(self, lane: int) -> None:
        """Its state is not ours to pack."""

    def close(self) -> None:
        """Switch the oracles off."""
        for oracle in self._oracles.values():
            oracle.close()


class LanesSubject:
    """Lanes of one of our backends."""

    tells_everything: Final = True

    def __init__(self, backend: str, rom: RomUnderTest, lanes: int, schedule: PressSchedule) -> None:
        """Switch the lanes on."""
        self.version = backend
        self._rom = rom
        self._schedule = schedule
        self.lanes: Lanes = open_lanes(backend, rom.image, lanes, boot=rom.boot, picture="shade_full")

    def step(self, actions: I32) -> None:
        """Advance every lane."""
        self.lanes.step(actions, self._schedule.frames_per_step, self._schedule.release_after_frames)

    def pc(self, lane: int) -> int:
        """Address of the next instruction of a lane."""
        return int(self.lanes.field("pc")[lane])

    def view(self, lane: int) -> View:
        """Look at a lane."""
        return view_lane(self.lanes, lane)

    def snapshot(self, lane: int) -> bytes:
        """Keep a lane."""
        return self.lanes.snapshot(lane)

    def savestate(self, lane: int) -> bytes:
        """Pack a lane."""
        cram_bytes = self._rom.cartridge.ram_bytes
        return pack_savestate(
            Savestate(
                rom_sha256=self._rom.sha256,
                boot=self._rom.boot,
                action_codec_id=DEFAULT_ACTION_CODEC_ID,
                mbc_kind=MbcKind(self.lanes.mbc_kind),
                scalars=dict(zip(SCALAR_FIELDS, self.lanes.state(lane).tolist(), strict=True)),
                ram=self.lanes.ram(lane).tobytes(),
                cram=self.lanes.cram(lane).tobytes()[: max(cram_bytes, 1)],
                serial=self.lanes.read_serial(lane),
            )
        )

    def close(self) -> None:
        """Nothing outlives the object."""


class BadSubject(LanesSubject):
    """Deliberately wrong, to prove that a mismatch is seen and reported: from a step on a byte of memory is flipped."""

    def __init__(self, rom: RomUnderTest, lanes: int, schedule: PressSchedule) -> None:
        """Switch native lanes on."""
        super().__init__("rust", rom, lanes, schedule)
        self.version = STUB_BAD
        self._step = 0

    def step(self, actions: I32) -> None:
        """Advance every lane, then spoil the last one."""
        super().step(actions)
        if self._step >= BAD_FROM_STEP:
            lane = self.lanes.lanes - 1
            ram = np.array(self.lanes.ram(lane))
            ram[BAD_OFFSET] ^= 0xFF
            self.lanes.set_ram(lane, ram)
        self._step += 1


def open_subject(
    backend: str, rom: RomUnderTest, lanes: int, schedule: PressSchedule, *, sampled: Sequence[int]
) -> Subject:
    """Switch a backend on.

    Raises:
        ConfigError: If no backend has this name.
        TierUnavailable: If it cannot run here.
        MissingExtra: If the oracle is not installed.
    """
    if backend == "oracle":
        return OracleSubject(rom, sampled, schedule)
    if backend == STUB_BAD:
        return BadSubject(rom, lanes, schedule)
    if backend not in BACKENDS:
        raise ConfigError(f"backend {backend!r} is unknown; there are: {', '.join(SUBJECTS)}")
    return LanesSubject(backend, rom, lanes, schedule)


def schedule_facts(schedule: PressSchedule) -> JsonObject:
    """Return a schedule as it stands in reports."""
    return {"frames_per_step": schedule.frames_per_step, "release_after_frames": schedule.release_after_frames}
