"""Sharing decisions with the scripted controller: who decides, and that the policy is not blamed for it."""

import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.collector import Collector
from diorama.learn.experience import build_experience
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.trainer import Trainer
from diorama.learn.workers import Workers
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Corridor
from tests.worlds.townlet.learning.towns import settings, towns

CALM = {"world": {"seats": 3, "population": 3}, "observations": {"compact": {"map_window": 0}}}
CALM["features"] = {"systems": {"observations": "compact"}}


def rollout_of(share: float) -> tuple[RolloutBuffer, torch.Tensor]:
    """A rollout, and the weights of its decisions in the policy loss."""
    chosen, batch = settings(), towns(config=CALM)
    policy = Policy(batch.spec, chosen.policy, chosen.normalization, seed=1)
    collector = Collector(batch, policy, chosen, Workers(1))
    collector.reset()
    collector.collect(policy, SamplingParams(seed=1, update=0, exploration=(0.0,), use_masks=True, teacher_share=share))
    scaler = RewardScaler(chosen.normalization, batch.rows, chosen.ppo.gamma)
    experience = build_experience(collector.rollout, policy.heads.plan, chosen.ppo, scaler)
    return collector.rollout, experience.targets.policy_weights.view(collector.rollout.by_expert.shape)


def test_decisions_of_the_controller_weigh_nothing_and_the_others_stay_the_policy_s() -> None:
    alone, weights_alone = rollout_of(0.0)
    shared, weights = rollout_of(0.5)

    assert not alone.by_expert.any()
    assert 0.3 < shared.by_expert.float().mean() < 0.7
    assert (weights[shared.by_expert] == 0).all()
    assert (weights[~shared.by_expert] > 0).any()
    assert (weights_alone > 0).any()
    # Until the first decision that was handed over both are the same.
    own = ~shared.by_expert[0]
    assert torch.equal(alone.actions[0][own], shared.actions[0][own])


def test_with_the_whole_share_a_town_lives_as_its_controller_wants() -> None:
    shared, weights = rollout_of(1.0)
    batch = towns(config=CALM)
    batch.reset()
    for step in range(len(shared.by_expert)):
        advice = batch.expert_actions()
        assert torch.equal(shared.actions[step], torch.from_numpy(advice))
        batch.step(advice)

    assert (weights == 0).all()


def test_a_share_needs_a_controller_and_excludes_corrections() -> None:
    with pytest.raises(ConfigError, match="no expert"):
        Trainer(Corridor(4), settings(teacher_share=0.5), seed=1, callbacks=[RecordingCallback()])
    with pytest.raises(ValueError, match="vtrace"):
        TrainerSettings.model_validate({"ppo": {"teacher_share": 0.5, "vtrace": {}}})
