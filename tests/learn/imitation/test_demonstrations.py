"""Demonstrations: what is recorded of an expert, and which decisions are imitated."""

import numpy as np
import pytest
import torch

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.learn.imitation.demonstrations import (
    ActionNoise,
    Demonstrations,
    demonstrations_from_episodes,
    record_demonstrations,
    split_holdout,
)
from diorama.learn.imitation.recording import Recording
from diorama.learn.policies.policy import Policy
from diorama.learn.settings.imitation import ActionNoiseSettings
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.learn.imitation.episodes import SPEC, episode, policy_of
from tests.learn.imitation.thermostat import LENGTH, THERMOSTAT, demonstrate, toy_batch, toy_policy
from tests.refusals import refused


def test_demonstrations_hold_what_the_bot_saw_did_and_earned() -> None:
    demonstrations = demonstrate([toy_batch(5)], toy_policy())

    rows = 10
    totals = demonstrations.inputs.obs[:, 0].view(-1, rows)[:, ::2]
    amounts, signs = (demonstrations.inputs.actions[:, head].view(-1, rows)[:, ::2] for head in range(2))
    returns = demonstrations.returns.view(-1, rows)[:, ::2]
    assert len(demonstrations.returns) == 600
    assert torch.equal(amounts, torch.where(totals < 5, 2, 1).int())
    assert torch.equal(signs, torch.where(totals < 5, 0, 1).int())
    changes = torch.where(totals < 5, 2.0, -1.0)
    assert torch.equal(returns[0], changes[0] + changes[1] / 2 + changes[2] / 4 + changes[3] / 8)
    assert torch.equal(returns[3], changes[3])
    # Seat 1 drops out one step early: a dead seat is neither imitated nor valued.
    dead = demonstrations.head_weights.view(-1, rows, 2)[3, 1::2]
    assert (dead == 0).all()
    assert (demonstrations.value_weights.view(-1, rows)[3, 1::2] == 0).all()


def test_several_batches_are_recorded_side_by_side() -> None:
    policy = toy_policy()

    both = demonstrate([toy_batch(2), toy_batch(3)], policy)

    assert both.inputs.rows == 10
    assert len(both.returns) == 600
    alone = demonstrate([toy_batch(2)], policy, decisions=240)
    assert torch.equal(both.inputs.obs.view(60, 10, -1)[:, :4], alone.inputs.obs.view(60, 4, -1))


def test_with_an_acting_policy_the_bot_labels_what_the_policy_visits() -> None:
    policy = toy_policy()

    def recorded(*, policy_acts: bool) -> Recording:
        return record_demonstrations(
            [toy_batch(5)], THERMOSTAT, policy, decisions=80, length=1, policy_acts=policy_acts
        )

    by_bot, by_policy = recorded(policy_acts=False), recorded(policy_acts=True)

    assert not np.array_equal(by_bot.arrays.obs, by_policy.arrays.obs)
    for recording in (by_bot, by_policy):
        totals = recording.arrays.obs[:, ::2, 0]
        assert np.array_equal(recording.arrays.actions[:, ::2, 0], np.where(totals < 5, 2, 1))


def test_action_noise_changes_the_actions_taken_and_not_the_labels() -> None:
    policy, spec = toy_policy(), toy_spec(ToyConfig(length=LENGTH))
    noise = ActionNoise(ActionNoiseSettings(share=0.5, steps=3, heads=(spec.heads[0].name,)), spec, seed=2)

    noisy = demonstrate([toy_batch(5)], policy, action_noise=noise)

    below = noisy.inputs.obs[:, 0] < 5
    assert torch.equal(noisy.inputs.actions[:, 0] == 2, below), "labels are the bot's own actions"
    assert not torch.equal(noisy.inputs.obs, demonstrate([toy_batch(5)], policy).inputs.obs), "other states are visited"


def test_action_noise_for_a_head_that_does_not_exist_is_refused() -> None:
    with refused(UnknownName, "unknown_action_head", name="rudder"):
        ActionNoise(ActionNoiseSettings(heads=("rudder",)), toy_spec(ToyConfig()), seed=2)


def test_whole_episodes_are_held_out_the_same_ones_for_a_seed() -> None:
    episodes = [episode(seed) for seed in range(20)]

    training, held_out = split_holdout(episodes, 0.1, seed=4)

    assert (len(training), len(held_out)) == (18, 2)
    assert split_holdout(episodes, 0.1, seed=4)[1] == held_out
    assert not {id(one) for one in training} & {id(one) for one in held_out}


def test_a_single_episode_cannot_be_split() -> None:
    with refused(ConfigError, "too_few_episodes_to_hold_out", episodes=1, share=0.1):
        split_holdout([episode(0)], 0.1, seed=4)


def _three_episodes(policy: Policy) -> Demonstrations:
    return demonstrations_from_episodes(
        [episode(seed) for seed in range(3)], SPEC, policy, sequence_length=8, gamma=0.9
    )


@pytest.mark.parametrize("arch", ["mlp-32-tanh-v1", "mingru-16-v1"])
def test_only_decisions_that_left_a_choice_are_imitated(arch: str) -> None:
    demonstrations = _three_episodes(policy_of(arch))

    forced = (torch.arange(40) % 3 == 0).repeat(3)
    assert torch.equal(demonstrations.head_weights[:120, 0] == 0, forced)
    assert demonstrations.inputs.starts[:120].nonzero()[:, 0].tolist() == [0, 40, 80]
    assert demonstrations.value_weights[:120].eq(1).all()
    # The padding of the last sequence has no weight.
    assert demonstrations.head_weights[120:].eq(0).all()
    assert demonstrations.value_weights[120:].eq(0).all()


def test_returns_of_an_episode_that_was_cut_off_are_known_far_enough_from_its_end() -> None:
    episodes = [episode(1, frames=60, is_finished=False)]

    demonstrations = demonstrations_from_episodes(episodes, SPEC, policy_of(), sequence_length=1, gamma=0.9)

    # 0.9 ** 38 is the first power below 0.02.
    assert demonstrations.value_weights.tolist() == [1.0] * 23 + [0.0] * 37
