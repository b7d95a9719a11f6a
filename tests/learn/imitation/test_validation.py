"""Validation of a clone on held-out episodes, and its gate."""

from dataclasses import replace

import pytest

from diorama.learn.errors import CloneRefused
from diorama.learn.imitation.cloning import BehaviorCloning
from diorama.learn.imitation.demonstrations import Demonstrations, demonstrations_from_episodes
from diorama.learn.imitation.validation import Agreement, check_gate, evaluate_clone, shortcomings
from diorama.learn.optimizer import FlatParameters
from diorama.learn.policies.policy import Policy
from diorama.learn.settings.imitation import GateSettings
from diorama.learn.workers import Workers, single_threaded_torch
from tests.learn.imitation.episodes import SETTINGS, SPEC, episode, policy_of
from tests.refusals import refused

GOOD = Agreement(
    decisions=200, accuracy=0.95, frames={"a": 150, "b": 50}, recalls={"a": 0.96, "b": 0.9}, value_error=0.1
)


def demonstrations_for(policy: Policy, count: int = 10, first: int = 0) -> Demonstrations:
    episodes = [episode(seed) for seed in range(first, first + count)]
    return demonstrations_from_episodes(episodes, SPEC, policy, sequence_length=8, gamma=0.9)


def test_a_clone_is_evaluated_on_episodes_it_was_not_trained_on() -> None:
    policy = policy_of()
    held_out = demonstrations_for(policy, count=4, first=100)
    before = evaluate_clone(policy, held_out, SPEC, 64)

    assert SETTINGS.cloning is not None
    cloning = BehaviorCloning(
        policy,
        FlatParameters(policy),
        demonstrations_for(policy),
        SETTINGS.cloning,
        execution=SETTINGS.execution,
        seed=1,
    )
    with single_threaded_torch():
        cloning.pretrain(Workers(1), SETTINGS.optimizer)
    after = evaluate_clone(policy, held_out, SPEC, 64)

    assert before.accuracy < 0.6
    assert after.accuracy > 0.85
    assert sum(after.frames.values()) == after.decisions == 104
    counted = sum(after.recalls[name] * after.frames[name] for name in after.frames) / after.decisions
    assert counted == pytest.approx(after.accuracy)
    assert after.value_error < before.value_error


@pytest.mark.parametrize(
    ("changed", "shortcoming"),
    [
        pytest.param({"accuracy": 0.89}, "accuracy is 0.890; at least 0.9 is required", id="accuracy"),
        pytest.param(
            {"recalls": {"a": 1.0, "b": 0.69}},
            "recall of b is 0.690 over 50 decisions; at least 0.7 is required",
            id="recall",
        ),
        pytest.param(
            {"value_error": 0.21},
            "the squared error of the values is 0.210 of the variance of the returns; at most 0.2 is required",
            id="values",
        ),
    ],
)
def test_a_clone_that_misses_a_requirement_does_not_pass_the_gate(changed: dict[str, object], shortcoming: str) -> None:
    poor = replace(GOOD, **changed)  # type: ignore[arg-type]

    with refused(CloneRefused, "clone_misses_gate", shortcomings=(shortcoming,)):
        check_gate(poor, GateSettings())


def test_the_recall_of_rare_options_is_not_required() -> None:
    rare = replace(GOOD, frames={"a": 151, "b": 49}, recalls={"a": 1.0, "b": 0.0})

    assert shortcomings(GOOD, GateSettings()) == []
    assert shortcomings(rare, GateSettings()) == []
