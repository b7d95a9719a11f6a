"""PPO from stored episodes: batches, advantages and weights."""

import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.learn.experience import Experience
from diorama.learn.imitation.offline_buffer import OfflineBuffer
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.workers import Workers
from tests.learn.imitation.episodes import SPEC, episode
from tests.refusals import refused

SETTINGS = TrainerSettings.model_validate(
    {
        "policy": {"arch": "mlp-16-tanh-v1"},
        "ppo": {"gamma": 0.9, "gae_lambda": 0.8, "rollout_steps": 8, "forced_policy_weight": 0.0},
    }
)
EPISODES = [episode(0, 10), episode(1, 7, is_finished=False), episode(2, 5)]


def scored(arch: str = "mlp-16-tanh-v1") -> Experience:
    policy = Policy(SPEC, SETTINGS.policy.model_copy(update={"arch": arch}), SETTINGS.normalization, seed=2)
    return OfflineBuffer(EPISODES, SPEC, SETTINGS, seed=1).experience(EPISODES, policy, Workers(1))


def test_advantages_follow_every_episode_and_stop_at_its_end() -> None:
    experience = scored()
    values, advantages = experience.targets.values.tolist(), experience.targets.advantages.tolist()

    expected = [0.0] * 22
    for first, last, is_finished in ((0, 9, True), (10, 16, False), (17, 21, True)):
        carried = 0.0
        targets = last if is_finished else last - 1
        for step in range(targets, first - 1, -1):
            after = 0.0 if is_finished and step == last else values[step + 1]
            reward = float(experience.outcomes.rewards[step, 0])
            carried = reward + 0.9 * after - values[step] + 0.9 * 0.8 * carried
            expected[step] = carried

    counted = experience.targets.value_weights.nonzero()[:, 0].tolist()
    assert counted == [step for step in range(22) if step != 16]
    assert [advantages[step] for step in counted] == pytest.approx([expected[step] for step in counted], abs=1e-6)


def test_only_decisions_that_left_a_choice_teach_the_policy() -> None:
    experience = scored()

    masks = experience.inputs.masks
    assert masks is not None
    is_forced = (masks != 0).sum(dim=1) == 1
    weights = experience.targets.policy_weights
    assert is_forced.any()
    assert not weights[is_forced].any()
    assert weights[~is_forced].sum() == (~is_forced).sum() - (0 if is_forced[16] else 1)


def test_the_padding_of_the_last_sequence_has_no_weight() -> None:
    experience = scored("mingru-8-v1")

    targets = experience.targets
    assert len(targets.values) == 24
    assert not targets.value_weights[22:].any()
    assert not targets.policy_weights[22:].any()
    assert torch.isfinite(targets.advantages).all()


def test_batches_go_through_all_episodes_before_any_comes_again() -> None:
    episodes = [episode(seed, 10) for seed in range(6)]
    buffer = OfflineBuffer(episodes, SPEC, SETTINGS, seed=1)
    batches = [buffer.sample(number, 20) for number in range(3)]

    chosen = [id(one) for batch in batches for one in batch]

    assert sorted(chosen) == sorted(id(one) for one in episodes)
    assert [id(one) for one in buffer.sample(1, 20)] == [id(one) for one in batches[1]]
    assert len(buffer.sample(0, 10_000)) == 6
    assert [id(one) for one in OfflineBuffer(episodes, SPEC, SETTINGS, seed=2).sample(0, 60)] != chosen


def test_rewards_of_stored_episodes_are_not_divided_by_those_of_rollouts() -> None:
    scaled = TrainerSettings.model_validate({"normalization": {"rewards": "return_std"}})

    with refused(ConfigError, "offline_rewards_normalized", rewards="return_std"):
        OfflineBuffer(EPISODES, SPEC, scaled, seed=1)
