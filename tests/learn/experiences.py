"""Experience of short rollouts, and its minibatches."""

import numpy as np
from numpy.typing import NDArray

from diorama.engine.make import make_batch
from diorama.learn.collector import Collector
from diorama.learn.envs import TrainingEnvs
from diorama.learn.experience import Experience, build_experience
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.sampling import Minibatch, ShuffleKey, cut_minibatches
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers
from tests.engine.toy_world import TOY
from tests.learn.toys import Corridor


class OneWay(Corridor):
    """A corridor with a single valid option at its start."""

    def write_masks(self, masks: NDArray[np.uint8]) -> None:
        masks[:] = 1
        masks[self.state[:, 0] == 0, :2] = 0


def experience_of(envs: TrainingEnvs | None = None, **ppo: object) -> tuple[Experience, TrainerSettings]:
    """A rollout; by default of the toy world, whose seat 1 is dead in the last of every three steps."""
    settings = TrainerSettings.model_validate(
        {"policy": {"arch": "mlp-8-tanh-v1"}, "ppo": {"rollout_steps": 6, **ppo}, "execution": {"threads": 1}}
    )
    envs = make_batch(TOY, copies=4, seed=5) if envs is None else envs
    policy = Policy(envs.spec, settings.policy, settings.normalization, seed=1)
    collector = Collector(envs, policy, settings, Workers(1))
    collector.reset()
    exploration = policy.heads.plan.exploration(0)
    collector.collect(policy, SamplingParams(seed=1, update=0, exploration=exploration, use_masks=True))
    scaler = RewardScaler(settings.normalization, 8, settings.ppo.gamma)
    return build_experience(collector.rollout, policy.heads.plan, settings.ppo, scaler), settings


def cut(
    experience: Experience, settings: TrainerSettings, shard_sequences: int = 100, epoch: int = 0
) -> list[Minibatch]:
    """Return the minibatches of the first update."""
    shuffle_key = ShuffleKey(seed=1, update=0, epoch=epoch, shard_sequences=shard_sequences)
    return cut_minibatches(experience, settings.ppo, shuffle_key)
