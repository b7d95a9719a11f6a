"""Cloning a dataset: what is held out, how a clone is judged, and what keeps it from passing."""

from dataclasses import replace

import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.learn.errors import CloneRefused
from diorama.learn.imitation.cloning import BehaviorCloning
from diorama.learn.imitation.demonstrations import Demonstrations, demonstrations_of, hold_out
from diorama.learn.imitation.judging import Agreement, compare, refuse_poor_clone, shortcomings
from diorama.learn.optimizer import FlatParameters
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.imitation import GateSettings
from diorama.learn.workers import Workers, single_threaded_torch
from tests.learn.cloning.datasets.episodes import SPEC, episode

SETTINGS = TrainerSettings.model_validate(
    {
        "policy": {"arch": "mlp-32-tanh-v1"},
        "ppo": {"gamma": 0.9},
        "cloning": {"dataset": "first", "epochs": 60, "minibatch_rows": 200, "learning_rate": 0.02, "value_coef": 1.0},
    }
)
GOOD = Agreement(
    decisions=200, accuracy=0.95, frames={"a": 150, "b": 50}, recalls={"a": 0.96, "b": 0.9}, value_error=0.1
)


def policy_of(arch: str = "mlp-32-tanh-v1") -> Policy:
    return Policy(SPEC, SETTINGS.policy.model_copy(update={"arch": arch}), SETTINGS.normalization, seed=2)


def shown_to(policy: Policy, count: int = 10, first: int = 0) -> Demonstrations:
    episodes = [episode(seed) for seed in range(first, first + count)]
    return demonstrations_of(episodes, SPEC, policy, sequence_length=8, gamma=0.9)


def test_whole_episodes_are_held_out_the_same_ones_for_a_seed() -> None:
    episodes = [episode(seed) for seed in range(20)]

    learned, held = hold_out(episodes, 0.1, seed=4)

    assert (len(learned), len(held)) == (18, 2)
    assert hold_out(episodes, 0.1, seed=4)[1] == held
    assert not {id(one) for one in learned} & {id(one) for one in held}
    with pytest.raises(ConfigError, match="too few"):
        hold_out(episodes[:1], 0.1, seed=4)


@pytest.mark.parametrize("arch", ["mlp-32-tanh-v1", "mingru-16-v1"])
def test_only_decisions_that_left_a_choice_are_imitated(arch: str) -> None:
    shown = shown_to(policy_of(arch), count=3)

    forced = (torch.arange(40) % 3 == 0).repeat(3)
    assert torch.equal(shown.head_weights[:120, 0] == 0, forced)
    assert shown.inputs.starts[:120].nonzero()[:, 0].tolist() == [0, 40, 80]
    assert shown.value_weights[:120].eq(1).all()
    # What fills up the last sequence weighs nothing.
    assert shown.head_weights[120:].eq(0).all()
    assert shown.value_weights[120:].eq(0).all()


def test_returns_of_an_episode_that_was_cut_off_are_known_far_enough_from_its_end() -> None:
    episodes = [episode(1, frames=60, is_finished=False)]

    shown = demonstrations_of(episodes, SPEC, policy_of(), sequence_length=1, gamma=0.9)

    # 0.9 ** 38 is the first power below 0.02.
    assert shown.value_weights.tolist() == [1.0] * 23 + [0.0] * 37


def test_a_clone_is_judged_by_what_it_has_not_seen() -> None:
    policy = policy_of()
    held_out = shown_to(policy, count=4, first=100)
    before = compare(policy, held_out, SPEC, 64)

    assert SETTINGS.cloning is not None
    imitation = BehaviorCloning(
        policy,
        FlatParameters(policy),
        shown_to(policy),
        SETTINGS.cloning,
        execution=SETTINGS.execution,
        seed=1,
    )
    with single_threaded_torch():
        imitation.warm_up(Workers(1), SETTINGS.optimizer)
    after = compare(policy, held_out, SPEC, 64)

    assert before.accuracy < 0.6
    assert after.accuracy > 0.85
    assert sum(after.frames.values()) == after.decisions == 104
    counted = sum(after.recalls[name] * after.frames[name] for name in after.frames) / after.decisions
    assert counted == pytest.approx(after.accuracy)
    assert after.value_error < before.value_error


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        pytest.param({"accuracy": 0.89}, "accuracy is 0.890", id="accuracy"),
        pytest.param({"recalls": {"a": 1.0, "b": 0.69}}, "recall of b is 0.690 over 50 decisions", id="recall"),
        pytest.param({"value_error": 0.21}, "error of the values is 0.210", id="values"),
    ],
)
def test_a_clone_that_falls_short_is_refused(changed: dict[str, object], reason: str) -> None:
    poor = replace(GOOD, **changed)  # type: ignore[arg-type]

    assert len(shortcomings(poor, GateSettings())) == 1
    with pytest.raises(CloneRefused, match=reason):
        refuse_poor_clone(poor, GateSettings())


def test_an_option_that_was_hardly_shown_is_not_asked_about() -> None:
    rare = replace(GOOD, frames={"a": 151, "b": 49}, recalls={"a": 1.0, "b": 0.0})

    assert shortcomings(GOOD, GateSettings()) == []
    assert shortcomings(rare, GateSettings()) == []
