"""The trainer as a whole: what it counts, tells, values and refuses."""

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
from tests.learn.listening import Ear
from tests.learn.toys import Corridor, Cues, Salary, ToySource, Wage, Workshop


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
class Notebook(Ear):
    """Also copies every step view."""

    views: list[StepView] = field(default_factory=list)

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        copied: dict[str, Any] = {
            name: value.copy() if isinstance(value, np.ndarray) else value
            for name, value in ((name, getattr(step, name)) for name in StepView.__dataclass_fields__)
        }
        self.views.append(StepView(**copied))


def test_steps_are_told_in_order_and_counted() -> None:
    ear = Notebook()
    trainer = Trainer(Corridor(20), settings(), seed=1, callbacks=[ear])

    trainer.train_until(300)

    assert trainer.env_steps_total == 320
    assert [report.env_steps_total for report in ear.reports] == [160, 320]
    assert [report.update for report in ear.reports] == [0, 1]
    assert len(ear.views) == 16
    ticks = np.array([view.metrics[:, 0] for view in ear.views])
    assert ((ticks[1:] == ticks[:-1] + 1) | (ticks[1:] == 1)).all()
    assert ear.reports[-1].transitions == 160
    assert ear.reports[-1].ticks_total == 320


def test_dead_seats_are_neither_counted_nor_learned_from() -> None:
    ear = Notebook()
    trainer = Trainer(make_batch(TOY, copies=10, seed=5), settings(), seed=1, callbacks=[ear])

    trainer.train_until(80)

    # Seat 1 drops out one of three steps early, so over 8 steps it decides in 6 of them.
    assert ear.reports[0].transitions == 10 * (8 + 6)
    assert trainer.agent_steps_total == ear.reports[0].transitions
    assert sum(int(view.alive_before.sum()) for view in ear.views) == ear.reports[0].transitions


@pytest.mark.parametrize(
    ("source", "least", "most"),
    [
        # Cut off by the clock, the salary goes on for ever: 1 / (1 - 0.8).
        pytest.param(Salary(8), 4.8, 5.2, id="truncated"),
        # Ended by the rules after 7 of them, with no way to tell how many are left: the mean of 1..7 of them.
        pytest.param(Wage(8), 2.5, 3.1, id="terminated"),
    ],
)
def test_the_critic_learns_the_known_value(source: ToySource, least: float, most: float) -> None:
    learner = settings(
        ppo={"rollout_steps": 21, "num_minibatches": 1, "update_epochs": 4, "gamma": 0.8, "vf_coef": 1.0},
        optimizer={"learning_rate": 0.02, "max_grad_norm": 10.0},
    )
    trainer = Trainer(source, learner, seed=1, callbacks=[Ear()])

    trainer.train_until(30 * 21 * 8)

    with torch.no_grad():
        features, _ = trainer.policy.features(
            torch.ones(1, 1), torch.zeros(1, 0, dtype=torch.uint8), torch.zeros(1, 0), torch.zeros(1, 1)
        )
        value = trainer.policy.values(features).item()
    assert least < value < most


class Poison(Cues):
    """Pays something that is not a number."""

    def advance(self, actions: I32, buffers: Buffers) -> None:
        super().advance(actions, buffers)
        buffers.rewards[0] = np.nan


def test_rewards_that_are_no_numbers_stop_the_training_by_name() -> None:
    ear = Ear()
    trainer = Trainer(Poison(16), settings(), seed=1, callbacks=[ear])

    with pytest.raises(TrainingDiverged, match="update 0: rewards became nan"):
        trainer.train_until(100)

    assert ear.reports == []


def test_weights_that_are_no_numbers_stop_the_training_by_name() -> None:
    trainer = Trainer(Cues(16), settings(), seed=1, callbacks=[Ear()])
    with torch.no_grad():
        trainer.policy.value_head.weight[0, 0] = torch.nan

    with pytest.raises(TrainingDiverged, match="values became nan"):
        trainer.train_until(100)


def test_logits_that_are_no_numbers_stop_the_training_by_name() -> None:
    trainer = Trainer(Cues(16), settings(), seed=1, callbacks=[Ear()])
    with torch.no_grad():
        trainer.policy.encoder.layers[0].weight[0, 0] = torch.inf  # type: ignore[index, union-attr]

    with pytest.raises(TrainingDiverged, match="logits are not finite in"):
        trainer.train_until(100)


def test_passes_end_early_once_the_policy_has_moved_far_enough() -> None:
    ear = Ear()
    eager = settings(
        ppo={"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 6, "target_kl": 1e-4},
        optimizer={"learning_rate": 0.03},
    )
    trainer = Trainer(Cues(32), eager, seed=1, callbacks=[ear])

    trainer.train_until(4 * 8 * 32)

    assert min(report.epochs_done for report in ear.reports) < 6
    for report in ear.reports:
        assert report.minibatches == 2 * report.epochs_done


def test_vtrace_changes_nothing_in_a_single_pass_and_something_in_several() -> None:
    def weights(epochs: int, vtrace: dict[str, float] | None) -> torch.Tensor:
        ppo = {"rollout_steps": 8, "num_minibatches": 2, "update_epochs": epochs, "vtrace": vtrace}
        trainer = Trainer(Corridor(16), settings(ppo=ppo), seed=1, callbacks=[Ear()])
        trainer.train_until(3 * 8 * 16)
        return torch.cat([p.detach().flatten() for p in trainer.policy.parameters()])

    assert torch.equal(weights(1, None), weights(1, {}))
    assert not torch.equal(weights(3, None), weights(3, {}))


def test_conditional_masks_need_a_source_that_offers_them() -> None:
    heads = {"second": {"conditional_mask": {"given": "first", "extra": "nowhere"}}}
    dependent = settings(policy={"arch": "mlp-16-tanh-v1", "heads": heads})

    with pytest.raises(ConfigError, match="no extra arrays such as 'nowhere'"):
        Trainer(Cues(16), dependent, seed=1, callbacks=[Ear()])


class Shelves(Workshop):
    """A workshop in which everything goes."""

    def advance(self, actions: I32, buffers: Buffers) -> None:
        buffers.terminated[:] = 1


def test_an_auxiliary_head_learns_what_the_source_adds() -> None:
    auxiliary = {"contents": {"target": "fullness", "width": 2, "hidden": (16,), "clip": 1.0, "coefficient": 1.0}}
    policy = {"arch": "mlp-16-tanh-v1", "auxiliary": auxiliary}
    trainer = Trainer(
        Shelves(32), settings(policy=policy, optimizer={"learning_rate": 0.01}), seed=1, callbacks=[Ear()]
    )

    trainer.train_until(60 * 8 * 32)

    features, _ = trainer.policy.features(
        torch.ones(1, 1), torch.zeros(1, 0, dtype=torch.uint8), torch.zeros(1, 0), torch.zeros(1, 1)
    )
    predicted = trainer.policy.predict("contents", features, detached=True)
    assert predicted[0].tolist() == pytest.approx([0.5, 0.5], abs=0.1)


def test_an_update_is_one_rollout_and_one_report() -> None:
    ear = Ear()
    trainer = Trainer(Corridor(16), settings(), seed=1, callbacks=[ear])

    trainer.update()
    trainer.update()

    assert [report.update for report in ear.reports] == [0, 1]
    assert trainer.env_steps_total == 2 * ear.reports[0].env_steps_total
