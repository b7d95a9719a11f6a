"""Runs test ROMs on one backend until they tell their result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError, DocumentError, MissingExtra
from diorama.contracts.values import U8, JsonObject
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.cartridge import load_cartridge
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.errors import CartridgeError
from diorama.worlds.gameboy.harness.accuracy.conventions import (
    Reader,
    Sign,
    read_microtest,
    read_registers,
    read_rtc_colors,
    read_serial_text,
    read_signature,
    read_tile_map,
)
from diorama.worlds.gameboy.harness.accuracy.png_files import read_shades
from diorama.worlds.gameboy.harness.accuracy.suites import GATES, Section, Suite, reason_to_skip, sections_of, suite_of
from diorama.worlds.gameboy.harness.actions import SeededRandom
from diorama.worlds.gameboy.harness.lockstep import Plan, run_plan
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.lanes import Lanes, open_lanes
from diorama.worlds.gameboy.roms.rom import Profile
from diorama.worlds.gameboy.schedule import PressSchedule

FRAMES: Final = 7200  # two minutes of console time
HOMEBREW_FRAMES: Final = 1200
_LOOK_EVERY: Final = 30
_MENU_FRAMES: Final = 120
_KEY_FRAMES: Final = 8
_SUFFIXES: Final = (".gb", ".dmg")
_READERS: Final[dict[Suite, tuple[Reader, ...]]] = {
    Suite.RTC3TEST: (read_rtc_colors,),
    Suite.GBMICROTEST: (read_microtest,),
    Suite.ACID2: (),
}
_ANY_READER: Final[tuple[Reader, ...]] = (read_registers, read_serial_text, read_signature, read_tile_map)


class Outcome(StrEnum):
    """How a ROM came out."""

    PASS = "pass"
    FAIL = "fail"
    HANG = "hang"  # it told nothing in time
    TRAP = "trap"  # it ran into an illegal opcode
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRom:
    """A ROM, or a section of one, to be run."""

    path: Path
    name: str
    suite: Suite
    section: Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A ROM that was run, or the reason why it was not. `frames` is console time until the result."""

    name: str
    suite: Suite
    outcome: Outcome
    by: str = ""
    words: str = ""
    frames: int = 0

    @property
    def gate(self) -> str:
        """Gate of the specification that the suite belongs to."""
        return GATES[self.suite]

    def to_json(self) -> JsonObject:
        """Return it as it stands in the report."""
        return {
            "name": self.name,
            "suite": str(self.suite),
            "gate": self.gate,
            "outcome": str(self.outcome),
            "by": self.by,
            "words": self.words,
            "frames": self.frames,
        }


def find_test_roms(folder: Path) -> tuple[TestRom, ...]:
    """List the ROMs below a folder, by name.

    Raises:
        ConfigError: If there is no such folder, or no ROM in it.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder; give one that holds test ROMs (*.gb)")
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES and path.is_file())
    if not paths:
        raise ConfigError(f"{folder} holds no ROM (*.gb); this project ships none, put yours there")
    return tuple(rom for path in paths for rom in _sections(path, folder))


def _sections(path: Path, folder: Path) -> Iterator[TestRom]:
    place = path.relative_to(folder)
    # The folder's own name counts too, so that a single suite can be given.
    suite = suite_of(Path(folder.resolve().name) / place)
    for section in sections_of(suite):
        name = place.as_posix() + (f" ({section.name})" if section.name else "")
        yield TestRom(path=path, name=name, suite=suite, section=section)


def judge(rom: TestRom, *, backend: str = "rust", frames: int = FRAMES) -> Judged:
    """Run a ROM from the state after the boot code until it tells its result.

    Raises:
        TierUnavailable: If the backend cannot run here.
    """
    skipped = reason_to_skip(Path(rom.name.partition(" (")[0]))
    if skipped is not None:
        return _judged(rom, Outcome.SKIP, words=skipped)
    try:
        cartridge = load_cartridge(rom.path, allow_bad_checksum=True)
        picture = _reference_picture(rom)
    except (CartridgeError, DocumentError) as error:
        return _judged(rom, Outcome.SKIP, words=str(error))
    if rom.suite is Suite.HOMEBREW:
        return _compare_homebrew(rom, cartridge.rom, backend)
    lanes = open_lanes(backend, cartridge.rom, 1, boot=BootMode.POST, picture="shade_full", allow_bad_checksum=True)
    return _watch(rom, lanes, picture, frames)


def _judged(rom: TestRom, outcome: Outcome, *, by: str = "", words: str = "", frames: int = 0) -> Judged:
    return Judged(name=rom.name, suite=rom.suite, outcome=outcome, by=by, words=words, frames=frames)


def _reference_picture(rom: TestRom) -> U8 | None:
    """The picture beside a ROM: of the same name, or with the section and the model behind it."""
    stem, folder = rom.path.stem, rom.path.parent
    section = f"-{rom.section.name}-tests" if rom.section.name else ""
    names: Sequence[str] = (f"{stem}{section}-dmg.png", f"{stem}{section}.png", f"{stem}{section}-dmg-cgb.png")
    if rom.suite is Suite.ACID2:
        names = (*names, "reference-dmg.png", "img/reference-dmg.png")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    return None if found is None else read_shades(found)


def _watch(rom: TestRom, lanes: Lanes, picture: U8 | None, frames: int) -> Judged:
    readers = _READERS.get(rom.suite, _ANY_READER)
    _choose_section(lanes, rom.section)
    sign, differing, passed = None, 0, 0
    while passed < frames and sign is None:
        chunk = min(_LOOK_EVERY, frames - passed)
        lanes.run_frames(chunk)
        passed += chunk
        if int(lanes.field("trap_kind")[0]):
            where, opcode = (int(lanes.field(name)[0]) for name in ("trap_pc", "trap_opcode"))
            words = f"illegal opcode ${opcode:02X} at ${where:04X}"
            return _judged(rom, Outcome.TRAP, words=words, frames=passed)
        sign = next((found for reader in readers if (found := reader(lanes)) is not None), None)
        if sign is None and picture is not None:
            differing = int(np.count_nonzero(lanes.read_frame(0) != picture))
            sign = Sign(passed=True, by="picture") if differing == 0 else None
    if sign is not None:
        outcome = Outcome.PASS if sign.passed else Outcome.FAIL
        return _judged(rom, outcome, by=sign.by, words=sign.words, frames=passed)
    if picture is not None:
        return _judged(rom, Outcome.FAIL, by="picture", words=f"{differing} pixels differ", frames=passed)
    return _judged(rom, Outcome.HANG, words=f"told nothing in {passed} frames", frames=passed)


def _choose_section(lanes: Lanes, section: Section) -> None:
    if not section.keys:
        return
    lanes.run_frames(_MENU_FRAMES)
    for action in section.keys:
        lanes.press(0, *get_action_codec().to_joypad_mask(action))
        lanes.run_frames(_KEY_FRAMES)
        lanes.press(0, 0, 0)
        lanes.run_frames(_KEY_FRAMES)


def _compare_homebrew(rom: TestRom, image: bytes, backend: str) -> Judged:
    plan = Plan(
        rom=RomUnderTest(rom.path.stem, image),
        ref="oracle",
        dut=backend,
        steps=HOMEBREW_FRAMES,
        profile=Profile.FRAMES,
        actions=SeededRandom(0),
        schedule=PressSchedule(frames_per_step=1, release_after_frames=1),
    )
    try:
        verdict = run_plan(plan)
    except MissingExtra as error:
        return _judged(rom, Outcome.SKIP, words=str(error))
    outcome = Outcome.PASS if verdict.passed else Outcome.FAIL
    words = f"{verdict.frame_share:.1%} of the pictures are equal"
    return _judged(rom, outcome, by="oracle", words=words, frames=HOMEBREW_FRAMES)
