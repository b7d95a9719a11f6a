"""What is learned around a rollback: the penalty, and nothing of the step that it takes the place of."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.engine.adapters.gymnasium_vector import DioramaVectorEnv
from diorama.learn.collector import Collector
from diorama.learn.experience import Experience, build_experience
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import build_policy
from diorama.learn.ppo import PpoUpdate, UpdateContext
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers
from diorama.worlds.morphogenesis import WORLD
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.controller.choices import WAIT
from diorama.worlds.morphogenesis.engine.core import MorphogenesisCore, build_core
from diorama.worlds.morphogenesis.engine.protocol import RowScores
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from tests.worlds.morphogenesis.learners import controller_settings, small_batch
from tests.worlds.morphogenesis.small_worlds import SMALL

BAD_EPOCHS = (3, 4, 6)
IGNORED = (2, 3, 5)
"""Decisions of the first copy that a rollback takes the place of: two panics in a row, and one as the round ends."""


class FaultyEngine(StackedEngine):
    """Ruins the first host in some epochs."""

    def train_epoch(self, epoch: int) -> RowScores:
        scores = super().train_epoch(epoch)
        if epoch in BAD_EPOCHS:
            self.inject(0, "nan")
        return scores


def accelerate(config: MorphogenesisConfig, request: CoreRequest) -> BatchCore:
    return build_core(config, request, FaultyEngine)


class Told:
    """A rollout of one round in which the first host fails, and how it is learned from."""

    def __init__(self) -> None:
        settings = controller_settings("demo", copies=2, config={**SMALL}).trainer
        batch = small_batch(world=replace(WORLD, accelerate=accelerate))
        self._settings, self._policy = settings, build_policy(batch.spec, settings, seed=3)
        collector = Collector(batch, self._policy, settings, Workers(1))
        collector.reset()
        self._exploration = (0.1,) * len(batch.spec.heads)
        collector.collect(self._policy, SamplingParams(seed=1, update=0, exploration=self._exploration, use_masks=True))
        self.rollout = collector.rollout

    def appraised(self) -> tuple[Experience, RewardScaler]:
        """Return what the update reads, and what it has learned of rewards."""
        ppo = self._settings.ppo
        scaler = RewardScaler(self._settings.normalization, self.rollout.shape.rows, ppo.gamma)
        return build_experience(self.rollout, self._policy.heads.plan, ppo, scaler), scaler

    def gradient(self) -> torch.Tensor:
        """Return where one update would move the policy, which stays as it is."""
        update = PpoUpdate(self._policy, self._settings, Workers(1))
        before = update.parameters.values.clone()
        update.learn(self.appraised()[0], UpdateContext(seed=1, update=0, env_steps=0, exploration=self._exploration))
        update.parameters.values.copy_(before)
        return update.gradient.clone()


@pytest.fixture(scope="module")
def told() -> Told:
    return Told()


def test_a_row_that_is_rolled_back_takes_no_decision(told: Told) -> None:
    seen = told.rollout.inputs

    assert seen["alive"][:-1].tolist() == [[int(step not in IGNORED), 1] for step in range(6)]
    assert seen["episode_start"][:, 0].tolist() == [1, 0, 1, 1, 1, 1, 1]
    assert told.rollout.outcome("terminated")[:, 0].tolist() == [0, 1, 1, 0, 1, 0]
    assert told.rollout.outcome("rewards")[1:5, 0].tolist() == [-10.0, 0.0, 0.0, -10.0]
    experience, scaler = told.appraised()
    assert not experience.targets.policy_weights.view(6, 2)[list(IGNORED), 0].any()
    assert torch.equal(experience.targets.value_weights.view(6, 2)[:, 0] != 0, seen["alive"][:-1, 0] != 0)
    assert scaler.moments.count == 6 + 6 - len(IGNORED) - 2  # penalties are not counted either


def test_nothing_of_the_step_that_was_thrown_away_reaches_the_policy(told: Told) -> None:
    rollout, steps = told.rollout, list(IGNORED)
    as_it_was = told.gradient()

    rollout.inputs["obs"][steps, 0] = 3.0
    rollout.host["rewards"][[step + 1 for step in steps], 0] = 7.0
    rollout.values[steps, 0] = 5.0
    rollout.log_probs[steps, 0] = -2.0

    assert torch.equal(told.gradient(), as_it_was)
    rollout.host["rewards"][1, 0] += 1.0
    assert not torch.equal(told.gradient(), as_it_was)


def test_a_row_that_is_put_back_goes_on_beside_the_others_in_a_vector_environment() -> None:
    environment = DioramaVectorEnv("morphogenesis", num_envs=2, config={**SMALL})
    environment.reset()
    core = environment.batch._core
    assert isinstance(core, MorphogenesisCore)
    core.world(0).nursery.engine.inject(0, "nan")
    wait = np.array([WAIT, WAIT])

    panicked = environment.step(wait)
    ignored = environment.step(wait)
    environment.close()

    assert (panicked[2].tolist(), ignored[2].tolist()) == ([True, False], [False, False])
    assert (panicked[4]["alive"].tolist(), ignored[4]["alive"].tolist()) == ([False, True], [True, True])
