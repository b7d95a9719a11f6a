"""Rollouts of towns: seats that change hands, dead seats, and frames in which a citizen is bound to its option."""

from dataclasses import replace

import pytest
import torch

from diorama.learn.buffer import RolloutBuffer
from diorama.learn.collector import Collector
from diorama.learn.experience import Experience, build_experience
from diorama.learn.gae import GaeParams, compute_advantages
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers
from tests.worlds.townlet.learning.towns import settings, towns


class Told:
    """A rollout of doomed towns and what was made of it."""

    def __init__(self, arch: str = "mlp-8-tanh-v1") -> None:
        chosen, batch = settings(arch), towns()
        self.policy = Policy(batch.spec, chosen.policy, chosen.normalization, seed=1)
        collector = Collector(batch, self.policy, chosen, Workers(1))
        collector.reset()
        collector.collect(self.policy, SamplingParams(seed=1, update=0, exploration=(0.0,), use_masks=True))
        self.rollout: RolloutBuffer = collector.rollout
        self.gamma = chosen.ppo.gamma
        scaler = RewardScaler(chosen.normalization, batch.rows, self.gamma)
        self.experience: Experience = build_experience(self.rollout, self.policy.heads.plan, chosen.ppo, scaler)

    def newcomers(self) -> list[tuple[int, int]]:
        """Step and row of everybody who took a seat in the middle of the rollout."""
        starts, alive = self.rollout.inputs["episode_start"], self.rollout.inputs["alive"]
        found = (starts[1:-1] != 0) & (alive[1:-1] != 0) & (alive[:-2] == 0)
        return [(step + 1, row) for step, row in found.nonzero().tolist()]


@pytest.fixture(scope="module")
def told() -> Told:
    return Told()


def test_seats_change_hands_within_a_rollout(told: Told) -> None:
    newcomers = told.newcomers()

    assert newcomers
    terminated = told.rollout.outcome("terminated")
    for step, row in newcomers:
        before = terminated[:step, row].nonzero()[:, 0]
        assert len(before)
        assert (told.rollout.inputs["alive"][int(before[-1]) + 1 : step, row] == 0).all()


def test_nothing_of_a_newcomer_reaches_who_had_the_seat_before(told: Told) -> None:
    outcomes = told.experience.outcomes
    decay = GaeParams(gamma=told.gamma, gae_lambda=0.95)
    as_it_was = compute_advantages(outcomes, decay)

    for step, row in told.newcomers():
        values, rewards = outcomes.values.clone(), outcomes.rewards.clone()
        values[step:, row] += 100.0
        rewards[step:, row] += 100.0
        other = compute_advantages(replace(outcomes, values=values, rewards=rewards), decay)
        died = int(outcomes.terminated[:step, row].nonzero()[-1])
        assert torch.equal(other[: died + 1, row], as_it_was[: died + 1, row])
        assert not torch.equal(other[step:, row], as_it_was[step:, row])


def test_the_advantage_of_a_last_decision_is_its_reward_less_its_value(told: Told) -> None:
    outcomes = told.experience.outcomes
    ends = outcomes.terminated != 0

    advantages = told.experience.targets.advantages.view(ends.shape)

    torch.testing.assert_close(advantages[ends], (outcomes.rewards - outcomes.values[:-1])[ends])


def test_dead_seats_and_bound_citizens_weigh_nothing_in_the_policy_loss(told: Told) -> None:
    targets, masks = told.experience.targets, told.experience.inputs.masks
    assert masks is not None
    alive = told.rollout.alive_mask().view(-1) != 0
    decides = alive & ((masks != 0).sum(dim=1) > 1)

    assert (alive & ~decides).any()
    assert (~alive).any()
    assert torch.equal(targets.policy_weights > 0, decides)
    assert torch.equal(targets.value_weights > 0, alive)
    # Everybody here dies within a hundred ticks, most of them inside of the rollout.
    assert set(targets.policy_weights[decides].tolist()) <= {0.5, 1.0}
    assert (targets.policy_weights == 0.5).any()


def test_a_newcomer_begins_without_the_memory_of_the_seat() -> None:
    told = Told("mingru-8-v1")
    step, row = told.newcomers()[0]
    obs = told.rollout.inputs["obs"][step, row : row + 1]
    nothing = torch.zeros(1, 0, dtype=torch.uint8)

    def value(memory: torch.Tensor, start: int) -> float:
        starts = torch.full((1, 1), start, dtype=torch.uint8)
        with torch.inference_mode():
            return float(told.policy.values(told.policy.features(obs, nothing, memory, starts)[0]))

    empty, full = torch.zeros(1, told.policy.memory_width), torch.full((1, told.policy.memory_width), 5.0)
    assert float(told.rollout.values[step, row]) == pytest.approx(value(empty, 0))
    assert value(full, 1) == value(empty, 0) != value(full, 0)
