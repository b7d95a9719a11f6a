"""Lanes as Python sees them: fields, memory, pictures, golden states, savestates and refusals."""

import hashlib

import numpy as np
import pytest

from diorama import _native
from diorama.contracts.errors import SnapshotError
from diorama.native import load_native
from diorama.worlds.gameboy.boot import BootMode, boot_stub
from diorama.worlds.gameboy.canonical import ABI_VERSION, SCALAR_FIELDS, dtype_of
from diorama.worlds.gameboy.cartridge import MbcKind
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.savestate import Savestate, pack_savestate, unpack_savestate
from tests.worlds.gameboy.on_oracle import built


def lanes(
    name: str = "GRID_GOAL", count: int = 3, threads: int = 1, picture: str = "packed2", watch: tuple[int, ...] = ()
) -> _native.GameboyLanes:
    opened: _native.GameboyLanes = load_native().GameboyLanes(
        built(name), count, threads=threads, boot=boot_stub(BootMode.STUB_LCD), picture=picture, watch=watch
    )
    return opened


def hashes(batch: _native.GameboyLanes) -> list[int]:
    return [batch.state_hash(lane) for lane in range(batch.lanes)]


def test_the_fields_are_the_canonical_ones() -> None:
    tables = load_native().gameboy_tables()

    assert tables["abi_version"] == ABI_VERSION
    assert [(name, dtype) for name, dtype, _, _ in tables["fields"]] == [(n, dtype_of(n)) for n in SCALAR_FIELDS]


def test_threads_and_buffers_do_not_change_a_step() -> None:
    alone, together = lanes(count=9), lanes(count=9, threads=2)
    actions = np.arange(9, dtype=np.int32) % 8
    pictures = np.zeros((9, *together.picture_shape), np.uint8)

    for _ in range(3):
        alone.step(actions, 24, 8)
        together.step(actions, 24, 8, picture=pictures)

    assert hashes(alone) == hashes(together)
    assert pictures.any()
    np.testing.assert_array_equal(pictures[4], alone.read_frame(4))


def test_watched_bytes_and_ram_v3_are_written_into_the_callers_arrays() -> None:
    batch = lanes(watch=(0xC0F0, 0xFF44))
    watched, features = np.zeros((3, 2), np.uint8), np.zeros((3, 32), np.float32)

    batch.step(np.zeros(3, np.int32), 24, 8, watch=watched, ram_v3=features)

    assert watched[1].tobytes() == batch.read_memory(1, 0xC0F0, 0xC0F1) + batch.read_memory(1, 0xFF44, 0xFF45)
    assert features[2, 0] == np.float32(batch.field("pc")[2]) / np.float32(65535)


def test_a_field_that_was_set_is_read_back_and_checked() -> None:
    batch = lanes()

    batch.set_field("lyc", np.array([1, 2, 3], np.int64))

    assert batch.field("lyc").tolist() == [1, 2, 3]
    assert batch.field("lyc").dtype == np.int32
    assert batch.field("cycle_count").dtype == np.int64
    with pytest.raises(ValueError, match=r"line = 154 is outside 0\.\.153"):
        batch.set_field("line", np.full(3, 154, np.int64))
    with pytest.raises(ValueError, match="no field 'speed'"):
        batch.field("speed")


def test_chosen_lanes_return_to_a_golden_state_with_its_picture() -> None:
    batch = lanes()
    batch.step(np.array([4, 5, 6], np.int32), 24, 8)
    batch.capture(1, 0)
    golden, picture = batch.state_hash(1), batch.read_frame(1)
    batch.step(np.array([7, 7, 7], np.int32), 24, 8)
    others = hashes(batch)

    batch.restore_golden(np.array([1, 0, 0], np.uint8), np.zeros(3, np.int32))

    assert hashes(batch) == [golden, *others[1:]]
    np.testing.assert_array_equal(batch.read_frame(0), picture)


def test_a_snapshot_is_the_blob_of_a_savestate() -> None:
    batch = lanes("SERIAL_HELLO")
    batch.run_frames(30)
    rom_sha256 = hashlib.sha256(built("SERIAL_HELLO")).hexdigest()
    state = Savestate(
        rom_sha256=rom_sha256,
        boot=BootMode.STUB_LCD,
        action_codec_id=DEFAULT_ACTION_CODEC_ID,
        mbc_kind=MbcKind(batch.mbc_kind),
        scalars=dict(zip(SCALAR_FIELDS, batch.state(0).tolist(), strict=True)),
        ram=batch.ram(0).tobytes(),
        cram=batch.cram(0).tobytes(),
        serial=batch.read_serial(0),
    )

    packed = pack_savestate(state)

    assert packed.endswith(batch.snapshot(0))
    assert unpack_savestate(packed, rom_sha256=rom_sha256, action_codec_id=DEFAULT_ACTION_CODEC_ID) == state


def test_a_restored_lane_goes_on_as_the_one_it_was_taken_from() -> None:
    batch = lanes()
    batch.step(np.array([1, 4, 0], np.int32), 24, 8)
    batch.restore(2, batch.snapshot(1))

    batch.step(np.array([0, 7, 7], np.int32), 24, 8)

    assert batch.state_hash(1) == batch.state_hash(2) != batch.state_hash(0)
    with pytest.raises(SnapshotError, match="3 bytes are no console"):
        batch.restore(0, b"abc")


def test_a_trace_tells_every_instruction() -> None:
    batch = lanes(count=1)
    columns = load_native().gameboy_tables()["trace_columns"]

    rows = batch.trace(0, 5)

    assert rows.shape == (5, len(columns))
    assert rows[:, columns.index("pc")].tolist()[:2] == [0, 3]
    assert batch.field("instr_count").tolist() == [5]


def test_serial_bytes_are_drained_once() -> None:
    batch = lanes("SERIAL_HELLO", count=1)
    batch.run_frames(60)

    assert batch.drain_serial(0) == b"OKPASS"
    assert (batch.read_serial(0), batch.field("serial_len").tolist()) == (b"", [0])


def test_a_power_cycle_starts_a_lane_again() -> None:
    batch = lanes()
    fresh = hashes(batch)
    batch.run_frames(5)

    batch.power_cycle(np.array([0, 1, 0], np.uint8))

    assert batch.state_hash(1) == fresh[1] != batch.state_hash(0)
    batch.power_cycle()
    assert hashes(batch) == fresh


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        pytest.param({"rom": b"abc"}, "3 bytes is no cartridge", id="length"),
        pytest.param({"boot": b"abc"}, "boot stub has 3 bytes", id="stub"),
        pytest.param({"picture": "color"}, "picture 'color' is unknown", id="picture"),
        pytest.param({"cartridge_ram": b"abc"}, "image has 3 bytes", id="cartridge-ram"),
    ],
)
def test_what_no_console_can_run_is_refused(keywords: dict[str, bytes | str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load_native().GameboyLanes(**{"rom": built("GRID_GOAL"), "lanes": 1, **keywords})


def test_calls_that_do_not_fit_the_batch_are_refused() -> None:
    batch = lanes()

    with pytest.raises(ValueError, match="actions has 2 values; it must have 3"):
        batch.step(np.zeros(2, np.int32), 24, 8)
    with pytest.raises(ValueError, match="release_after_frames is 25"):
        batch.step(np.zeros(3, np.int32), 24, 25)
    with pytest.raises(ValueError, match=r"lane 3 is outside 0\.\.2"):
        batch.snapshot(3)
    with pytest.raises(ValueError, match="golden slot 5 is empty"):
        batch.restore_golden(np.ones(3, np.uint8), np.full(3, 5, np.int32))
    with pytest.raises(ValueError, match="watch has 4 values; it must have 0"):
        batch.observe(watch=np.zeros((2, 2), np.uint8))
