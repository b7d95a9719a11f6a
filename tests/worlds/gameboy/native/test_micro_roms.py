"""Micro-ROMs on the native core: they pass their own checks, and run as on the oracle."""

from dataclasses import asdict

import numpy as np
import pytest

from diorama import _native
from diorama.native import load_native
from diorama.worlds.gameboy.assembler.library import PASSED, RESULT
from diorama.worlds.gameboy.boot import boot_stub
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile
from tests.worlds.gameboy.on_oracle import built, needs_oracle, running

NEEDS_KEYS = {"JOY_ECHO"}
JUDGES = [rom for rom in MICRO_ROMS.values() if Profile.SELFCHECK in rom.profiles and rom.name not in NEEDS_KEYS]
EXACT = [rom for rom in MICRO_ROMS.values() if Profile.EXACT in rom.profiles]
REGIONS = ((0x8000, 0xA000), (0xC000, 0xE000), (0xFE00, 0xFEA0), (0xFF80, 0xFFFF))
JOYPAD_REQUEST = 0x10  # raised by the oracle for keys that are not selected
FRAMES = 12
OPENING_FRAMES = 4  # their pictures are not compared: the oracle shows what it had before its LCD went on


def console(rom: MicroRom) -> _native.GameboyLanes:
    lanes: _native.GameboyLanes = load_native().GameboyLanes(
        built(rom.name), 1, boot=boot_stub(rom.boot), picture="shade_full"
    )
    return lanes


def press(lanes: _native.GameboyLanes, action: int) -> None:
    lanes.step(np.array([action], np.int32), 1, 1)


@pytest.mark.parametrize("rom", JUDGES, ids=lambda rom: rom.name)
def test_a_rom_that_judges_itself_passes(rom: MicroRom) -> None:
    lanes = console(rom)

    for action in rom.script:
        for _ in range(12):
            press(lanes, action)
    lanes.run_frames(2000)

    assert lanes.read_memory(0, RESULT, RESULT + 1)[0] == PASSED
    assert lanes.read_serial(0).endswith(b"PASS")


@needs_oracle
@pytest.mark.parametrize("rom", EXACT, ids=lambda rom: rom.name)
def test_frame_by_frame_the_core_is_where_the_oracle_is(rom: MicroRom) -> None:
    lanes = console(rom)
    keys = np.random.default_rng([7, len(rom.name)])

    with running(built(rom.name), boot=rom.boot) as oracle:
        for frame in range(FRAMES):
            action = int(keys.integers(0, 8))
            press(lanes, action)
            oracle.step(action)

            ours = dict(zip(SCALAR_FIELDS, lanes.state(0).tolist(), strict=True))
            expected: dict[str, int] = asdict(oracle.cpu())
            seen = {name: ours[name] for name in expected}
            for cpu in (seen, expected):
                cpu["iflag"] &= 0x1F & ~JOYPAD_REQUEST
            assert (frame, seen) == (frame, expected)
            if frame >= OPENING_FRAMES:
                np.testing.assert_array_equal(lanes.read_frame(0), oracle.shades(), err_msg=f"frame {frame}")
        for low, high in REGIONS:
            assert lanes.read_memory(0, low, high) == oracle.read_memory(low, high), f"${low:04X}"
