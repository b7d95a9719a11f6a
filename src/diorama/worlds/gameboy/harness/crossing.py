"""Equality across devices: after the same keys every canonical field of every lane is the same."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from diorama.worlds.gameboy.harness.actions import SeededRandom
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.lanes import Lanes, open_lanes
from diorama.worlds.gameboy.schedule import PressSchedule

STEPS: Final = 200


def batch_hash(lanes: Lanes) -> str:
    """Hash all canonical fields, memory and serial bytes of all lanes with blake2b-128."""
    digest = blake2b(digest_size=16)
    for lane in range(lanes.lanes):
        digest.update(lanes.state_words(lane).astype("<u8").tobytes())
    return digest.hexdigest()


def hash_after(
    backend: str, rom: RomUnderTest, *, lanes: int, steps: int, schedule: PressSchedule | None = None
) -> str:
    """Run a backend from power-on with drawn keys and hash all its lanes.

    Raises:
        TierUnavailable: If the backend cannot run here.
    """
    source, timing = SeededRandom(), schedule or PressSchedule()
    opened = open_lanes(backend, rom.image, lanes, boot=rom.boot)
    for step in range(steps):
        opened.step(source.actions(step, lanes), timing.frames_per_step, timing.release_after_frames)
    return batch_hash(opened)


def odd_ones_out(backends: Sequence[str], rom: RomUnderTest, *, lanes: int, steps: int) -> dict[str, str]:
    """Hashes of the backends that do not agree with the first one; empty where all do."""
    expected, *others = (hash_after(backend, rom, lanes=lanes, steps=steps) for backend in backends)
    return {backend: found for backend, found in zip(backends[1:], others, strict=True) if found != expected}
