"""Learning from demonstrations: what is kept of them, what is imitated, how the pull fades."""

import numpy as np
import pytest
import torch

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.imitation.demonstrations import Demonstrations, Disturbance, as_demonstrations, record_bot
from diorama.learn.imitation.recording import Recording
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.imitation import DisturbanceSettings
from diorama.learn.trainer import Trainer
from tests.engine.toy_world import TOY, ToyConfig, toy_spec
from tests.learn.listening import Ear

LENGTH = 4


class Thermostat:
    """Adds two below 5 and subtracts one from there on."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        return (2, 0) if obs[0] < 5 else (1, 1)


def settings(arch: str = "mlp-32-relu-v1", **cloning: object) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": {"arch": arch},
            "ppo": {"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 1, "gamma": 0.5},
            "execution": {"threads": 2, "lane_copies": 8, "shard_rows": 64},
            "cloning": {"bot": "thermostat", "epochs": 40, "minibatch_rows": 128, "learning_rate": 0.01, **cloning},
        }
    )


def toy_trainer(chosen: TrainerSettings) -> Trainer:
    batch = make_batch(TOY, copies=16, seed=5, config={"length": LENGTH})
    return Trainer(batch, chosen, seed=1, callbacks=[Ear()])


def toys(copies: int) -> Batch:
    return make_batch(TOY, copies=copies, seed=9, config={"length": LENGTH})


def demonstrated(
    batches: list[Batch], policy: Policy, decisions: int = 600, disturbance: Disturbance | None = None
) -> Demonstrations:
    length = 4 if policy.memory_width else 1
    recording = record_bot(batches, Thermostat, policy, decisions=decisions, length=length, disturbance=disturbance)
    return as_demonstrations(recording, policy, length=length, gamma=0.5)


def shown(policy: Policy, decisions: int = 600) -> Demonstrations:
    return demonstrated([toys(5)], policy, decisions)


def test_demonstrations_hold_what_the_bot_saw_did_and_earned() -> None:
    demonstrations = shown(toy_trainer(settings()).policy)

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
    # Seat 1 drops out one step early: nothing of a dead seat is imitated or valued.
    dead = demonstrations.head_weights.view(-1, rows, 2)[3, 1::2]
    assert (dead == 0).all()
    assert (demonstrations.value_weights.view(-1, rows)[3, 1::2] == 0).all()


def test_returns_are_unknown_where_the_episode_did_not_end_by_the_rules() -> None:
    recording = Recording.blank(toy_spec(ToyConfig()), rows=1, steps=5)
    recording.tracks.rewards[:] = 1.0
    recording.tracks.terminated[1] = True
    recording.tracks.truncated[3] = True

    returns, known = recording.returns(0.5)

    assert returns[:, 0].tolist() == [1.5, 1.0, 1.5, 1.0, 1.0]
    assert known[:, 0].tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("arch", ["mlp-32-relu-v1", "mingru-16-v1"])
def test_a_policy_learns_to_do_as_the_bot_does(arch: str) -> None:
    trainer = toy_trainer(settings(arch))
    trainer.show(shown(trainer.policy))

    report = trainer.warm_up()

    assert report.accuracy > 0.99
    assert report.losses[-1] < 0.1 * report.losses[0]


@pytest.mark.slow
def test_the_pull_of_the_demonstrations_fades_with_its_schedule() -> None:
    def distance(anneal: object) -> float:
        trainer = toy_trainer(settings(anneal=anneal))
        trainer.show(shown(trainer.policy))
        trainer.train_until(40 * 8 * 16)
        return trainer.warm_up().losses[0]

    pulled, briefly, alone = distance(5.0), distance({"start": 5.0, "end": 0.0, "env_steps": 128}), distance(0.0)

    assert pulled < briefly < alone


def test_a_pull_without_demonstrations_is_refused() -> None:
    trainer = toy_trainer(settings(anneal=0.5))

    with pytest.raises(ConfigError, match="no demonstrations"):
        trainer.train_until(1)
    with pytest.raises(ConfigError, match="nothing to imitate"):
        trainer.warm_up()


def test_demonstrations_and_warm_up_are_reproducible() -> None:
    weights = []
    for _ in range(2):
        trainer = toy_trainer(settings(anneal=0.5))
        trainer.show(shown(trainer.policy))
        trainer.warm_up()
        trainer.train_until(8 * 16)
        weights.append(torch.cat([p.detach().flatten() for p in trainer.policy.parameters()]).numpy())
        trainer.close()

    assert np.array_equal(weights[0], weights[1])


def test_several_batches_are_learned_from_side_by_side() -> None:
    policy = toy_trainer(settings()).policy

    both = demonstrated([toys(2), toys(3)], policy)

    assert both.inputs.rows == 10
    assert len(both.returns) == 600
    alone = demonstrated([toys(2)], policy, decisions=240)
    assert torch.equal(both.inputs.obs.view(60, 10, -1)[:, :4], alone.inputs.obs.view(60, 4, -1))


def test_a_led_recording_goes_where_the_policy_goes_and_keeps_what_the_bot_wants() -> None:
    policy = toy_trainer(settings()).policy

    def recorded(*, is_led: bool) -> Recording:
        return record_bot([toys(5)], Thermostat, policy, decisions=80, length=1, is_led=is_led)

    alone, led = recorded(is_led=False), recorded(is_led=True)

    assert not np.array_equal(alone.tracks.obs, led.tracks.obs)
    for recording in (alone, led):
        totals = recording.tracks.obs[:, ::2, 0]
        assert np.array_equal(recording.tracks.actions[:, ::2, 0], np.where(totals < 5, 2, 1))


def test_a_push_changes_what_is_done_and_not_what_is_imitated() -> None:
    policy, spec = toy_trainer(settings()).policy, toy_spec(ToyConfig(length=LENGTH))
    pushes = DisturbanceSettings(share=0.5, steps=3, heads=(spec.heads[0].name,))

    pushed = demonstrated([toys(5)], policy, disturbance=Disturbance(pushes, spec, seed=2))

    below = pushed.inputs.obs[:, 0] < 5
    assert torch.equal(pushed.inputs.actions[:, 0] == 2, below), "the bot's own wish is kept"
    assert not torch.equal(pushed.inputs.obs, shown(policy).inputs.obs), "other things happened"
    with pytest.raises(UnknownName, match=r"cloning\.disturbance\.heads"):
        Disturbance(DisturbanceSettings(heads=("nobody",)), spec, seed=2)
