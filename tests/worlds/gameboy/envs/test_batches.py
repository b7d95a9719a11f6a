"""Batches of the world: step order, resets, stages, snapshots, formats and refusals."""

from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, DioramaError, SnapshotError, TierUnavailable
from diorama.engine.make import make_batch
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.header import CART_TYPE, HEADER_CHECKSUM, RAM_SIZE, header_checksum
from diorama.worlds.gameboy.config import GameboyConfig, Kind
from diorama.worlds.gameboy.envs.pixels import halve, pack, unpack
from diorama.worlds.gameboy.envs.starts import stages_of
from diorama.worlds.gameboy.errors import CartridgeError, CodecMismatch, UnsupportedCartridge
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS, assemble
from tests.worlds.gameboy.envs.batches import SHORT, WORLD, opened, play

SOLUTION = TASK_ROMS["GRID_GOAL"].solve().actions[1:]


def test_a_solved_maze_ends_the_episode_and_opens_the_next() -> None:
    batch = opened(2)
    first = batch.obs_u8.copy()

    rewards = play(batch, [*SOLUTION, 0])

    assert batch.terminated.tolist() == [1, 1]
    assert batch.step_record(1).info["end_reason"] == "goal_reached"
    assert batch.episode_start.tolist() == [1, 1]
    assert batch.metrics[0].tolist() == [1.0, 0.0, 7.0, 28.0, 0.0]
    assert rewards[-1] == np.float32(9.99)
    np.testing.assert_array_equal(batch.obs_u8, first)
    assert batch.final_obs_u8[0].max() == 3
    assert not np.array_equal(batch.final_obs_u8, first)


def test_an_episode_is_cut_off_after_max_steps() -> None:
    batch = opened(max_steps=3)

    play(batch, [0, 0])
    assert not batch.truncated[0]
    play(batch, [0])

    assert (batch.truncated[0], batch.terminated[0]) == (1, 0)
    assert batch.step_record(0).events == ("truncated",)


def test_copies_do_not_depend_on_their_company_or_on_threads() -> None:
    actions = np.random.default_rng(5).integers(0, 8, (12, 20))
    batch, threaded = (opened(20, seed=3, max_steps=5, noop_start_max=2, threads=threads) for threads in (1, 2))
    alone = opened(1, max_steps=5, noop_start_max=2)
    alone.reset([batch.episode_seed(17)])

    for row in actions[:4]:
        batch.step(row)
        threaded.step(row)
        alone.step(row[17:18])

    assert [batch.state_hash(copy) for copy in range(20)] == [threaded.state_hash(copy) for copy in range(20)]
    assert batch.state_hash(17) == alone.state_hash(0)
    np.testing.assert_array_equal(batch.obs_u8[17], alone.obs_u8[0])
    assert batch.rewards[17] == alone.rewards[0]


def test_a_snapshot_goes_on_as_if_nothing_had_happened() -> None:
    for config in ({"stack": 3}, {"kind": "gb_tasks", "rom": "KEYDOOR"}, {"kind": "gb_curriculum", "k_consecutive": 1}):
        batch = opened(2, **config)
        batch.step([7, 5])
        batch.step([7, 7])
        data = batch.snapshot(0)
        before = batch.render_state(0)
        play(batch, [5, 7, 5])
        expected = (batch.state_hash(0), batch.obs_u8[0].copy(), batch.rewards[0], batch.snapshot(0))

        batch.restore(0, data)
        assert batch.render_state(0) == before
        assert batch.snapshot(0) == data
        play(batch, [5, 7, 5])

        assert batch.state_hash(0) == expected[0]
        np.testing.assert_array_equal(batch.obs_u8[0], expected[1])
        assert batch.rewards[0] == expected[2]
        assert batch.snapshot(0) == expected[3]


def test_a_snapshot_of_another_configuration_changes_nothing() -> None:
    batch, other = opened(), opened(max_steps=9)
    before = batch.snapshot(0)

    with pytest.raises(SnapshotError, match="the snapshot is of configuration"):
        batch.restore(0, other.snapshot(0))
    with pytest.raises(SnapshotError):
        batch.restore(0, before[:-9])

    assert batch.snapshot(0) == before


def test_parts_of_a_split_batch_go_on_with_its_copies() -> None:
    whole, other = (opened(5, seed=1, max_steps=4) for _ in range(2))
    for batch in (whole, other):
        play(batch, [7, 5])
    parts = other.split(2)

    for _ in range(3):
        play(whole, [5])
        for part in parts:
            play(part, [5])

    hashes = [part.state_hash(copy) for part in parts for copy in range(part.copies)]
    assert hashes == [whole.state_hash(copy) for copy in range(5)]
    assert [part.episode_seed(0) for part in parts] == [whole.episode_seed(0), whole.episode_seed(2)]


def test_reaching_a_goal_of_a_curriculum_leads_to_the_next_stage() -> None:
    stages = stages_of(GameboyConfig(kind="gb_curriculum"))
    batch = opened(kind="gb_curriculum", k_consecutive=1)

    play(batch, stages[0].solution)
    record = batch.step_record(0)
    play(batch, stages[1].solution)

    assert (record.events, record.event_data) == (("stage_advanced",), {"stage_advanced": {"stage": 1}})
    assert not record.terminated[0]
    assert batch.render_state(0)["stage"] == 2
    for stage in stages[2:]:
        play(batch, stage.solution)
    assert batch.terminated[0]
    assert batch.metrics[0, 0] == 1.0
    assert batch.render_state(0)["stage"] == 0


@pytest.mark.parametrize("copies", [1, 17], ids=["watchable", "many"])
def test_formats_show_the_same_picture(copies: int) -> None:
    formats = ("shade_full", "shade_half", "packed2")
    full, half, packed = (opened(copies, kind="gb_pixels", observation=name) for name in formats)

    for batch in (full, half, packed):
        play(batch, [5])
    pictures = full.obs_u8.reshape(copies, 144, 160)

    assert full.field("pixels").shape == (copies, 144, 160)
    np.testing.assert_array_equal(half.field("pixels"), halve(pictures))
    np.testing.assert_array_equal(packed.field("packed2"), pack(halve(pictures)))
    shown = unpack(np.frombuffer(b64decode(str(packed.render_state(0)["picture"])), np.uint8).reshape(144, 40))
    np.testing.assert_array_equal(halve(shown), halve(pictures[0]))
    if copies == 1:
        np.testing.assert_array_equal(shown, pictures[0])


def test_watched_bytes_and_ram_v3_are_observed() -> None:
    watching = opened(2, kind="gb_pixels", observation="watch", watch=[0xC0F0, 0xC0F1])
    numbers = opened(2, kind="gb_pixels", observation="ram_v3")

    play(watching, SOLUTION[:1])
    play(numbers, [0])

    assert watching.obs_u8[1].tolist() == [1, 2]
    assert numbers.obs.shape == (2, 32)
    assert numbers.obs[0, 0] == np.float32(numbers.render_state(0)["registers"]["pc"]) / np.float32(65535)  # type: ignore[index,call-overload,arg-type]


def test_a_trap_terminates_without_success(tmp_path: Path) -> None:
    a = Asm("TRAPPED")
    a.org(0x0150)
    a.label("start")
    a.db(0xD3)
    path = tmp_path / "trapped.gb"
    path.write_bytes(a.build())
    batch = opened(2, rom=str(path), kind="gb_pixels")

    play(batch, [0])
    record = batch.step_record(1)

    assert (record.terminated, record.events, record.info["trap"]) == ((True,), ("trap",), 1)
    assert record.event_data["trap"] == {"kind": 1, "pc": 0x0150, "opcode": 0xD3}
    assert batch.metrics[1].tolist() == [0.0, 0.0, 1.0, 4.0, 1.0]
    assert record.metrics[0][0] == 0.0


def test_a_rom_that_cannot_run_says_why(tmp_path: Path) -> None:
    image = bytearray(assemble("GRID_GOAL"))
    short, camera, damaged = tmp_path / "short.gb", tmp_path / "camera.gb", tmp_path / "damaged.gb"
    short.write_bytes(image[:100])
    damaged.write_bytes(image[:0x14D] + b"\x00" + image[0x14E:])
    image[0x147] = 0xFC
    image[0x14D] = (image[0x14D] - 0xFC) & 0xFF
    camera.write_bytes(image)

    with pytest.raises(CartridgeError, match=r"absent.gb: there is no such ROM; give the path of a file, or the name"):
        opened(rom=str(tmp_path / "absent.gb"), kind="gb_pixels")
    with pytest.raises(CartridgeError, match="has 100 bytes"):
        opened(rom=str(short), kind="gb_pixels")
    with pytest.raises(CartridgeError, match="the header checksum"):
        opened(rom=str(damaged), kind="gb_pixels")
    with pytest.raises(UnsupportedCartridge, match=r"cartridge type \$FC is not emulated"):
        opened(rom=str(camera), kind="gb_pixels")
    opened(rom=str(damaged), kind="gb_pixels", allow_bad_checksum=True)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        pytest.param({"release_after_frames": 9}, "release_after_frames is 9", id="schedule"),
        pytest.param({"observation": "ram_v3"}, "gb_goal needs shade_half or packed2", id="goal-without-picture"),
        pytest.param({"kind": "gb_pixels", "observation": "watch"}, "name the addresses", id="watching-nothing"),
        pytest.param({"novelty_size": 1000}, "must be a power of two", id="novelty"),
        pytest.param({"tau": 0.0}, "tau: 0.0 is wrong", id="tau"),
        pytest.param({"max_steps": 0}, "max_steps: 0 is wrong", id="steps"),
        pytest.param({"starts": [{"memory": {"$8000": 1}}]}, "greater than or equal to 49152", id="memory"),
        pytest.param({"starts": [{"memory": {"door": 1}}]}, "write an address like", id="address"),
        pytest.param({"stages": [{"start": {}}]}, "either the folder of a goal or a solution", id="stage"),
        pytest.param({"frames": 3}, "there is no such key", id="unknown"),
        pytest.param(
            {"kind": "gb_pixels", "observation": "ram_v3", "stack": 2}, "only pictures are stacked", id="stack"
        ),
    ],
)
def test_a_wrong_configuration_is_refused_with_what_would_be_right(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        opened(**config)


def test_another_action_codec_is_refused_loudly() -> None:
    with pytest.raises(CodecMismatch, match="'other_v1'"):
        opened(action_codec_id="other_v1")


def test_the_batch_says_where_it_does_not_run() -> None:
    with pytest.raises(TierUnavailable, match="there is no device 'tpu'"):
        make_batch(WORLD, config=SHORT, tier="fast", device="tpu")


@pytest.mark.parametrize("name", ["a" * 300, "~nobody-of-that-name/rom.gb", "nul\0.gb"], ids=["long", "home", "nul"])
def test_a_name_that_no_file_can_have_is_told_in_one_line(name: str) -> None:
    configs: tuple[dict[str, Any], ...] = (
        {"rom": name, "kind": "gb_pixels"},
        {"goal": name},
        {"task": f"{name}.yaml", "kind": "gb_tasks"},
    )
    for config in configs:
        with pytest.raises(DioramaError, match=r"cannot be read|no such home folder|cannot hold a NUL") as refused:
            opened(**config)
        assert "\n" not in str(refused.value)


def test_parts_of_a_batch_still_tell_its_last_step() -> None:
    batch = opened(3)
    play(batch, SOLUTION[:1])
    told = [batch.step_record(copy) for copy in range(3)]

    first, second = batch.split(2)

    assert [first.step_record(0), second.step_record(0), second.step_record(1)] == told
    assert told[0].received == ((SOLUTION[0],),)


@pytest.mark.parametrize("type_code", [0x00, 0x01, 0x0F, 0x11, 0x19, 0x1C])
def test_a_cartridge_without_ram_has_none_whatever_its_size_code_says(tmp_path: Path, type_code: int) -> None:
    image = bytearray(assemble("GRID_GOAL"))
    image[CART_TYPE], image[RAM_SIZE] = type_code, 3
    image[HEADER_CHECKSUM] = header_checksum(bytes(image))
    rom = tmp_path / "coded.gb"
    rom.write_bytes(image)
    config = GameboyConfig(rom=str(rom), kind=Kind.PIXELS, frames_per_step=1, release_after_frames=1)

    reference, fast = (make_batch(WORLD, config=config, tier=tier) for tier in ("reference", "fast"))
    for batch in (reference, fast):
        batch.reset([1])
        batch.step(np.array([0], np.int32))

    assert reference.snapshot(0) == fast.snapshot(0)
