"""Where episodes begin: seeds, NOOP starts and start states."""

import struct
from hashlib import blake2b

import numpy as np
import pytest
import torch

from diorama.rng import GOLDEN, episode_seed, mix64
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs import device_library, seeds
from diorama.worlds.gameboy.envs.starts import make_starts
from tests.worlds.gameboy.envs.batches import opened

MANY = [0, 1, 5, 2**63 - 1, 2**63, 2**64 - 1, 0x123456789ABCDEF]


def test_a_lane_seed_is_a_hash_of_base_lane_and_rom() -> None:
    digest = blake2b(struct.pack("<qI", 77, 3) + b"ab" * 32, digest_size=8).digest()

    assert seeds.lane_seed(77, 3, "ab" * 32) == struct.unpack("<Q", digest)[0]


def test_the_start_follows_from_seed_and_episode() -> None:
    assert seeds.noop_steps(2**64 - 1, 5, 6) == mix64(4) % 7
    assert seeds.start_slot(9, 2, 5) == mix64(9 ^ (2 * GOLDEN & (2**64 - 1))) % 5


@pytest.mark.parametrize("episode", [0, 1, 40_000])
def test_many_lanes_at_once_draw_what_each_alone_does(episode: int) -> None:
    words, episodes = seeds.as_words(MANY), np.full(len(MANY), episode, np.uint64)
    on_device = device_library.words_on(MANY, torch.device("cpu"))
    device_episodes = torch.full((len(MANY),), episode, dtype=torch.int64)
    noops = [seeds.noop_steps(seed, episode, 6) for seed in MANY]
    slots = [seeds.start_slot(seed, episode, 11) for seed in MANY]

    assert seeds.noop_steps_each(words, episodes, 6).tolist() == noops
    assert seeds.start_slot_each(words, episodes, 11).tolist() == slots
    assert device_library.noop_steps_each(on_device, device_episodes, 6).tolist() == noops
    assert device_library.start_slot_each(on_device, device_episodes, 11).tolist() == slots


def test_the_sequence_of_episode_seeds_is_the_platforms() -> None:
    found = seeds.episode_seed_each(seeds.as_words(MANY), seeds.as_words([4] * 7), seeds.as_words([9] * 7))

    assert found.tolist() == [episode_seed(base, 4, 9) for base in MANY]


def test_noop_starts_are_kept_beforehand_and_drawn_by_the_episode_seed() -> None:
    config = GameboyConfig(rom="CATCH", kind="gb_pixels", frames_per_step=4, release_after_frames=1, noop_start_max=3)
    states = make_starts(config)
    batch = opened(8, rom="CATCH", kind="gb_pixels", release_after_frames=1, noop_start_max=3)

    drawn = [batch.opening_record(copy).info["noop_steps"] for copy in range(8)]

    assert states.noops == 4
    assert len({state.savestate for state in states.states}) == 4
    assert drawn == [seeds.noop_steps(batch.episode_seed(copy), 0, 3) for copy in range(8)]
    assert len(set(drawn)) > 1
    for copy in range(8):
        frames = batch.render_state(copy)["frame_count"]
        assert frames == 24 + 4 * int(str(drawn[copy]))


def test_start_states_differ_by_what_is_written_at_power_on() -> None:
    starts = [{"actions": [0] * 6, "memory": {"$C0E0": maze}} for maze in (0, 5)]
    batch = opened(6, starts=starts, watch=[0xC0E0])

    mazes = [batch.render_state(copy)["watch"] for copy in range(6)]

    assert {str(maze) for maze in mazes} == {"{'$C0E0': 0}", "{'$C0E0': 5}"}
