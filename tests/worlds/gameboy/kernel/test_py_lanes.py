"""The interpreted kernel runs as the native core does, and answers the same calls."""

from typing import Any

import numpy as np
import pytest

from diorama.contracts.errors import SnapshotError
from diorama.worlds.gameboy.kernel import PyLanes
from diorama.worlds.gameboy.kernel.options import BuildOptions, Layout, Style
from diorama.worlds.gameboy.roms.catalogue import rom_names
from tests.worlds.gameboy.kernel.running import assert_equal_runs, interpreted, native
from tests.worlds.gameboy.on_oracle import built

SLEEPY = ("TIMER_IRQ_HALT", "VBLANK_COUNT", "LOCKS", "LCD_TOGGLE")  # few instructions, many events
STEPPED = BuildOptions(stepped=True)
OTHER = BuildOptions(layout=Layout.TILE32, style=Style.SPECIALISED)
BUSY = ("OPCODE_SWEEP", "MBC1_RAM", "PPU_STAT_IRQ")


@pytest.mark.parametrize("name", SLEEPY)
def test_events_come_as_in_the_native_core(name: str) -> None:
    assert_equal_runs(native(name, 2), interpreted(name, 2), 3, frames=2)


@pytest.mark.parametrize("name", BUSY)
def test_instructions_run_as_in_the_native_core(name: str) -> None:
    assert_equal_runs(native(name), interpreted(name), 2, frames=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", rom_names())
def test_every_rom_runs_as_in_the_native_core(name: str) -> None:
    assert_equal_runs(native(name, 2), interpreted(name, 2), 4, frames=4)


@pytest.mark.slow
@pytest.mark.parametrize("name", rom_names())
def test_shortcuts_in_time_change_nothing(name: str) -> None:
    assert_equal_runs(interpreted(name), interpreted(name, build=STEPPED), 2, frames=4)


def test_a_sleeping_console_runs_the_same_m_cycle_by_m_cycle() -> None:
    assert_equal_runs(native("PPU_STAT_IRQ"), interpreted("PPU_STAT_IRQ", build=STEPPED), 1, frames=1)


def test_layout_and_style_change_nothing() -> None:
    special = interpreted("LCD_TOGGLE", 3, build=OTHER)

    assert_equal_runs(native("LCD_TOGGLE", 3), special, 3, frames=2)


@pytest.mark.parametrize("picture", ["shade_full", "shade_half"])
def test_other_pictures_are_those_of_the_native_core(picture: str) -> None:
    ours, theirs = interpreted("PPU_WINDOW", picture=picture), native("PPU_WINDOW", picture=picture)
    theirs.run_frames(30)
    ours.restore(0, theirs.snapshot(0))

    theirs.run_frames(1)
    ours.run_frames(1)

    assert ours.picture_shape == theirs.picture_shape
    assert ours.read_frame(0).any()
    np.testing.assert_array_equal(ours.read_frame(0), theirs.read_frame(0))


@pytest.mark.parametrize("action", [0, 1, 6])
def test_keys_reach_the_program(action: int) -> None:
    ours, theirs = interpreted("JOY_ECHO"), native("JOY_ECHO")
    theirs.run_frames(10)
    ours.restore(0, theirs.snapshot(0))

    for lanes in (ours, theirs):
        lanes.step(np.array([action], np.int32), 2, 2)

    assert ours.read_memory(0, 0xC000, 0xC002) == theirs.read_memory(0, 0xC000, 0xC002)
    assert ours.state_hash(0) == theirs.state_hash(0)


def test_watched_bytes_features_and_memory_are_those_of_the_native_core() -> None:
    addresses = (0xC0F0, 0xFF44, 0xFF04, 0x0100, 0xFE00, 0xFFFF)
    lanes = (interpreted("GRID_GOAL", 2, watch=addresses), native("GRID_GOAL", 2, watch=addresses))
    seen = []
    for batch in lanes:
        watched, features = np.zeros((2, len(addresses)), np.uint8), np.zeros((2, 32), np.float32)
        batch.step(np.array([4, 7], np.int32), 2, 1, watch=watched, ram_v3=features)
        seen.append((watched, features, batch.read_memory(1, 0x8000, 0x10000)))

    np.testing.assert_array_equal(seen[0][0], seen[1][0])
    np.testing.assert_array_equal(seen[0][1], seen[1][1])
    assert seen[0][2] == seen[1][2]


def test_snapshots_go_from_one_backend_to_the_other() -> None:
    ours, theirs = interpreted("MBC1_RAM"), native("MBC1_RAM")
    theirs.run_frames(40)

    ours.restore(0, theirs.snapshot(0))

    assert ours.snapshot(0) == theirs.snapshot(0)
    np.testing.assert_array_equal(ours.state_words(0), theirs.state_words(0))
    np.testing.assert_array_equal(ours.cram(0), theirs.cram(0))
    with pytest.raises(SnapshotError, match="3 bytes are no console"):
        ours.restore(0, b"abc")
    with pytest.raises(SnapshotError, match="there are 1 serial bytes; serial_len says 0"):
        ours.restore(0, interpreted("MBC1_RAM").snapshot(0) + b"x")


def test_golden_states_return_with_their_picture() -> None:
    batch = interpreted("VBLANK_COUNT", 3, build=OTHER)
    batch.run_frames(3)
    batch.capture(1, 2)
    golden, picture = batch.state_hash(1), batch.read_frame(1)
    batch.run_frames(2)
    others = batch.state_hash(2)

    batch.restore_golden(np.array([1, 0, 0], np.uint8), np.full(3, 2, np.int32))

    assert batch.state_hash(0) == golden != others
    assert batch.state_hash(2) == others
    np.testing.assert_array_equal(batch.read_frame(0), picture)
    with pytest.raises(ValueError, match="golden slot 5 is empty"):
        batch.restore_golden(np.ones(3, np.uint8), np.full(3, 5, np.int32))


def test_a_power_cycle_starts_a_lane_again() -> None:
    batch = interpreted("VBLANK_COUNT", 2)
    fresh = native("VBLANK_COUNT").state_hash(0)
    assert batch.state_hash(1) == fresh
    batch.run_frames(1)

    batch.power_cycle(np.array([0, 1], np.uint8))

    assert batch.state_hash(1) == fresh != batch.state_hash(0)


def test_a_console_starts_as_after_a_boot_without_a_stub() -> None:
    ours, theirs = interpreted("GRID_GOAL", boot=None), native("GRID_GOAL", boot=None)

    assert ours.state_hash(0) == theirs.state_hash(0)
    assert_equal_runs(theirs, ours, 1, frames=1)


def test_a_trace_is_that_of_the_native_core() -> None:
    ours, theirs = interpreted("TIMER_IRQ_HALT"), native("TIMER_IRQ_HALT")

    np.testing.assert_array_equal(ours.trace(0, 400), theirs.trace(0, 400))

    assert ours.state_hash(0) == theirs.state_hash(0)


def test_keys_held_by_hand_and_fields_set_by_hand() -> None:
    ours, theirs = interpreted("JOY_ECHO", 2), native("JOY_ECHO", 2)
    for batch in (ours, theirs):
        batch.press(1, 4, 9)
        batch.set_field("lyc", np.array([1, 2], np.int64))

    assert [ours.state_hash(lane) for lane in range(2)] == [theirs.state_hash(lane) for lane in range(2)]
    assert [ours.field(name).dtype.name for name in ("lyc", "cycle_count")] == ["int32", "int64"]
    with pytest.raises(ValueError, match=r"line = 154 is outside 0\.\.153"):
        ours.set_field("line", np.full(2, 154, np.int64))
    with pytest.raises(ValueError, match="no field 'speed'"):
        ours.field("speed")


def test_serial_bytes_are_drained_once() -> None:
    ours, theirs = interpreted("SERIAL_HELLO"), native("SERIAL_HELLO")
    theirs.run_frames(60)
    ours.restore(0, theirs.snapshot(0))

    assert ours.drain_serial(0) == b"OKPASS"
    assert (ours.read_serial(0), ours.field("serial_len").tolist()) == (b"", [0])


def test_an_illegal_opcode_stops_the_console_and_empties_its_picture() -> None:
    rom = bytearray(built("GRID_GOAL"))
    rom[0x100] = 0xD3
    ours = PyLanes(bytes(rom), 1, picture="packed2", allow_bad_checksum=True)
    theirs = native("GRID_GOAL")
    theirs = type(theirs)(bytes(rom), 1, picture="packed2", allow_bad_checksum=True)

    assert_equal_runs(theirs, ours, 2, frames=3)
    assert ours.field("trap_kind").tolist() == [1]


def test_debug_builds_stop_where_they_are_told() -> None:
    told = BuildOptions(break_on_write=0xFF47, break_at=0x0100, max_instr=400)
    batch = interpreted("ALU_LOOP", build=told, picture="none")

    def next_stop() -> tuple[int, int, int]:
        batch.set_field("trap_kind", np.zeros(1, np.int64))
        batch.run_frames(1)
        return batch.field("trap_kind").item(), batch.field("trap_pc").item(), batch.field("bgp").item()

    assert next_stop() == (3, 0x000B, 0xFC)  # behind the write in the boot stub
    assert next_stop() == (3, 0x0100, 0xFC)
    before = batch.field("instr_count").item()
    assert next_stop()[0] == 2
    assert batch.field("instr_count").item() - before == 400


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        pytest.param({"boot": b"abc"}, "boot stub has 3 bytes", id="stub"),
        pytest.param({"picture": "color"}, "picture 'color' is unknown", id="picture"),
        pytest.param({"cartridge_ram": b"abc"}, "image has 3 bytes", id="cartridge-ram"),
    ],
)
def test_what_no_console_can_run_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        interpreted("GRID_GOAL", **settings)


def test_calls_that_do_not_fit_the_batch_are_refused() -> None:
    batch = interpreted("VBLANK_COUNT", 3)

    with pytest.raises(ValueError, match="3 bytes; a cartridge image has a multiple"):
        PyLanes(b"abc", 1)
    with pytest.raises(ValueError, match="actions has 2 values; it must have 3"):
        batch.step(np.zeros(2, np.int32), 24, 8)
    with pytest.raises(ValueError, match="release_after_frames is 25"):
        batch.step(np.zeros(3, np.int32), 24, 25)
    with pytest.raises(ValueError, match=r"lane 3 is outside 0\.\.2"):
        batch.snapshot(3)
    with pytest.raises(ValueError, match="watch has 4 values; it must have 0"):
        batch.observe(watch=np.zeros((2, 2), np.uint8))
    with pytest.raises(ValueError, match="do not fit one batch"):
        interpreted("VBLANK_COUNT", 200_000)
