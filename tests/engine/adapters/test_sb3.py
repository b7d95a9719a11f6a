"""The Stable-Baselines3 face, used by the real library."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from diorama.contracts.errors import ContractError
from diorama.engine.adapters.sb3 import DioramaVecEnv


def test_maskable_ppo_learns_on_it_without_an_invalid_action() -> None:
    invalid: list[int] = []

    class Watched(DioramaVecEnv):
        def step_wait(self):  # type: ignore[no-untyped-def]
            outcome = super().step_wait()
            invalid.extend((self.batch.events & 1).tolist())
            return outcome

    env = Watched("prospector", copies=4, config={"time_max": 60.0}, seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=0)

    model.learn(256)

    assert is_masking_supported(env)
    assert get_action_masks(env).shape == (4, 69)
    assert len(invalid) >= 256
    assert sum(invalid) == 0
    assert model.ep_info_buffer is not None
    assert len(model.ep_info_buffer) > 0


def test_it_stands_under_the_librarys_wrappers() -> None:
    env = VecNormalize(VecMonitor(DioramaVecEnv("prospector", copies=2, seed=3)))
    env.seed(5)
    env.reset()

    for actions in ([6, 7], [68, 68]):
        _, _, dones, infos = env.step(np.array(actions))

    assert dones.tolist() == [True, True]
    assert infos[0]["episode"]["l"] == 2
    assert infos[0]["terminal_observation"].shape == (260,)
    assert infos[0]["TimeLimit.truncated"] is False
    assert infos[0]["survival"] == 1.0


def test_seeds_given_to_the_library_open_those_episodes() -> None:
    env = DioramaVecEnv("prospector", copies=2)
    env.seed(40)
    env.reset()
    first = env.batch.state_hash(0)
    env.seed(40)
    env.reset()

    assert env.batch.state_hash(0) == first
    assert [env.batch.episode_seed(copy) for copy in range(2)] == [40, 41]
    env.reset()
    assert env.batch.state_hash(0) != first


def test_copies_have_no_attributes_to_set() -> None:
    env = DioramaVecEnv("prospector")

    assert env.get_attr("num_envs") == [1]
    assert env.env_is_wrapped(VecMonitor) == [False]
    with pytest.raises(ContractError, match="no attributes"):
        env.set_attr("gravity", 1)
