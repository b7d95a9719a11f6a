"""Discounts per tick, against plain NumPy computations in binary64."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import diorama
from diorama.engine.make import make_batch
from diorama.learn.collector import Collector
from diorama.learn.cuda.collector import DeviceCollector
from diorama.learn.envs import TrainingEnvs
from diorama.learn.experience import Experience, build_experience
from diorama.learn.gae import GaeParams, Outcomes, VtraceCorrection, advantages_in_torch, compute_advantages
from diorama.learn.imitation.episodes import episode_from_npz
from diorama.learn.imitation.offline_buffer import OfflineBuffer
from diorama.learn.imitation.recording import Recording
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.state import TrainerState
from diorama.learn.trainer import Trainer
from diorama.learn.workers import Workers
from tests.engine.toy_world import TOY, ToyConfig, toy_spec
from tests.learn.imitation.episodes import SPEC, episode
from tests.learn.recording_callback import RecordingCallback
from tests.learn.test_reproducibility import assert_same
from tests.learn.toys import Corridor

GAMMA, LAMBDA = 0.97, 0.9
Numbers = NDArray[np.float64]
Compute = Callable[..., torch.Tensor]


def expected_advantages(outcomes: Outcomes, dt: Numbers, correction: VtraceCorrection | None = None) -> Numbers:
    """The definition, decision by decision."""
    rewards, values = outcomes.rewards.numpy().astype(float), outcomes.values.numpy().astype(float)
    terminated, truncated = outcomes.terminated.numpy(), outcomes.truncated.numpy()
    bootstrap, advantages = outcomes.bootstrap.numpy().astype(float), np.zeros_like(rewards)
    for row in range(rewards.shape[1]):
        later = 0.0
        for step in reversed(range(len(rewards))):
            discount = GAMMA ** dt[step, row]
            if terminated[step, row]:
                following, later = 0.0, 0.0
            elif truncated[step, row]:
                following, later = bootstrap[step, row], 0.0
            else:
                following = values[step + 1, row]
            rho = c = 1.0
            if correction is not None:
                ratio = float(correction.ratios[step, row])
                rho, c = min(ratio, correction.rho_clip), min(ratio, correction.c_clip)
            delta = rho * (rewards[step, row] + discount * following - values[step, row])
            later = delta + discount * LAMBDA * c * later
            advantages[step, row] = later
    return advantages


def ragged(dt: torch.Tensor | None) -> Outcomes:
    generator = torch.Generator().manual_seed(3)
    return Outcomes(
        rewards=torch.randn(40, 33, generator=generator),
        values=torch.randn(41, 33, generator=generator),
        terminated=(torch.rand(40, 33, generator=generator) < 0.1).to(torch.uint8),
        truncated=(torch.rand(40, 33, generator=generator) < 0.1).to(torch.uint8),
        bootstrap=torch.randn(40, 33, generator=generator),
        dt=dt,
    )


@pytest.mark.parametrize("corrected", [False, True], ids=["plain", "vtrace"])
@pytest.mark.parametrize("compute", [compute_advantages, advantages_in_torch], ids=["compiled", "torch"])
def test_advantages_are_discounted_by_the_ticks_of_each_decision(compute: Compute, corrected: bool) -> None:
    dt = torch.randint(0, 60, (40, 33), generator=torch.Generator().manual_seed(4)).double()
    ratios = torch.rand(40, 33, generator=torch.Generator().manual_seed(5)) * 2
    correction = VtraceCorrection(ratios=ratios, rho_clip=1.2, c_clip=0.9) if corrected else None
    params = GaeParams(gamma=GAMMA, gae_lambda=LAMBDA)

    found = compute(ragged(dt), params, correction)

    expected = expected_advantages(ragged(dt), dt.numpy(), correction)
    np.testing.assert_allclose(found.numpy(), expected, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("compute", [compute_advantages, advantages_in_torch], ids=["compiled", "torch"])
def test_decisions_of_one_tick_have_the_bits_of_a_discount_per_decision(compute: Compute) -> None:
    params = GaeParams(gamma=0.997, gae_lambda=0.95)

    per_tick = compute(ragged(torch.ones(40, 33, dtype=torch.float64)), params)

    assert torch.equal(per_tick, compute(ragged(None), params))


def test_the_returns_of_the_reward_scaler_are_discounted_by_ticks() -> None:
    scaler = RewardScaler(NormalizationSettings.model_validate({"rewards": "return_std"}), rows=2, gamma=0.5)
    rewards = torch.tensor([[1.0, -2.0], [3.0, 0.0], [0.5, 4.0]])
    ended = torch.tensor([[False, False], [True, False], [False, False]])
    dt = torch.tensor([[3.0, 1.0], [2.0, 0.0], [1.0, 3.0]], dtype=torch.float64)

    scaled = scaler(rewards, ended, torch.ones(3, 2), dt)

    returns = torch.tensor([[1.0, -2.0], [3.0 + 0.25 * 1.0, -2.0], [0.5, 4.0 + 0.125 * -2.0]])
    torch.testing.assert_close(scaled, rewards / returns.std(correction=0))


def test_returns_of_demonstrations_are_discounted_by_ticks() -> None:
    recording = Recording.empty(toy_spec(ToyConfig()), rows=1, steps=5)
    recording.arrays.rewards[:, 0] = [1.0, 2.0, 4.0, 8.0, 16.0]
    recording.arrays.dt[:, 0] = [1, 3, 2, 1, 1]
    recording.arrays.terminated[2] = True

    returns, known = recording.returns(0.5, per_tick=True)

    assert returns[:, 0].tolist() == [1.0 + 0.5 * (2.0 + 0.125 * 4.0), 2.0 + 0.125 * 4.0, 4.0, 16.0, 16.0]
    assert known[:, 0].tolist() == [True, True, True, False, False]


def test_a_tail_is_discounted_by_ticks_before_it_is_neglected() -> None:
    recording = Recording.empty(toy_spec(ToyConfig()), rows=1, steps=3)
    recording.arrays.dt[:, 0] = [1, 4, 1]

    _, known = recording.returns(0.5, max_tail_weight=0.1, per_tick=True)

    assert known[:, 0].tolist() == [True, True, False]


def test_the_ticks_of_stored_episodes_are_stored_with_them() -> None:
    plain = episode(1)
    timed = replace(plain, dt=np.arange(1, len(plain) + 1, dtype=np.uint16))
    parts = tuple(plain.observation)

    read = episode_from_npz(timed.to_npz(), parts, where="a test")

    assert read.ticks.tolist() == [*range(1, len(plain) + 1)]
    assert episode_from_npz(plain.to_npz(), parts, where="a test").dt is None


def test_stored_episodes_are_discounted_by_their_ticks() -> None:
    plain = episode(1)
    timed = replace(plain, dt=(1 + 7 * (np.arange(len(plain)) % 3)).astype(np.uint16))
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-8-tanh-v1"},
            "ppo": {"gamma": GAMMA, "gae_lambda": LAMBDA, "discount": "per_tick"},
        }
    )
    policy = Policy(SPEC, settings.policy, settings.normalization, seed=1)

    experience = OfflineBuffer([timed], SPEC, settings, seed=1).experience([timed], policy, Workers(1))

    expected = expected_advantages(experience.outcomes, timed.ticks[:, None].astype(float))
    np.testing.assert_allclose(experience.targets.advantages.numpy(), expected[:, 0], rtol=2e-5, atol=2e-6)


def rollout_of(envs: TrainingEnvs, kind: str, *, pipeline: bool) -> tuple[Experience, Numbers]:
    """Experience of one rollout, and the ticks of its decisions, steps × rows."""
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-8-tanh-v1"},
            "ppo": {"rollout_steps": 24, "gamma": GAMMA, "gae_lambda": LAMBDA, "discount": kind},
            "execution": {"threads": 1, "pipeline": pipeline},
        }
    )
    policy = Policy(envs.spec, settings.policy, settings.normalization, seed=1)
    collector = DeviceCollector(envs, policy, settings) if pipeline else Collector(envs, policy, settings, Workers(1))
    collector.reset()
    exploration = policy.heads.plan.exploration(0)
    collector.collect(policy, SamplingParams(seed=1, update=0, exploration=exploration, use_masks=True))
    rollout = collector.rollout
    dt = np.repeat(rollout.host["dt"][1:].numpy().astype(float), envs.spec.agents, axis=1)
    scaler = RewardScaler(settings.normalization, rollout.shape.rows, settings.ppo.gamma)
    experience = build_experience(rollout, policy.heads.plan, settings.ppo, scaler)
    collector.close()
    return experience, dt


@pytest.mark.parametrize("pipeline", [False, True], ids=["host", "pipeline"])
def test_rollouts_are_discounted_by_the_ticks_that_their_copies_took(pipeline: bool) -> None:
    config = {"reward_profile": "v2", "time_max": 600}
    envs = diorama.make("prospector", copies=8, config=config, seed=11)

    experience, dt = rollout_of(envs, "per_tick", pipeline=pipeline)

    assert len(np.unique(dt)) > 2
    expected = expected_advantages(experience.outcomes, dt).reshape(-1)
    np.testing.assert_allclose(experience.targets.advantages.numpy(), expected, rtol=2e-5, atol=2e-6)


def test_all_seats_of_a_copy_take_its_ticks() -> None:
    experience, dt = rollout_of(make_batch(TOY, copies=4, seed=5), "per_tick", pipeline=False)

    assert experience.outcomes.dt is not None
    assert np.array_equal(experience.outcomes.dt.numpy(), dt)
    assert dt.shape == (24, 8)


def trained(kind: str, updates: int, *, saved_after: int | None = None, world: str = "corridor") -> TrainerState:
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-16-tanh-v1"},
            "ppo": {
                "rollout_steps": 8,
                "num_minibatches": 2,
                "update_epochs": 2,
                "discount": kind,
                "vtrace": {},
                "gamma": 0.99,
            },
            "normalization": {"rewards": "return_std"},
            "execution": {"threads": 1},
        }
    )

    def trainer() -> Trainer:
        copies = Corridor(16) if world == "corridor" else diorama.make(world, copies=16, seed=3)
        return Trainer(copies, settings, seed=1, callbacks=[RecordingCallback()])

    current = trainer()
    if saved_after is not None:
        current.run(saved_after * 8 * 16)
        state, current = current.state(), trainer()
        current.load_state(state)
    current.run(updates * 8 * 16)
    return current.state()


def test_a_world_whose_decisions_take_one_tick_trains_to_the_same_bits() -> None:
    assert_same(trained("per_decision", 3), trained("per_tick", 3))


def test_a_world_whose_decisions_last_differently_long_trains_differently_and_continues_exactly() -> None:
    per_tick = trained("per_tick", 3, world="prospector")

    assert_same(per_tick, trained("per_tick", 3, saved_after=2, world="prospector"))
    name = "model_state_dict.value_head.weight"
    assert not torch.equal(per_tick.tensors[name], trained("per_decision", 3, world="prospector").tensors[name])
