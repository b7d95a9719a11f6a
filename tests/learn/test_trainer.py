"""The trainer: counters, reports, values and refused settings."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError
from diorama.contracts.training_reports import StepView
from diorama.contracts.values import I32
from diorama.engine.make import make_batch
from diorama.learn.errors import TrainingDiverged
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.engine.toy_world import TOY
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Corridor, Cues, Salary, ToyEnvs, Wage, Workshop
from tests.refusals import refused


def settings(**changes: object) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-16-tanh-v1"},
            "ppo": {"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 1},
            "execution": {"threads": 1, "lane_copies": 8, "shard_rows": 64},
            **changes,
        }
    )


@dataclass
class Notebook(RecordingCallback):
    """Also copies every step view."""

    views: list[StepView] = field(default_factory=list)

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        copied: dict[str, Any] = {
            name: value.copy() if isinstance(value, np.ndarray) else value
            for name, value in ((name, getattr(step, name)) for name in StepView.__dataclass_fields__)
        }
        self.views.append(StepView(**copied))


def test_steps_are_reported_in_order_and_counted() -> None:
    callback = Notebook()
    trainer = Trainer(Corridor(20), settings(), seed=1, callbacks=[callback])

    trainer.run(300)

    assert trainer.env_steps_total == 320
    assert [report.env_steps_total for report in callback.reports] == [160, 320]
    assert [report.update for report in callback.reports] == [0, 1]
    assert len(callback.views) == 16
    ticks = np.array([view.metrics[:, 0] for view in callback.views])
    assert ((ticks[1:] == ticks[:-1] + 1) | (ticks[1:] == 1)).all()
    assert callback.reports[-1].transitions == 160
    assert callback.reports[-1].ticks_total == 320


def test_dead_seats_are_neither_counted_nor_learned_from() -> None:
    callback = Notebook()
    trainer = Trainer(make_batch(TOY, copies=10, seed=5), settings(), seed=1, callbacks=[callback])

    trainer.run(80)

    # Seat 1 drops out one of three steps early, so over 8 steps it decides in 6 of them.
    assert callback.reports[0].transitions == 10 * (8 + 6)
    assert trainer.agent_steps_total == callback.reports[0].transitions
    assert sum(int(view.alive_before.sum()) for view in callback.views) == callback.reports[0].transitions


@pytest.mark.parametrize(
    ("envs", "least", "most"),
    [
        # Cut off by the clock, the salary goes on for ever: 1 / (1 - 0.8).
        pytest.param(Salary(8), 4.8, 5.2, id="truncated"),
        # Ended by the rules after 7 of them, with no way to tell how many are left: the mean of 1..7 of them.
        pytest.param(Wage(8), 2.5, 3.1, id="terminated"),
    ],
)
def test_the_critic_learns_the_known_value(envs: ToyEnvs, least: float, most: float) -> None:
    learner = settings(
        ppo={"rollout_steps": 21, "num_minibatches": 1, "update_epochs": 4, "gamma": 0.8, "vf_coef": 1.0},
        optimizer={"learning_rate": 0.02, "max_grad_norm": 10.0},
    )
    trainer = Trainer(envs, learner, seed=1, callbacks=[RecordingCallback()])

    trainer.run(30 * 21 * 8)

    with torch.no_grad():
        features, _ = trainer.policy.features(
            torch.ones(1, 1), torch.zeros(1, 0, dtype=torch.uint8), torch.zeros(1, 0), torch.zeros(1, 1)
        )
        value = trainer.policy.values(features).item()
    assert least < value < most


class Poison(Cues):
    """Pays NaN."""

    def advance(self, actions: I32, buffers: Buffers) -> None:
        super().advance(actions, buffers)
        buffers.rewards[0] = np.nan


def test_nan_rewards_stop_the_training() -> None:
    callback = RecordingCallback()
    trainer = Trainer(Poison(16), settings(), seed=1, callbacks=[callback])

    with refused(TrainingDiverged, "statistic_not_finite", update=0, name="rewards"):
        trainer.run(100)

    assert callback.reports == []


def test_nan_weights_stop_the_training() -> None:
    trainer = Trainer(Cues(16), settings(), seed=1, callbacks=[RecordingCallback()])
    with torch.no_grad():
        trainer.policy.value_head.weight[0, 0] = torch.nan

    with refused(TrainingDiverged, "statistic_not_finite", name="values"):
        trainer.run(100)


def test_infinite_weights_stop_the_training() -> None:
    trainer = Trainer(Cues(16), settings(), seed=1, callbacks=[RecordingCallback()])
    with torch.no_grad():
        trainer.policy.encoder.layers[0].weight[0, 0] = torch.inf  # type: ignore[index, union-attr]

    with refused(TrainingDiverged, "logits_not_finite", rows=8):
        trainer.run(100)


def test_epochs_end_early_beyond_the_target_kl() -> None:
    callback = RecordingCallback()
    eager = settings(
        ppo={"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 6, "target_kl": 1e-4},
        optimizer={"learning_rate": 0.03},
    )
    trainer = Trainer(Cues(32), eager, seed=1, callbacks=[callback])

    trainer.run(4 * 8 * 32)

    assert min(report.epochs_done for report in callback.reports) < 6
    for report in callback.reports:
        assert report.minibatches == 2 * report.epochs_done


def test_vtrace_changes_nothing_in_a_single_epoch_and_something_in_several() -> None:
    def weights(epochs: int, vtrace: dict[str, float] | None) -> torch.Tensor:
        ppo = {"rollout_steps": 8, "num_minibatches": 2, "update_epochs": epochs, "vtrace": vtrace}
        trainer = Trainer(Corridor(16), settings(ppo=ppo), seed=1, callbacks=[RecordingCallback()])
        trainer.run(3 * 8 * 16)
        return torch.cat([p.detach().flatten() for p in trainer.policy.parameters()])

    assert torch.equal(weights(1, None), weights(1, {}))
    assert not torch.equal(weights(3, None), weights(3, {}))


def test_a_share_of_decisions_for_an_expert_needs_one() -> None:
    with refused(ConfigError, "expert_missing"):
        Trainer(Corridor(2), settings(ppo={"rollout_steps": 2, "num_minibatches": 1, "teacher_share": 0.5}), seed=1)


def test_conditional_masks_need_environments_with_extra_arrays() -> None:
    heads = {"second": {"conditional_mask": {"given": "first", "extra": "nowhere"}}}
    dependent = settings(policy={"arch": "mlp-16-tanh-v1", "heads": heads})

    with refused(ConfigError, "extra_arrays_missing", world="toy", extra="nowhere"):
        Trainer(Cues(16), dependent, seed=1, callbacks=[RecordingCallback()])


class Shelves(Workshop):
    """A workshop that allows every action."""

    def advance(self, actions: I32, buffers: Buffers) -> None:
        buffers.terminated[:] = 1


def test_an_auxiliary_head_learns_an_extra_array() -> None:
    auxiliary = {"contents": {"target": "fullness", "width": 2, "hidden": (16,), "clip": 1.0, "coefficient": 1.0}}
    policy = {"arch": "mlp-16-tanh-v1", "auxiliary": auxiliary}
    trainer = Trainer(
        Shelves(32), settings(policy=policy, optimizer={"learning_rate": 0.01}), seed=1, callbacks=[RecordingCallback()]
    )

    trainer.run(60 * 8 * 32)

    features, _ = trainer.policy.features(
        torch.ones(1, 1), torch.zeros(1, 0, dtype=torch.uint8), torch.zeros(1, 0), torch.zeros(1, 1)
    )
    predicted = trainer.policy.predict("contents", features, detached=True)
    assert predicted[0].tolist() == pytest.approx([0.5, 0.5], abs=0.1)


def test_an_update_is_one_rollout_and_one_report() -> None:
    callback = RecordingCallback()
    trainer = Trainer(Corridor(16), settings(), seed=1, callbacks=[callback])

    trainer.update()
    trainer.update()

    assert [report.update for report in callback.reports] == [0, 1]
    assert trainer.env_steps_total == 2 * callback.reports[0].env_steps_total
