"""The town of a single seat as a Gymnasium environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from diorama.contracts.errors import ContractError
from diorama.engine.adapters.gymnasium_env import DioramaEnv
from diorama.engine.adapters.gymnasium_vector import DioramaVectorEnv
from diorama.engine.adapters.sb3 import DioramaVecEnv

ALONE: dict[str, object] = {
    "world": {"seats": 1, "population": 1},
    "lifecycle": {"collapse": {"threshold": 0.99, "ticks": 6}, "spawn_delay_ticks": [2, 4]},
    "perturbations": {"enabled": False},
    "episode_ticks": 40,
}


def test_a_citizen_alone_passes_gymnasiums_check() -> None:
    check_env(gymnasium.make("diorama/Townlet-v1", config=ALONE, tier="reference").unwrapped, skip_render_check=True)


def test_a_town_of_many_seats_is_no_gymnasium_environment() -> None:
    with pytest.raises(ContractError, match="16 seats"):
        gymnasium.make("diorama/Townlet-v1", tier="reference")


def test_an_exit_ends_the_episode_and_a_reset_opens_the_next() -> None:
    env = DioramaEnv("townlet", config=ALONE, tier="reference")
    env.reset(seed=3)
    for _ in range(6):
        _, _, terminated, truncated, info = env.step(0)

    assert (terminated, truncated) == (True, False)
    assert info["exits"][0]["exit_reason"] == "faint"
    env.reset()
    assert env.batch.episode_seed(0) != 3
    assert env.batch.step_record(0).info["tick"] == 0


def test_a_vector_of_towns_opens_the_next_episode_in_the_same_step() -> None:
    env = DioramaVectorEnv("townlet", num_envs=2, config=ALONE, tier="reference")
    env.reset(seed=3)
    for _ in range(6):
        observation, rewards, terminated, _, info = env.step(np.zeros(2, np.int64))

    assert terminated.all()
    assert info["alive"].all()
    assert np.less_equal(rewards, -1.0).all()
    assert isinstance(observation, np.ndarray)
    assert (observation[:, -128 + 16] == 1.0).all()  # ctx_reset_flag of the next episode
    assert (info["final_info"]["lived_days"] == 0.005).all()
    assert info["final_obs"][0][-128 + 16] == 1.0
    _, _, terminated, _, info = env.step(np.zeros(2, np.int64))
    assert not terminated.any()


def test_stable_baselines_sees_the_next_episode_at_once() -> None:
    env = DioramaVecEnv("townlet", copies=2, config=ALONE, tier="reference")
    env.reset()
    for _ in range(6):
        observations, rewards, done, infos = env.step(np.zeros(2, np.int64))

    assert done.all()
    assert (rewards <= -1.0).all()
    assert isinstance(observations, np.ndarray)
    assert observations.any(axis=1).all()
    assert infos[0]["episode"]["l"] == 6
    assert env.action_masks()[:, 1:].any()
