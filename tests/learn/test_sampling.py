"""Weights of decisions, normalization of advantages, and minibatches."""

import pytest
import torch

from diorama.learn.experience import awaits_episode_end
from diorama.learn.sampling import Minibatch
from tests.learn.experiences import OneWay, cut, experience_of
from tests.learn.toys import Salary


def decisions(minibatch: Minibatch) -> list[int]:
    """Indices of the decisions of a minibatch, in order."""
    return [index for shard in minibatch.shards for index in shard.select_decisions(torch.arange(48)).tolist()]


def test_dead_seats_have_weight_zero() -> None:
    experience, _ = experience_of()

    weights = experience.targets.policy_weights.view(6, 4, 2)

    assert weights[:, :, 0].eq(1).all()
    assert weights[:, 0, 1].tolist() == [1, 1, 0, 1, 1, 0]
    assert torch.equal(experience.targets.policy_weights, experience.targets.value_weights)


def test_a_time_limit_is_bootstrapped_unless_truncation_ends_the_game() -> None:
    truncated, _ = experience_of(Salary(4), rollout_steps=8)
    terminated, _ = experience_of(Salary(4), rollout_steps=8, truncation_ends=True)

    assert truncated.outcomes.truncated.any()
    assert not truncated.outcomes.terminated.any()
    assert not terminated.outcomes.truncated.any()
    assert torch.equal(terminated.outcomes.terminated, truncated.outcomes.truncated)
    ends = terminated.outcomes.terminated.view(-1) != 0
    torch.testing.assert_close(terminated.targets.returns[ends], terminated.outcomes.rewards.view(-1)[ends])


def test_dead_rows_have_a_return_if_the_rollout_contains_the_end_of_their_episode() -> None:
    dies, opponent, outlives, respawns = [1, 0, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1]
    alive = torch.tensor([dies, opponent, outlives, respawns], dtype=torch.float32).T
    ended = torch.tensor([[0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]], dtype=torch.bool).T
    episode_start = torch.tensor([[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1]], dtype=torch.bool).T

    awaits = awaits_episode_end(alive, ended, episode_start).T.tolist()

    assert awaits == [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]


def test_decisions_without_a_choice_have_the_weights_of_the_settings() -> None:
    experience, _ = experience_of(OneWay(8), forced_policy_weight=0.0, forced_value_weight=0.2)

    is_forced = experience.inputs.obs[:, 0] == 1

    assert is_forced.any()
    assert not is_forced.all()
    assert torch.equal(experience.targets.policy_weights, torch.where(is_forced, 0.0, 1.0))
    torch.testing.assert_close(experience.targets.value_weights, torch.where(is_forced, 0.2, 1.0))


def test_advantages_are_normalized_over_living_seats() -> None:
    experience, settings = experience_of(num_minibatches=1)

    (minibatch,) = cut(experience, settings)
    targets = minibatch.targets(experience, minibatch.shards[0])

    living = targets.advantages[targets.policy_weights > 0]
    assert living.mean().item() == pytest.approx(0.0, abs=1e-6)
    assert living.std(correction=0).item() == pytest.approx(1.0, rel=1e-5)
    assert minibatch.denominators.policy.item() == 40.0


@pytest.mark.parametrize("scope", ["none", "rollout", "minibatch"])
def test_advantages_are_normalized_over_the_scope_of_the_settings(scope: str) -> None:
    experience, settings = experience_of(num_minibatches=3, advantage_normalization=scope)

    minibatches = cut(experience, settings)

    shifts = [minibatch.advantage_shift.item() for minibatch in minibatches]
    living = experience.targets.policy_weights > 0
    if scope == "none":
        assert shifts == [0.0, 0.0, 0.0]
    elif scope == "rollout":
        assert shifts == pytest.approx([experience.targets.advantages[living].mean().item()] * 3)
    else:
        parts = [decisions(minibatch) for minibatch in minibatches]
        means = [experience.targets.advantages[part][living[part]].mean().item() for part in parts]
        assert shifts == pytest.approx(means)


@pytest.mark.parametrize(
    ("shuffle", "sizes"),
    [pytest.param("rows", [10, 10, 10, 9, 9], id="rows"), pytest.param("blocks", [10, 10, 10, 10, 8], id="blocks")],
)
def test_every_epoch_has_all_decisions_once_in_another_order(shuffle: str, sizes: list[int]) -> None:
    experience, settings = experience_of(num_minibatches=5, shuffle=shuffle)

    first, second = (cut(experience, settings, shard_sequences=7, epoch=epoch) for epoch in (0, 1))

    assert sorted((len(decisions(minibatch)) for minibatch in first), reverse=True) == sizes
    assert max(shard.sequences for minibatch in first for shard in minibatch.shards) <= 7
    orders = [[index for minibatch in minibatches for index in decisions(minibatch)] for minibatches in (first, second)]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(48))
    assert orders[0] != orders[1]


def test_blocks_are_read_without_a_copy() -> None:
    experience, settings = experience_of(num_minibatches=2, shuffle="blocks")

    shard = cut(experience, settings)[0].shards[0]

    inputs = experience.inputs.select(shard)
    assert inputs.obs.untyped_storage().data_ptr() == experience.inputs.obs.untyped_storage().data_ptr()
