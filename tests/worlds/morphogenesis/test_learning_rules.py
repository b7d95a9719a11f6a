"""How the controller learns: what is brought to scale, what a failure costs, and that a run goes on where it stood."""

from dataclasses import dataclass, field
from statistics import mean, stdev

import numpy as np
import pytest
import torch

from diorama.contracts.errors import ConfigError, SnapshotError, UnknownName
from diorama.engine.make import make_batch
from diorama.learn.gae import GaeParams, Outcomes, compute_advantages
from diorama.learn.normalization import RewardScaler
from diorama.learn.settings.trainer import NormalizationSettings
from diorama.learn.trainer import Trainer
from diorama.training.plan import plan_training
from diorama.training.presets import load_preset
from diorama.worlds.morphogenesis import WORLD
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from tests.learn.recording_callback import RecordingCallback
from tests.worlds.morphogenesis.learners import controller_policy, controller_settings, small_batch
from tests.worlds.morphogenesis.small_worlds import SMALL

GAMMA, LAMBDA = 0.995, 0.98


def test_advantages_equal_a_double_loop_over_segments_that_end_in_three_ways() -> None:
    steps, rows = 11, 3
    draws = np.random.Generator(np.random.PCG64(3))
    rewards, values = draws.normal(size=(steps, rows)), draws.normal(size=(steps + 1, rows))
    bootstrap = draws.normal(size=(steps, rows))
    terminated, truncated = np.zeros((steps, rows)), np.zeros((steps, rows))
    terminated[3, 0] = terminated[7, 0] = terminated[4, 1] = 1
    truncated[-1] = 1

    found = compute_advantages(
        Outcomes(
            rewards=torch.from_numpy(rewards).float(),
            values=torch.from_numpy(values).float(),
            terminated=torch.from_numpy(terminated.astype(np.uint8)),
            truncated=torch.from_numpy(truncated.astype(np.uint8)),
            bootstrap=torch.from_numpy(bootstrap).float(),
        ),
        GaeParams(gamma=GAMMA, gae_lambda=LAMBDA),
    )

    for row in range(rows):
        for first in range(steps):
            total, weight = 0.0, 1.0
            for step in range(first, steps):
                after = bootstrap[step, row] if truncated[step, row] else values[step + 1, row]
                after = 0.0 if terminated[step, row] else after
                total += weight * (rewards[step, row] + GAMMA * after - values[step, row])
                weight *= GAMMA * LAMBDA
                if terminated[step, row] or truncated[step, row]:
                    break
            assert float(found[first, row]) == pytest.approx(total, abs=1e-4)


def scaler(rows: int, **settings: object) -> RewardScaler:
    chosen = NormalizationSettings.model_validate({"rewards": "running_std", "reward_clip": 10.0, **settings})
    return RewardScaler(chosen, rows, GAMMA)


@dataclass
class OneByOne:
    """Rewards divided by the spread of all so far, as the rule is written."""

    seen: list[float] = field(default_factory=list)

    def count_in(self, reward: float) -> float:
        self.seen.append(reward)
        return self.scale(reward)

    def scale(self, reward: float) -> float:
        spread = stdev(self.seen) + 1e-8 if len(self.seen) > 1 else 1.0
        return min(10.0, max(-10.0, reward / spread))


def test_rewards_are_divided_in_the_order_of_steps_and_envs_as_one_by_one() -> None:
    rewards = torch.randn(7, 3, generator=torch.Generator().manual_seed(1)) * 4.0 + 1.0
    one_by_one, at_once = OneByOne(), scaler(3)
    never, always = torch.zeros(7, 3, dtype=torch.bool), torch.ones(7, 3)

    wanted = [one_by_one.count_in(float(reward)) for reward in torch.cat([rewards, -rewards]).flatten()]
    found = torch.cat([at_once(rewards, never, always), at_once(-rewards, never, always)])

    assert found.flatten().tolist() == pytest.approx(wanted, abs=1e-5)
    assert float(at_once.moments.count) == len(one_by_one.seen)
    assert float(at_once.moments.mean) == pytest.approx(mean(one_by_one.seen))
    other = scaler(3)
    other.load_state_dict(at_once.state_dict())
    assert torch.equal(other(rewards, never, always), at_once(rewards, never, always))


def test_a_penalty_is_scaled_and_not_counted() -> None:
    rewards = torch.tensor([[1.0], [-10.0], [3.0]])
    counted = torch.tensor([[1.0], [0.0], [1.0]])
    one_by_one, at_once = OneByOne(), scaler(1, counts_failures=False)
    one_by_one.count_in(2.0)
    at_once(torch.tensor([[2.0]]), torch.zeros(1, 1, dtype=torch.bool), torch.ones(1, 1))

    found = at_once(rewards, torch.zeros(3, 1, dtype=torch.bool), counted)

    wanted = [one_by_one.count_in(1.0), one_by_one.scale(-10.0), one_by_one.count_in(3.0)]
    assert found.flatten().tolist() == pytest.approx(wanted, abs=1e-5)
    assert len(one_by_one.seen) == int(at_once.moments.count) == 3


def test_flags_and_stages_pass_the_normalizer_as_they_are() -> None:
    normalizer = controller_policy().normalizer
    assert normalizer is not None
    rows = torch.randn(50, 116) * 5.0 + 3.0
    normalizer.update(rows, torch.ones(50))

    kept = [place for place in range(116) if torch.equal(normalizer(rows)[:, place], rows[:, place])]

    of_slots = [23 + 31 * slot + offset for slot in range(3) for offset in (*range(11), 25, 26)]
    assert kept == [*range(16, 23), *of_slots]
    mean, variance = normalizer.moments.mean.clone(), normalizer.moments.variance.clone()
    normalizer.update(rows * 2.0, torch.ones(50))
    newest, spread = (rows * 2.0).double().mean(0), (rows * 2.0).double().var(0, correction=0)
    assert torch.allclose(normalizer.moments.mean, 0.99 * mean + 0.01 * newest)
    blended = 0.99 * variance + 0.01 * spread + 0.99 * 0.01 * (newest - mean) ** 2
    assert torch.allclose(normalizer.moments.variance, blended)


def test_a_run_that_was_saved_goes_on_as_if_it_had_not_been() -> None:
    settings = controller_settings("demo", copies=2, config={**SMALL}, steps=2 * 6 * 4).trainer
    whole = Trainer(small_batch(), settings, seed=7, callbacks=[RecordingCallback()])
    whole.run(2 * 6 * 2)
    half = whole.state()
    whole.run(2 * 6 * 4)

    other = Trainer(small_batch(), settings, seed=7, callbacks=[RecordingCallback()])
    other.load_state(half)
    other.run(2 * 6 * 4)

    ended, again = whole.state(), other.state()
    assert other.updates == 4
    assert ended.snapshots == again.snapshots
    for name, tensor in ended.tensors.items():
        assert torch.equal(tensor, again.tensors[name]), name


def test_copies_that_share_a_clock_are_brought_back_together() -> None:
    batch = small_batch(3)
    batch.reset()
    rng = np.random.Generator(np.random.PCG64(1))
    batch.step(some_actions(batch.extra("slot_by_op"), rng))
    kept = [batch.snapshot(copy) for copy in range(3)]
    hashes = [batch.state_hash(copy) for copy in range(3)]
    other = small_batch(3, seed=99)
    other.reset()

    other.restore_all(kept)

    assert [other.state_hash(copy) for copy in range(3)] == hashes
    actions = some_actions(batch.extra("slot_by_op"), rng)
    batch.step(actions)
    other.step(actions)
    assert [other.state_hash(copy) for copy in range(3)] == [batch.state_hash(copy) for copy in range(3)]
    with pytest.raises(SnapshotError, match="moments"):
        other.restore_all([kept[0], batch.snapshot(1), kept[2]])


def some_actions(slot_by_op: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Plant something different in every copy."""
    actions = np.tile(np.array([0, 0, 2, 1, 2, 0, 0, 0], np.int32), (len(slot_by_op), 1))
    for row, table in enumerate(slot_by_op.reshape(len(slot_by_op), len(LifecycleOp), -1)):
        open_slots = np.flatnonzero(table[LifecycleOp.GERMINATE])
        if len(open_slots):
            actions[row, [0, 1, 7]] = rng.choice(open_slots), rng.integers(1, 3), LifecycleOp.GERMINATE
    return actions


def test_the_extra_arrays_are_those_of_the_masks_and_of_the_measurement() -> None:
    batch = small_batch(2)
    batch.reset()

    assert batch.extra("slot_by_op").shape == (2, len(LifecycleOp) * 3)
    assert np.isnan(batch.extra("contribution")).all()
    with pytest.raises(UnknownName, match="slot_by_op"):
        batch.extra("slots")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        pytest.param({"ppo": {"rollout_steps": 20}}, "every episode has 40 decisions", id="rollout"),
        pytest.param({"ppo": {"gamma": 0.9}}, "made for 0.995", id="gamma"),
        pytest.param({"execution": {"lane_copies": 2}}, "copies step together", id="lanes"),
    ],
)
def test_settings_that_the_world_cannot_be_learned_under_are_refused(values: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        plan_training(controller_settings("default", **values))


def test_what_nobody_says_is_taken_from_the_world() -> None:
    settings = controller_settings("demo", config={"max_epochs": 10, "gamma": 0.99}, copies=3)

    assert (settings.ppo.rollout_steps, settings.ppo.gamma, settings.execution.lane_copies) == (10, 0.99, 3)
    ramp = settings.ppo.vf_coef
    assert not isinstance(ramp, float)
    assert ramp.env_steps == 10 * 3 * 10


def test_a_preset_lies_over_the_one_it_extends() -> None:
    base, stable = load_preset("morphogenesis", "cifar_baseline"), load_preset("morphogenesis", "cifar_baseline_stable")

    assert base.values["policy"] == stable.values["policy"]
    assert stable.values["steps"] == 240_000
    assert "extends" not in stable.values


def test_the_other_worlds_tiers_offer_no_extra_arrays() -> None:
    from diorama.worlds.registry import load_world

    batch = make_batch(load_world("prospector"), copies=1)
    batch.reset()

    with pytest.raises(UnknownName, match="none"):
        batch.extra("slot_by_op")


def test_the_needs_follow_the_configuration() -> None:
    assert WORLD.training is not None
    needs = WORLD.training(MorphogenesisConfig(max_epochs=12, gamma=0.9))

    assert (needs.rollout_steps, needs.gamma, needs.one_lane) == (12, 0.9, True)
