"""The world as the platform sees it: contract, bots, tiers, figures, stored states."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import DocumentError, TierUnavailable, UnknownName
from diorama.contracts.tiers import Tier
from diorama.contracts.values import F32, I32, U8
from diorama.engine.adapters.gymnasium_env import DioramaEnv
from diorama.engine.make import make
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.figures import Episode, lower_median, play_episodes, summarize
from diorama.worlds.gameboy.envs.recipes import ACTIONS_FILE, load_actions, load_state, make_state, save_state
from diorama.worlds.gameboy.envs.snapshot_cache import SnapshotCache
from diorama.worlds.gameboy.envs.starts import setup_of
from diorama.worlds.gameboy.errors import CodecMismatch, SavestateError
from diorama.worlds.gameboy.lanes import open_lanes
from diorama.worlds.gameboy.roms.catalogue import assemble
from tests.worlds.gameboy.envs.batches import SHORT, WORLD, opened


def test_the_fast_tier_proves_itself_against_the_readable_one() -> None:
    batch = make("gameboy", config=SHORT)

    assert (batch.tier_selected, batch.tier_fallback_reason) == (Tier.FAST, None)


@pytest.mark.parametrize(
    ("bot", "config", "most_steps"),
    [
        ("grid_goal_solver", {}, 7),
        ("grid_goal_solver", {"starts": [{"actions": [0] * 6, "memory": {"$C0E0": 4}}]}, 59),
        ("catch_solver", {"rom": "CATCH", "kind": "gb_tasks", "release_after_frames": 1}, 300),
        ("keydoor_solver", {"rom": "KEYDOOR", "kind": "gb_tasks"}, 78),
    ],
)
def test_a_solver_solves_its_game(bot: str, config: dict[str, Any], most_steps: int) -> None:
    batch, player = opened(**config), WORLD.bots[bot]()
    player.reset(batch.episode_seed(0))

    for _ in range(most_steps):
        batch.step(player.act(batch.obs[0], batch.obs_u8[0], batch.masks[0]))
        if batch.episode_start[0]:
            break

    assert batch.metrics[0, 0] == 1.0


def test_gymnasium_finds_nothing_to_complain_about() -> None:
    check_env(DioramaEnv("gameboy", config=SHORT, tier="fast"), skip_render_check=True)


def test_the_last_moment_of_an_episode_shows_that_it_ended_well() -> None:
    simulation = WORLD.simulate(WORLD.config_type.model_validate({**SHORT, "k_consecutive": 1}))

    for action in (5, 5, 7, 7, 7):
        simulation.step([(action,)])
    before = simulation.render_state()["headline"]
    record = simulation.step([(7,)])

    assert before["success"] == 0.0  # type: ignore[index,call-overload]
    assert simulation.render_state()["headline"] == {"success": 1.0, "final_distance": 0.0}
    assert (simulation.is_over, record.info["end_reason"]) == (True, "goal_reached")


def test_figures_are_those_of_the_episodes() -> None:
    episodes = [
        Episode(success=True, total_reward=10.0, steps=8, final_distance=0.0),
        Episode(success=False, total_reward=-1.0, steps=64, final_distance=0.5),
        Episode(success=True, total_reward=9.0, steps=20, final_distance=0.01),
        Episode(success=True, total_reward=8.0, steps=30, final_distance=0.02),
    ]

    figures = summarize(episodes)

    assert (figures.episodes, figures.successes, figures.success_rate, figures.mean_return) == (4, 3, 0.75, 6.5)
    assert (figures.median_steps_to_success, figures.median_final_distance) == (20, 0.01)
    assert (figures.mean_return_of_successes, figures.mean_return_of_failures) == (9.0, -1.0)
    assert lower_median([4.0, 1.0]) == 1.0
    with pytest.raises(ValueError, match="no episodes"):
        summarize([])


def test_episodes_are_counted_on_lanes_that_reset_themselves() -> None:
    batch, players = opened(3, max_steps=12), [WORLD.bots["grid_goal_solver"]() for _ in range(3)]

    def choose(obs: F32, obs_u8: U8) -> I32:
        rows = zip(players, obs, obs_u8, strict=True)
        return np.array([player.act(one, seen, batch.masks[0])[0] for player, one, seen in rows], np.int32)

    def step(actions: I32) -> Buffers:
        batch.step(actions)
        return batch.buffers

    figures = play_episodes(step, batch.buffers, choose, episodes=5, copies=3)

    assert (figures.episodes, figures.success_rate, figures.median_steps_to_success) == (5, 1.0, 7)
    assert figures.mean_return == pytest.approx(10.47, abs=0.01)


def test_a_stored_state_is_checked_and_made_again(tmp_path: Path) -> None:
    setup = setup_of(GameboyConfig.model_validate(SHORT))
    state = make_state(setup, [0, 0, 0, 7, 5], {0xC0E0: 2})
    save_state(state, tmp_path)

    assert load_state(tmp_path, setup, verify=True) == state
    (tmp_path / ACTIONS_FILE).write_text("[0]\n[4]\n")
    with pytest.raises(SavestateError, match="its actions do not lead to its savestate"):
        load_state(tmp_path, setup, verify=True)
    slower = setup_of(GameboyConfig())
    with pytest.raises(SavestateError, match="frames_per_step is 4; expected 24"):
        load_state(tmp_path, slower)
    recipe = tmp_path / "recipe.json"
    recipe.write_text(recipe.read_text().replace("pokemonred_puffer_v1", "other_v1"))
    with pytest.raises(CodecMismatch, match="other_v1"):
        load_state(tmp_path, setup)


def test_a_trace_is_read_lane_by_lane(tmp_path: Path) -> None:
    path = tmp_path / "actions.jsonl"
    path.write_text("[1, 2]\n[3, 4]\n")

    assert (load_actions(path), load_actions(path, lane=1)) == ((1, 3), (2, 4))
    with pytest.raises(DocumentError, match="line 1: is no list of integers that has lane 2"):
        load_actions(path, lane=2)


def test_lanes_are_opened_by_the_name_of_their_backend() -> None:
    rom = assemble("GRID_GOAL")
    rust, interpreted = (open_lanes(name, rom, 1, picture="packed2") for name in ("rust", "py"))

    for lanes in (rust, interpreted):
        lanes.step(np.array([7], np.int32), 2, 1)

    assert rust.state_hash(0) == interpreted.state_hash(0)
    np.testing.assert_array_equal(rust.read_frame(0), interpreted.read_frame(0))
    with pytest.raises(UnknownName, match="no backend of gameboy is called 'z80'; there are: rust, warp_cpu"):
        open_lanes("z80", rom, 1)


@pytest.mark.slow
def test_a_backend_that_cannot_run_says_so() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(TierUnavailable):
        open_lanes("warp_cuda", assemble("GRID_GOAL"), 1)


def test_a_snapshot_cache_restores_chosen_lanes_and_refuses_nonsense() -> None:
    lanes = open_lanes("rust", assemble("GRID_GOAL"), 3)
    lanes.run_frames(30)
    cache = SnapshotCache(lanes, 2)
    cache.capture(0, 1)
    kept = lanes.state_hash(0)
    lanes.run_frames(5)
    later = lanes.state_hash(0)

    cache.restore(np.array([1, 0, 1], np.uint8), np.ones(3, np.int32))

    assert [lanes.state_hash(lane) for lane in range(3)] == [kept, later, kept]
    with pytest.raises(ValueError, match=r"mask is int64 of shape \(3,\); it must be uint8"):
        cache.restore(np.zeros(3, np.int64), np.ones(3, np.int32))
    with pytest.raises(ValueError, match=r"slot is int32 of shape \(2,\)"):
        cache.restore(np.ones(3, np.uint8), np.ones(2, np.int32))
    with pytest.raises(ValueError, match="slots 2 to 2 are asked for"):
        cache.restore(np.ones(3, np.uint8), np.full(3, 2, np.int32))
    with pytest.raises(ValueError, match="golden slot 0 is empty"):
        cache.restore(np.ones(3, np.uint8), np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="slot 2 is outside"):
        cache.capture(0, 2)
