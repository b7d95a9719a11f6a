"""A critic with one output per term of the reward: totals, weights and their schedules, exact continuation."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
import torch
from pydantic import ValidationError

import diorama
from diorama.contracts.errors import ConfigError
from diorama.contracts.values import F64
from diorama.engine.batch import Batch
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.collector import Collector
from diorama.learn.experience import Experience, build_experience
from diorama.learn.imitation.offline_buffer import OfflineBuffer
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.trainer import Trainer
from diorama.learn.workers import Workers
from tests.learn.imitation.episodes import episode
from tests.learn.recording_callback import RecordingCallback
from tests.learn.test_reproducibility import assert_same
from tests.learn.toys import Corridor
from tests.refusals import refused

TERMS = ("credits", "ore", "time", "damage", "heat", "invalid", "terminal")
ONES: Mapping[str, object] = dict.fromkeys(TERMS, 1.0)
REWARD_TERMS_OF: Callable[[Batch], F64] = Batch.reward_terms
COPIES = 8
STEPS_PER_UPDATE = 16 * COPIES


def belt(tier: str = "auto") -> Batch:
    return diorama.make(
        "prospector", copies=COPIES, config={"reward_profile": "v2", "time_max": 60}, seed=11, tier=tier
    )


def settings_of(
    components: Mapping[str, object], *, arch: str = "mlp-16-tanh-v1", **sections: object
) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": {"arch": arch, "value_components": components},
            "ppo": {"rollout_steps": 16, "num_minibatches": 2, "update_epochs": 2, "gamma": 0.9},
            "normalization": {"rewards": "return_std", "values": True},
            "execution": {"threads": 1, "shard_rows": 64},
            **sections,
        }
    )


def rollout_of(components: Mapping[str, object]) -> tuple[RolloutBuffer, Experience, Policy]:
    settings = settings_of(components, ppo={"rollout_steps": 48, "gamma": 0.9})
    envs = belt()
    policy = Policy(envs.spec, settings.policy, settings.normalization, seed=1)
    collector = Collector(envs, policy, settings, Workers(1))
    collector.reset()
    exploration = policy.heads.plan.exploration(0)
    collector.collect(policy, SamplingParams(seed=1, update=0, exploration=exploration, use_masks=True))
    scaler = RewardScaler(settings.normalization, COPIES, settings.ppo.gamma)
    weights = policy.component_weights
    experience = build_experience(collector.rollout, policy.heads.plan, settings.ppo, scaler, weights)
    return collector.rollout, experience, policy


@pytest.mark.parametrize("tier", ["reference", "fast"])
@pytest.mark.parametrize("profile", ["v1", "v2"])
def test_the_terms_of_prospector_add_up_to_its_rewards(tier: str, profile: str) -> None:
    batch = diorama.make(
        "prospector", copies=COPIES, config={"reward_profile": profile, "time_max": 60}, seed=11, tier=tier
    )
    batch.reset()
    generator = np.random.default_rng(1)

    for _ in range(40):
        masks = batch.masks.astype(float)
        batch.step((generator.random(masks.shape) * masks).argmax(axis=1)[:, None])
        terms = batch.reward_terms()

        assert terms.shape == (COPIES, len(batch.reward_term_names))
        np.testing.assert_allclose(terms.sum(axis=1), batch.rewards, rtol=1e-6, atol=1e-6)
        recorded = [batch.step_record(copy).reward_terms[0] for copy in range(COPIES)]
        assert [tuple(terms) for terms in recorded] == [batch.reward_term_names] * COPIES
        assert terms.tolist() == [[*row.values()] for row in recorded]


def test_both_tiers_of_prospector_tell_the_same_terms() -> None:
    one, other = belt("reference"), belt("fast")
    one.reset()
    other.reset()
    for step in range(30):
        actions = np.full((COPIES, 1), step % 60, np.int32)
        one.step(actions)
        other.step(actions)

        assert one.reward_terms().tobytes() == other.reward_terms().tobytes()


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_the_terms_of_tidebreak_add_up_to_its_rewards(tier: str) -> None:
    batch = diorama.make("tidebreak", copies=2, config={"stage": 2}, seed=3, tier=tier)
    batch.reset()

    for _ in range(30):
        batch.step(np.zeros((batch.rows, len(batch.spec.heads)), np.int32))

        terms = batch.reward_terms()
        assert terms.shape == (batch.rows, len(batch.reward_term_names))
        np.testing.assert_allclose(terms.sum(axis=1), batch.rewards, rtol=1e-6, atol=1e-6)
    assert terms.any()


def test_advantages_of_components_with_weights_of_one_add_up_to_those_of_the_whole_reward() -> None:
    rollout, experience, policy = rollout_of(ONES)
    settings = settings_of({})
    total = replace(rollout.shape, components=0)
    whole = RolloutBuffer(total, torch.device("cpu"))
    for name, array in rollout.host.items():
        whole.host[name].copy_(array)
    whole.values.copy_(rollout.values.sum(dim=2))
    whole.bootstrap.copy_(rollout.bootstrap.sum(dim=2))
    whole.actions.copy_(rollout.actions)
    scaler = RewardScaler(settings.normalization, COPIES, settings.ppo.gamma)

    expected = build_experience(whole, policy.heads.plan, settings.ppo, scaler)

    assert rollout.host["truncated"].any()
    torch.testing.assert_close(experience.targets.advantages, expected.targets.advantages, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(experience.targets.returns, expected.targets.returns, rtol=1e-4, atol=1e-5)
    assert experience.targets.value_targets is not None
    torch.testing.assert_close(
        experience.targets.value_targets.sum(dim=1), expected.targets.returns, rtol=1e-4, atol=1e-5
    )


def test_each_output_of_the_critic_learns_its_own_returns() -> None:
    _, experience, policy = rollout_of(ONES)

    assert experience.targets.value_targets is not None
    by_name = dict(zip(policy.components, experience.targets.value_targets.unbind(1), strict=True))

    assert policy.components == tuple(sorted(TERMS))
    assert float(experience.outcomes.rewards.abs().sum()) > 0.0
    assert not torch.equal(by_name["time"], by_name["credits"])


def heads_after(trainer: Trainer, steps: int) -> torch.Tensor:
    trainer.run(steps)
    actor = [*trainer.policy.encoder.parameters(), *trainer.policy.heads.parameters()]
    return torch.cat([parameter.detach().flatten() for parameter in actor])


def other_time(batch: Batch) -> F64:
    """The terms of the rewards, with arbitrary numbers as the term `time`."""
    terms = REWARD_TERMS_OF(batch)
    terms[:, batch.reward_term_names.index("time")] = np.sin(np.arange(len(terms)) + terms.sum(axis=1))
    return terms


@pytest.mark.parametrize(("weight", "is_moved"), [(0.0, False), (1.0, True)], ids=["without", "with"])
def test_a_component_without_weight_does_not_move_the_policy(
    weight: float, is_moved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of({**ONES, "time": weight}, arch="mlp-16-tanh-separate-v1", optimizer={"max_grad_norm": 1e9})
    plain = Trainer(belt(), settings, seed=5, callbacks=[RecordingCallback()])
    expected = heads_after(plain, STEPS_PER_UPDATE)
    monkeypatch.setattr(Batch, "reward_terms", other_time)
    other = Trainer(belt(), settings, seed=5, callbacks=[RecordingCallback()])

    # Later updates differ by what the components share: the hidden layers of the critic.
    found = heads_after(other, STEPS_PER_UPDATE)

    assert torch.equal(found, expected) != is_moved
    assert not torch.equal(plain.policy.value_head.weight, other.policy.value_head.weight)


SCHEDULED: Mapping[str, object] = {
    **ONES,
    "heat": {"start": 1.0, "end": 0.0, "env_steps": 4 * STEPS_PER_UPDATE},
    "ore": 0.5,
}


def trained(updates: int, *, saved_after: int | None = None) -> Trainer:
    def trainer() -> Trainer:
        return Trainer(belt(), settings_of(SCHEDULED), seed=5, callbacks=[RecordingCallback()])

    current = trainer()
    if saved_after is not None:
        current.run(saved_after * STEPS_PER_UPDATE)
        state, current = current.state(), trainer()
        current.load_state(state)
    current.run(updates * STEPS_PER_UPDATE)
    return current


def test_weights_follow_their_schedules() -> None:
    trainer = trained(3)

    weights = dict(zip(trainer.policy.components, trainer.policy.component_weights.tolist(), strict=True))

    # Those of the last update, whose rollout began after two others.
    assert weights["heat"] == 0.5
    assert weights["ore"] == 0.5
    assert weights["time"] == 1.0


def test_a_training_with_components_continues_exactly() -> None:
    assert_same(trained(5).state(), trained(5, saved_after=2).state())


def test_the_value_of_a_policy_is_the_weighted_sum_of_its_components() -> None:
    policy = trained(3).policy
    obs = torch.randn(5, 260, generator=torch.Generator().manual_seed(2))
    with torch.no_grad():
        features, _ = policy.features(obs, torch.zeros(5, 0, dtype=torch.uint8), torch.zeros(5, 0), torch.zeros(1, 5))
        outputs, values = policy.value_outputs(features), policy.values(features)

    assert outputs.shape == (5, len(TERMS))
    torch.testing.assert_close(values, (outputs * policy.component_weights).sum(dim=1))


def test_compiled_code_computes_a_critic_with_components() -> None:
    trainer = Trainer(belt(), settings_of(ONES), seed=5, callbacks=[RecordingCallback()])

    assert trainer.network == "native"


def test_seats_of_tidebreak_train_with_components() -> None:
    batch = diorama.make("tidebreak", copies=2, config={"stage": 1, "observation": "compact"}, seed=3)
    components = dict.fromkeys(batch.reward_term_names, 1.0)
    callback = RecordingCallback()
    settings = settings_of(components, arch="mingru-8-v1")
    trainer = Trainer(batch, settings, seed=5, callbacks=[callback])

    trainer.run(3 * 16 * 2)

    assert len(callback.reports) == 3
    assert all(np.isfinite(report.loss_value) and report.minibatches for report in callback.reports)


def test_environments_without_terms_are_refused() -> None:
    with refused(ConfigError, "reward_terms_missing", world="toy"):
        Trainer(Corridor(4), settings_of({"pay": 1.0}), seed=1, callbacks=[RecordingCallback()])


def test_a_world_without_terms_is_refused() -> None:
    batch = diorama.make("gameboy", copies=1, seed=1, tier="reference")
    settings = settings_of({"pay": 1.0}, normalization={})

    with refused(ConfigError, "reward_terms_missing", world="gameboy"):
        Trainer(batch, settings, seed=1, callbacks=[RecordingCallback()])


def test_every_term_must_be_named() -> None:
    with refused(ConfigError, "value_components_differ", components=("credits", "luck"), terms=TERMS):
        Trainer(belt(), settings_of({"luck": 1.0, "credits": 1.0}), seed=1, callbacks=[RecordingCallback()])


def test_stored_episodes_are_refused() -> None:
    settings = settings_of(ONES, normalization={})
    trainer = Trainer(belt(), settings, seed=1, callbacks=[RecordingCallback()])

    with refused(ConfigError, "components_need_rollouts"):
        trainer.set_offline_buffer(OfflineBuffer([episode(1)], belt().spec, settings, seed=1))


@pytest.mark.parametrize(
    ("sections", "name"),
    [
        ({"ppo": {"vtrace": {}}}, "ppo.vtrace"),
        ({"ppo": {"failing_rewards": 3}}, "ppo.failing_rewards"),
        ({"ppo": {"diagnosed": True}}, "ppo.diagnosed"),
        ({"normalization": {"reward_clip": 5.0}}, "normalization.reward_clip"),
        ({"normalization": {"rewards": "running_std"}}, "normalization.rewards running_std"),
        ({"execution": {"pipeline": True}}, "execution.pipeline"),
    ],
)
def test_settings_that_are_defined_for_whole_rewards_are_refused(sections: dict[str, object], name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        settings_of(ONES, **sections)  # type: ignore[arg-type]

    (error,) = caught.value.errors()
    assert (error["type"], error["ctx"]) == ("components_unsupported", {"name": name})
