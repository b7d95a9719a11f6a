"""The PufferLib face, run by PufferLib's own vectorization in a process of its own.

PufferLib writes a link into the working directory and silences warnings when it is imported, so it is kept out of
this process.
"""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
import pufferlib.vector
import diorama
from diorama.engine.adapters.puffer import DioramaPufferEnv

kwargs = {"world": "prospector", "copies": 3, "config": {"time_max": 30.0}}
native = pufferlib.vector.make(DioramaPufferEnv, env_kwargs=kwargs)
native.async_reset(seed=7)
assert native.agents_per_batch == 3
twin = diorama.make("prospector", copies=3, config={"time_max": 30.0})
twin.reset(seeds=[7, 8, 9])
rng = np.random.default_rng(0)
summaries = []
for _ in range(200):
    observations, rewards, terminals, truncations, infos, agents, masks = native.recv()
    assert np.array_equal(observations, twin.obs)
    assert np.array_equal(rewards, twin.rewards)
    assert np.array_equal(terminals, twin.terminated.astype(bool))
    assert masks.all()
    summaries.extend(infos)
    actions = rng.integers(0, 69, 3).astype(np.int32)
    native.send(actions)
    twin.step(actions)
assert np.shares_memory(native.batch.obs, native.observations)
assert summaries and {"episode_return", "episode_length", "net_profit", "survival"} <= set(summaries[0])

serial = pufferlib.vector.make(
    DioramaPufferEnv, env_kwargs=kwargs, backend=pufferlib.vector.Serial, num_envs=2
)
serial.async_reset(seed=3)
serial.recv()
serial.send(np.zeros(6, np.int32))
observations, *_ = serial.recv()
assert observations.shape == (6, 260) and observations.any(axis=1).all()
serial.close()
print("agreed")
"""


def test_pufferlib_steps_the_batch_in_its_own_buffers(tmp_path: Path) -> None:
    answer = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert answer.stdout.strip().endswith("agreed"), answer.stderr
