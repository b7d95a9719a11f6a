"""The PettingZoo face, judged by PettingZoo's own tests."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import diorama
from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver
from diorama.engine.adapters.parallel import DioramaParallelEnv
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish

SKIRMISH: dict[str, object] = {"package": skirmish(), "seats": 4, "played": "all"}


def skirmish_env(**config: object) -> DioramaParallelEnv:
    return diorama.parallel_env("tidebreak", config={**SKIRMISH, **config}, tier="reference")


def noops(env: DioramaParallelEnv) -> dict[str, Any]:
    return {agent: np.array(env.contract.noop, np.int32) for agent in env.agents}


def test_a_world_of_several_seats_passes_pettingzoos_test() -> None:
    parallel_api_test(skirmish_env(), num_cycles=LIMIT_S + 3)


def test_a_world_of_one_seat_passes_it_too() -> None:
    parallel_api_test(diorama.parallel_env("prospector", tier="reference"), num_cycles=60)


def test_equal_seeds_give_equal_episodes() -> None:
    parallel_seed_test(skirmish_env, num_cycles=LIMIT_S)


def test_seats_that_nobody_fills_are_no_agents() -> None:
    env = skirmish_env(seats=6)

    observations, infos = env.reset(seed=3)

    assert env.possible_agents == [f"seat_{seat}" for seat in range(6)]
    assert env.agents == list(observations) == list(infos) == ["seat_0", "seat_1", "seat_2", "seat_3"]
    assert infos["seat_2"]["ships"][2] == "red-1"


def test_masks_fit_the_sampling_of_the_space() -> None:
    env = skirmish_env()
    _, infos = env.reset(seed=3)

    for agent in env.agents:
        mask = infos[agent]["action_mask"]
        action = env.action_space(agent).sample(mask)
        assert all(part[option] for part, option in zip(mask, action, strict=True))


def test_all_agents_leave_when_the_battle_ends_and_the_next_reset_opens_the_next_episode() -> None:
    env = skirmish_env()
    env.reset(seed=3)

    for _ in range(LIMIT_S):
        observations, rewards, terminated, truncated, infos = env.step(noops(env))

    assert env.agents == []
    assert set(rewards) == set(terminated) == set(observations)
    assert all(truncated.values())
    assert infos["seat_0"]["battle_result"]["duration_s"] == LIMIT_S
    assert all(observation.any() for observation in observations.values())
    with pytest.raises(EpisodeOver, match="reset"):
        env.step({})
    opened = env.batch.episode_seed(0)
    env.reset()
    assert env.batch.episode_seed(0) == opened
    assert len(env.agents) == 4


def test_actions_must_be_of_the_agents() -> None:
    env = skirmish_env()
    env.reset(seed=3)
    actions = noops(env)
    del actions["seat_1"]

    with pytest.raises(ContractError, match="seat_1"):
        env.step(actions)


def test_a_render_mode_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConfigError, match="no render mode 'ansi'; there are: rgb_array, frame"):
        diorama.parallel_env("tidebreak", tier="reference", render_mode="ansi")
