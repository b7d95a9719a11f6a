"""Warm-up of the value function: the critic learns, the policy keeps its bits, and afterwards everything learns."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
import torch

import diorama
from diorama.engine.make import make_batch
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.engine.toy_world import TOY
from tests.learn.experiences import experience_of
from tests.learn.recording_callback import RecordingCallback
from tests.learn.test_reproducibility import assert_same
from tests.learn.toys import Salary

COPIES = 16
STEPS_PER_UPDATE = 16 * COPIES
WARMUP = 4 * STEPS_PER_UPDATE - 5  # the rollout that begins before its end is warm-up as a whole

NETWORKS = pytest.mark.parametrize(
    ("arch", "execution", "computed"),
    [
        pytest.param("mlp-32x32-tanh-v1", {}, "native", id="native"),
        pytest.param("mlp-32x32-tanh-separate-v1", {}, "native", id="native-separate"),
        pytest.param("mingru-16-v1", {}, "native", id="native-recurrent"),
        pytest.param("mlp-32x32-tanh-v1", {"native": False}, "torch", id="torch"),
        pytest.param("mlp-32x32-tanh-separate-v1", {"native": False}, "torch", id="torch-separate"),
        pytest.param("lstm-16-v1", {}, "torch", id="torch-recurrent"),
        pytest.param("mlp-32x32-tanh-v1", {"pipeline": True}, "torch", id="pipeline"),
    ],
)


def trainer_of(
    arch: str,
    execution: Mapping[str, object],
    callback: RecordingCallback | None = None,
    *,
    warmup: int = WARMUP,
    **sections: object,
) -> Trainer:
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": arch, "critic_hidden": [16]},
            "ppo": {
                "rollout_steps": 16,
                "num_minibatches": 2,
                "update_epochs": 2,
                "sequence_length": 8,
                "value_warmup": warmup,
            },
            "optimizer": {"learning_rate": 3e-3, "weight_decay": 0.01},
            "normalization": {"observations": True, "rewards": "return_std", "values": True},
            "execution": {"threads": 1, "shard_rows": 64, **execution},
            **sections,
        }
    )
    batch = diorama.make("prospector", copies=COPIES, config={"reward_profile": "v2", "time_max": 60}, seed=11)
    return Trainer(batch, settings, seed=5, callbacks=[callback or RecordingCallback()])


def logits(trainer: Trainer) -> bytes:
    """The bits of the policy's logits on fixed observations."""
    policy = trainer.policy
    obs = torch.linspace(-3.0, 3.0, 64 * 260).view(64, 260)
    starts = torch.zeros(8, 8, dtype=torch.uint8)
    with torch.no_grad():
        features, _ = policy.features(
            obs, torch.zeros(64, 0, dtype=torch.uint8), torch.zeros(8, policy.memory_width), starts
        )
        return policy.heads.linear(features.actor).numpy().tobytes()  # type: ignore[operator, no-any-return]


@NETWORKS
def test_the_policy_keeps_its_bits_until_the_warmup_ends(
    arch: str, execution: Mapping[str, object], computed: str
) -> None:
    callback = RecordingCallback()
    trainer = trainer_of(arch, execution, callback)
    assert trainer.network.partition(":")[0] == computed
    before = logits(trainer)

    trainer.run(WARMUP)

    assert trainer.env_steps_total == 4 * STEPS_PER_UPDATE
    assert logits(trainer) == before
    assert max(report.clip_fraction for report in callback.reports) == 0.0

    trainer.update()

    assert logits(trainer) != before
    trainer.close()


@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
@pytest.mark.parametrize("arch", ["mlp-16-tanh-v1", "mlp-16-tanh-separate-v1", "mingru-16-v1"])
def test_the_critic_finds_the_known_value_during_the_warmup(arch: str, native: bool) -> None:
    callback = RecordingCallback()
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": arch},
            "ppo": {
                "rollout_steps": 21,
                "num_minibatches": 1,
                "update_epochs": 4,
                "gamma": 0.8,
                "vf_coef": 1.0,
                "value_warmup": 10**6,
            },
            "optimizer": {"learning_rate": 0.02, "max_grad_norm": 10.0},
            "execution": {"threads": 1, "native": native},
        }
    )
    trainer = Trainer(Salary(8), settings, seed=1, callbacks=[callback])

    trainer.run(40 * 21 * 8)

    assert callback.reports[-1].loss_value < 0.05 * callback.reports[0].loss_value
    with torch.no_grad():
        features, _ = trainer.policy.features(
            torch.ones(1, 1),
            torch.zeros(1, 0, dtype=torch.uint8),
            torch.zeros(1, trainer.policy.memory_width),
            torch.ones(1, 1),
        )
        # A salary of 1 that goes on for ever: 1 / (1 - 0.8).
        assert trainer.policy.values(features).item() == pytest.approx(5.0, abs=0.7)


@NETWORKS
def test_only_the_layers_that_the_actor_does_not_share_learn(
    arch: str, execution: Mapping[str, object], computed: str
) -> None:
    trainer = trainer_of(arch, execution)
    before = {name: parameter.detach().clone() for name, parameter in trainer.policy.named_parameters()}

    trainer.run(WARMUP)

    moved = {name for name, parameter in trainer.policy.named_parameters() if not torch.equal(parameter, before[name])}
    expected = {name for name in before if name.startswith(("critic_encoder.", "value_layers.", "value_head."))}
    assert moved == expected
    owned = {id(parameter) for parameter in trainer.policy.critic_parameters}
    parameters, optimizer = trainer._ppo.parameters, trainer._ppo.adam.state_dict()
    for name in ("exp_avg", "exp_avg_sq"):
        for parameter, moments in zip(parameters.tensors, parameters.split(optimizer[name]), strict=True):
            assert bool(moments.any()) == (id(parameter) in owned)

    trainer.update()

    squares = parameters.split(trainer._ppo.adam.state_dict()["exp_avg_sq"])
    assert all(bool(part.any()) for part in squares)
    trainer.close()


def test_the_first_step_after_the_warmup_is_as_large_as_a_first_step() -> None:
    def first_step(warmup: int) -> float:
        trainer = trainer_of(
            "mlp-32x32-tanh-v1",
            {},
            warmup=warmup,
            ppo={"rollout_steps": 16, "num_minibatches": 1, "update_epochs": 1, "value_warmup": warmup},
            optimizer={"learning_rate": 1e-3, "eps": 1e-12},
        )
        trainer.run(warmup)
        before = [parameter.detach().clone() for parameter in trainer.policy.heads.parameters()]
        trainer.update()
        after = [parameter.detach() for parameter in trainer.policy.heads.parameters()]
        return max(float((one - other).abs().max()) for one, other in zip(after, before, strict=True))

    # Adam's first step is the learning rate in every coordinate, however many steps the critic has taken before.
    assert first_step(6 * STEPS_PER_UPDATE) == pytest.approx(1e-3, rel=1e-3)
    assert first_step(0) == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("arch", ["mlp-32x32-tanh-separate-v1", "mingru-16-v1"])
@pytest.mark.parametrize("saved_after", [2, 4, 6], ids=["inside", "at the end", "afterwards"])
def test_a_warmup_continues_exactly(arch: str, saved_after: int) -> None:
    uninterrupted = trainer_of(arch, {})
    uninterrupted.run(7 * STEPS_PER_UPDATE)
    first = trainer_of(arch, {})
    first.run(saved_after * STEPS_PER_UPDATE)

    continued = trainer_of(arch, {"threads": 2})
    continued.load_state(first.state())
    continued.run(7 * STEPS_PER_UPDATE)

    assert_same(uninterrupted.state(), continued.state())


def test_a_training_without_a_warmup_stores_nothing_of_it() -> None:
    names = {name for name in trainer_of("mlp-8-tanh-v1", {}, warmup=0).state().tensors if name.startswith("optimizer")}

    assert names == {"optimizer_state_dict.step", "optimizer_state_dict.exp_avg", "optimizer_state_dict.exp_avg_sq"}


def test_the_cloning_loss_rests_during_the_warmup() -> None:
    experience, _ = experience_of(make_batch(TOY, copies=4, seed=5))
    targets = experience.targets
    demonstrations = Demonstrations(
        inputs=replace(experience.inputs, masks=None),
        head_weights=torch.ones_like(targets.head_weights),
        returns=targets.returns,
        value_weights=targets.value_weights,
    )

    def heads_after(updates: int, warmup: int) -> torch.Tensor:
        settings = TrainerSettings.model_validate(
            {
                "policy": {"arch": "mlp-8-tanh-v1"},
                "ppo": {"rollout_steps": 8, "num_minibatches": 1, "update_epochs": 1, "value_warmup": warmup},
                "cloning": {"bot": "any", "anneal": 1.0},
                "execution": {"threads": 1},
            }
        )
        trainer = Trainer(make_batch(TOY, copies=4, seed=5), settings, seed=1, callbacks=[RecordingCallback()])
        trainer.set_demonstrations(demonstrations)
        trainer.run(updates * 8 * 4)
        return torch.cat([parameter.detach().flatten() for parameter in trainer.policy.heads.parameters()])

    untouched = heads_after(0, warmup=0)
    assert torch.equal(heads_after(2, warmup=2 * 8 * 4), untouched)
    assert not torch.equal(heads_after(2, warmup=1), untouched)
