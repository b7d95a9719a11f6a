"""Behavior cloning: pretraining before PPO, and an auxiliary loss that fades."""

import numpy as np
import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.engine.make import make_batch
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.engine.toy_world import TOY
from tests.learn.imitation.thermostat import LENGTH, demonstrate, settings, toy_batch
from tests.refusals import refused


def toy_trainer(chosen: TrainerSettings) -> Trainer:
    batch = make_batch(TOY, copies=16, seed=5, config={"length": LENGTH})
    return Trainer(batch, chosen, seed=1)


def demonstrations_for(policy: Policy) -> Demonstrations:
    return demonstrate([toy_batch(5)], policy)


@pytest.mark.parametrize("arch", ["mlp-32-relu-v1", "mingru-16-v1"])
def test_a_policy_learns_to_act_like_the_bot(arch: str) -> None:
    trainer = toy_trainer(settings(arch))
    trainer.set_demonstrations(demonstrations_for(trainer.policy))

    report = trainer.pretrain()

    assert report.accuracy > 0.99
    assert report.losses[-1] < 0.1 * report.losses[0]


@pytest.mark.slow
def test_the_weight_of_the_cloning_loss_follows_its_schedule() -> None:
    def distance(anneal: object) -> float:
        trainer = toy_trainer(settings(anneal=anneal))
        trainer.set_demonstrations(demonstrations_for(trainer.policy))
        trainer.run(40 * 8 * 16)
        return trainer.pretrain().losses[0]

    constant, fading, none = distance(5.0), distance({"start": 5.0, "end": 0.0, "env_steps": 128}), distance(0.0)

    assert constant < fading < none


def test_cloning_without_demonstrations_is_refused() -> None:
    trainer = toy_trainer(settings(anneal=0.5))

    with refused(ConfigError, "demonstrations_missing"):
        trainer.run(1)
    with refused(ConfigError, "demonstrations_missing"):
        trainer.pretrain()


def test_demonstrations_and_pretraining_are_reproducible() -> None:
    weights = []
    for _ in range(2):
        trainer = toy_trainer(settings(anneal=0.5))
        trainer.set_demonstrations(demonstrations_for(trainer.policy))
        trainer.pretrain()
        trainer.run(8 * 16)
        weights.append(torch.cat([p.detach().flatten() for p in trainer.policy.parameters()]).numpy())
        trainer.close()

    assert np.array_equal(weights[0], weights[1])
