"""The RLlib face, trained by RLlib itself in a process of its own.

Ray starts services of its own and pins an older Gymnasium, so it is kept out of this process.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROLLOUT = """
import numpy as np
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from diorama.contracts.errors import ConfigError
from diorama.engine.adapters.rllib import DioramaMultiAgentEnv

RESTLESS = {
    "episode_ticks": 60,
    "lifecycle": {
        "collapse": {"threshold": 0.99, "ticks": 6},
        "exit_cooldown_ticks": 2, "max_exits_per_day": 50, "spawn_delay_ticks": [2, 4],
    },
}
TOWN = {"world": "townlet", "tier": "reference", "config": RESTLESS}
for settings in (TOWN, {"world": "tidebreak", "tier": "reference", "config": {"stage": 1, "seats": 2}}):
    check_multiagent_environments(DioramaMultiAgentEnv(settings))

env = DioramaMultiAgentEnv(TOWN)
observations, infos = env.reset(seed=3)
seen, gone = set(observations), set()
for tick in range(60):
    actions = {agent: env.action_spaces[agent].sample(infos[agent]["action_mask"]) for agent in observations
               if agent not in gone}
    observations, rewards, terminated, truncated, infos = env.step(actions)
    assert not gone & set(observations)
    gone |= {agent for agent, has_left in terminated.items() if has_left and agent != "__all__"}
    seen |= set(observations)
    is_over = terminated["__all__"] or truncated["__all__"]
    assert is_over == (tick == 59), tick
assert truncated["__all__"] and len(gone) > 3 and len(seen) > 8
for wrong in ({}, {"world": "townlet", "copies": 3}):
    try:
        DioramaMultiAgentEnv(wrong)
        raise SystemExit("a wrong env_config was taken")
    except ConfigError:
        pass
"""
TRAINING = """
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations

ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
config = (
    PPOConfig()
    .environment(DioramaMultiAgentEnv, env_config=TOWN)
    .env_runners(
        num_env_runners=0,
        rollout_fragment_length=60,
        env_to_module_connector=lambda env, spaces, device: FlattenObservations(multi_agent=True),
    )
    .multi_agent(policies={"citizen"}, policy_mapping_fn=lambda agent_id, episode, **kwargs: "citizen")
    .training(train_batch_size_per_learner=120, minibatch_size=64, num_epochs=1)
    .learners(num_learners=0)
)
algorithm = config.build_algo()
result = algorithm.train()["env_runners"]
assert result["num_env_steps_sampled"] == 120, result
assert len(result["num_agent_steps_sampled"]) > 8, result
algorithm.stop()
ray.shutdown()
print("trained")
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ormsgpack") is None, reason="RLlib is not installed; the extra 'rllib' brings it")
def test_rllib_trains_citizens_that_come_and_go(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", ROLLOUT + TRAINING],
        cwd=tmp_path,
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.stdout.strip().endswith("trained"), answer.stderr
