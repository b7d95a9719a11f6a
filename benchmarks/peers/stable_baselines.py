"""Stable-Baselines3's PPO.

It gets the network as a features extractor, so that actor and critic share it as they do here. It is measured twice: on
our batch through the `VecEnv` adapter, which lends it our stepping, and the way it is commonly used, on its own
`DummyVecEnv` of single Gymnasium environments.
"""

from importlib.util import find_spec
from typing import Any, Final

import torch

from diorama.learn.policies.names import parse_name
from peers.work import PeerRate, Rate, Work, layers_of

SB3_ON_OURS: Final = "stable-baselines3 PPO on our batch"
SB3_USUAL: Final = "stable-baselines3 PPO, DummyVecEnv"
USUAL_ENVS: Final = 64


def measure_sb3(work: Work, *, seconds: float) -> PeerRate:
    """Measure Stable-Baselines3's PPO on our batch."""
    if find_spec("stable_baselines3") is None:
        return PeerRate(SB3_ON_OURS, None, "stable-baselines3 is not installed")
    from diorama.engine.adapters.sb3 import DioramaVecEnv

    return _measure_sb3(
        SB3_ON_OURS, work, DioramaVecEnv(work.world, copies=work.copies, config=work.config, seed=1), seconds
    )


def measure_sb3_dummies(work: Work, *, seconds: float) -> PeerRate:
    """Measure Stable-Baselines3's PPO on Gymnasium environments that it steps one after another."""
    if find_spec("stable_baselines3") is None:
        return PeerRate(SB3_USUAL, None, "stable-baselines3 is not installed")
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    name = f"diorama/{work.world.capitalize()}-v1"
    envs = DummyVecEnv([lambda: gymnasium.make(name, config=work.config)] * USUAL_ENVS)
    return _measure_sb3(SB3_USUAL, work, envs, seconds)


def _measure_sb3(name: str, work: Work, envs: Any, seconds: float) -> PeerRate:
    if parse_name(work.arch).memory is not None:
        return PeerRate(name, None, "its PPO has no memory")
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

    class Trunk(BaseFeaturesExtractor):
        def __init__(self, observation_space: Any) -> None:
            layers, width = layers_of(parse_name(work.arch), observation_space.shape[0])
            super().__init__(observation_space, width)
            self.layers = layers

        def forward(self, observations: torch.Tensor) -> torch.Tensor:
            features: torch.Tensor = self.layers(observations)
            return features

    class Clock(BaseCallback):
        def __init__(self) -> None:
            super().__init__()
            self.rate = Rate(seconds)

        def _on_step(self) -> bool:
            return True

        def _on_rollout_start(self) -> None:
            self.rate.mark(self.num_timesteps)

        def _on_training_end(self) -> None:
            self.rate.mark(self.num_timesteps)

    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=work.decisions_per_update // envs.num_envs,
        batch_size=work.decisions_per_update // work.minibatches,
        n_epochs=work.passes,
        policy_kwargs={"features_extractor_class": Trunk, "net_arch": []},
        device="cpu",
    )
    clock = Clock()
    updates = 2
    while not clock.rate.is_enough:
        model.learn(updates * work.decisions_per_update, callback=clock, reset_num_timesteps=False)
    envs.close()
    return PeerRate(name, clock.rate.per_second)
