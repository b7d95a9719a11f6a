"""Consoles under Stable-Baselines3 and PufferLib."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO

from diorama.engine.adapters.sb3 import DioramaVecEnv

PICTURES = {"frames_per_step": 4, "release_after_frames": 2, "max_steps": 12}
TASK = {**PICTURES, "rom": "KEYDOOR", "kind": "gb_tasks", "keys": ["NOOP", "UP", "DOWN", "LEFT", "RIGHT"]}
PUFFER = """
import numpy as np
import pufferlib.vector
import diorama
from diorama.engine.adapters.puffer import DioramaPufferEnv

config = {"frames_per_step": 4, "release_after_frames": 2, "max_steps": 8}
env = pufferlib.vector.make(DioramaPufferEnv, env_kwargs={"world": "gameboy", "copies": 3, "config": config})
env.async_reset(seed=7)
twin = diorama.make("gameboy", copies=3, config=config)
twin.reset(seeds=[7, 8, 9])
rng = np.random.default_rng(0)
summaries = []
for _ in range(20):
    observations, rewards, terminals, truncations, infos, agents, masks = env.recv()
    assert observations.shape == (3, 5760) and np.array_equal(observations, twin.obs_u8)
    assert np.array_equal(rewards, twin.rewards)
    assert np.array_equal(truncations, twin.truncated.astype(bool))
    summaries.extend(infos)
    keys = rng.integers(0, 8, 3).astype(np.int32)
    env.send(keys)
    twin.step(keys)
assert summaries and {"episode_return", "success", "final_distance"} <= set(summaries[0])
print("agreed")
"""


@pytest.mark.slow
def test_stable_baselines_learns_from_pictures() -> None:
    env = DioramaVecEnv("gameboy", copies=4, config=PICTURES, seed=1)
    model = PPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0, device="cpu")

    model.learn(128)

    assert env.observation_space.shape == (72 * 80,)
    assert model.ep_info_buffer is not None
    assert {episode["l"] for episode in model.ep_info_buffer} == {12}


def test_masks_keep_it_to_the_keys_of_the_configuration() -> None:
    pressed: set[int] = set()

    class Watched(DioramaVecEnv):
        def step_async(self, actions: np.ndarray) -> None:
            pressed.update(actions.tolist())
            super().step_async(actions)

    env = Watched("gameboy", copies=4, config=TASK, seed=1)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0, device="cpu")

    model.learn(128)

    assert pressed == {0, 4, 5, 6, 7}


def test_pufferlib_steps_consoles_in_its_own_buffers(tmp_path: Path) -> None:
    answer = subprocess.run([sys.executable, "-c", PUFFER], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert answer.stdout.strip().endswith("agreed"), answer.stderr
