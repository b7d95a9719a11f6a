"""What is the same for every point of a run: schedule, keys, lengths, and the ROMs."""

from dataclasses import dataclass
from typing import Final, Literal

from diorama.contracts.values import JsonObject
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.harness.actions import ActionSource, Noop, SeededRandom
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, assemble
from diorama.worlds.gameboy.schedule import PressSchedule

SEED: Final = 1234
FRAMES_PER_SECOND: Final = 4_194_304 / 70_224
ROMS: Final = ("ALU_LOOP", "MEM_RWB", "JOY_DIVERGE_PERSIST", "PPU_SPRITES", "GRID_GOAL", "CATCH")
Stage = Literal["emulate_only", "observe", "full_step"]
"""A step without pictures; with one picture of each lane; with reward, ends and resets besides."""
SYNC_EVERY: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a point is measured. Warm-up and measured steps are the same on every side, but for the time limit."""

    warm_up_steps: int = 10
    steps: int = 200
    seconds: float = 20.0  # a point ends early after so long; the steps it took are in its row
    schedule: PressSchedule
    actions: ActionSource

    def to_json(self) -> JsonObject:
        """Return what two runs must share to be related."""
        return {
            "schedule": {
                "frames_per_step": self.schedule.frames_per_step,
                "release_after_frames": self.schedule.release_after_frames,
            },
            "action_source": self.actions.describe(),
            "codec": DEFAULT_ACTION_CODEC_ID,
            "observation": "packed2",
            "warm_up_steps": self.warm_up_steps,
            "measured_steps": self.steps,
            "seconds_limit": self.seconds,
            "sync_policy": f"every {SYNC_EVERY} steps or quarter of a second, and at the end",
        }


def random_keys(*, warm_up_steps: int, steps: int, seconds: float) -> Setting:
    """Every lane presses its own keys."""
    schedule, source = PressSchedule(), SeededRandom(SEED)
    return Setting(warm_up_steps=warm_up_steps, steps=steps, seconds=seconds, schedule=schedule, actions=source)


def no_keys(setting: Setting) -> Setting:
    """The control: lanes in lockstep, because nobody touches a key."""
    return Setting(
        warm_up_steps=setting.warm_up_steps,
        steps=setting.steps,
        seconds=setting.seconds,
        schedule=setting.schedule,
        actions=Noop(),
    )


def rom_named(name: str) -> RomUnderTest:
    """One of our ROMs."""
    if name in MICRO_ROMS:
        return RomUnderTest.of(MICRO_ROMS[name])
    return RomUnderTest(name, assemble(name), BootMode.STUB_LCD, is_free=True)
