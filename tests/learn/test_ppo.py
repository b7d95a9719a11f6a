"""Optional rules of an update: guarded steps, skipped updates, rewards before a failure, dropout."""

import numpy as np
import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.values import I32
from diorama.learn.errors import TrainingDiverged
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Cues, Salary, Workshop
from tests.refusals import refused

SHORT = {"rollout_steps": 8, "num_minibatches": 1, "update_epochs": 6}


def settings(**sections: object) -> TrainerSettings:
    return TrainerSettings.model_validate({"policy": {"arch": "mlp-16-tanh-v1"}, "ppo": SHORT, **sections})


def test_a_guarded_step_beyond_the_target_kl_is_not_taken() -> None:
    eager = {"optimizer": {"learning_rate": 0.05}}
    after = {"ppo": {**SHORT, "target_kl": 0.01}, **eager}
    before = {"ppo": {**SHORT, "target_kl": 0.01, "kl_guards_step": True}, **eager}

    done = []
    for chosen in (after, before):
        callback = RecordingCallback()
        Trainer(Cues(16), settings(**chosen), seed=1, callbacks=[callback]).run(1)
        done.append(callback.reports[0])

    assert done[0].approx_kl_max > 0.01
    assert done[1].approx_kl_max <= 0.01
    assert done[1].epochs_done == done[0].epochs_done - 1


class Poison(Cues):
    """Pays NaN from its second rollout on."""

    def advance(self, actions: I32, buffers: Buffers) -> None:
        super().advance(actions, buffers)
        if self.table[0, 1] > 9:
            buffers.rewards[0] = np.nan


def test_updates_with_nan_are_skipped_until_too_many_follow_one_another() -> None:
    callback = RecordingCallback()
    trainer = Trainer(Poison(4), settings(ppo={**SHORT, "skips_allowed": 2}), seed=1, callbacks=[callback])
    trainer.run(1)
    learned = {name: tensor.clone() for name, tensor in trainer.policy.state_dict().items()}

    with refused(TrainingDiverged, "updates_skipped_in_a_row", skips=3):
        trainer.run(10_000)

    assert [report.skipped_minibatches for report in callback.reports] == [0, 6, 6, 6]
    assert all(torch.equal(tensor, learned[name]) for name, tensor in trainer.policy.state_dict().items())


class Fall(Salary):
    """Pays 1 a step; the sixth step is the last and costs 10."""

    limit = 6
    by_rules = True

    def advance(self, actions: I32, buffers: Buffers) -> None:
        super().advance(actions, buffers)
        buffers.rewards[buffers.terminated != 0] = -10.0


def test_only_positive_rewards_right_before_a_failure_are_dropped() -> None:
    chosen = settings(ppo={**SHORT, "rollout_steps": 12, "failing_rewards": 3})
    trainer = Trainer(Fall(2), chosen, seed=1, callbacks=[RecordingCallback()])
    trainer.run(1)

    rewards = trainer._backend.learning.experience.outcomes.rewards

    assert rewards[:, 0].tolist() == [1.0, 1.0, 0.0, 0.0, 0.0, -10.0] * 2


def test_dropout_of_an_auxiliary_head_depends_on_the_seed_alone() -> None:
    auxiliary = {
        "contents": {
            "target": "fullness",
            "width": "slot",
            "hidden": [32, 8],
            "normalized_layers": 1,
            "dropout": 0.5,
            "coefficient": 1.0,
        }
    }
    slot = {
        "inputs": ["op"],
        "relevance": {"given": "op", "options": ["op1", "op2"]},
        "conditional_mask": {"given": "op", "extra": "slot_by_op"},
    }
    weights = []
    for shard_rows in (8, 1_000):
        chosen = settings(
            policy={"arch": "mlp-16-tanh-v1", "auxiliary": auxiliary, "heads": {"slot": slot}},
            execution={"shard_rows": shard_rows, "threads": 1},
        )
        trainer = Trainer(Workshop(4), chosen, seed=3, callbacks=[RecordingCallback()])
        trainer.run(1)
        weights.append(trainer.policy.state_dict()["auxiliary.contents.layers.0.weight"])

    assert torch.allclose(weights[0], weights[1], atol=1e-5)
