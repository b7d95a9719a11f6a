"""Weights of forced decisions and of decisions before a failure."""

from dataclasses import replace

import pytest
import torch

from diorama.learn.experience import Experience
from diorama.learn.loss import Coefficients, ppo_loss
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from tests.learn.experiences import OneWay, cut, experience_of

NO_FORCED = {"forced_policy_weight": 0.0}


def gradient(experience: Experience, settings: TrainerSettings, *, value: float) -> torch.Tensor:
    """The gradient of one minibatch with all decisions."""
    policy = Policy(OneWay(1).spec, settings.policy, settings.normalization, seed=3)
    minibatch = cut(experience, settings)[0]
    (shard,) = minibatch.shards
    inputs, targets = experience.inputs.select(shard), minibatch.targets(experience, shard)
    features, _ = policy.features(inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(1, -1))
    scores = policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, (0.0,))
    coefficients = Coefficients(entropy=0.1, value=value, entropy_weights=(1.0,), value_unit=torch.ones(()))
    terms = ppo_loss(settings.ppo, scores, policy.values(features), targets, minibatch.denominators, coefficients)
    parts = torch.autograd.grad(terms.total, [*policy.parameters()], allow_unused=True, materialize_grads=True)
    return torch.cat([part.flatten() for part in parts])


def forced_decisions(experience: Experience) -> torch.Tensor:
    assert experience.inputs.masks is not None
    forced = (experience.inputs.masks != 0).sum(dim=1) == 1
    assert forced.any()
    assert not forced.all()
    return forced


def spoiled(experience: Experience, where: torch.Tensor) -> Experience:
    """The same with absurd advantages and probabilities in some decisions."""
    targets = experience.targets
    return replace(
        experience,
        targets=replace(
            targets,
            advantages=torch.where(where, 1e6, targets.advantages),
            log_probs=torch.where(where[:, None], -7.0, targets.log_probs),
        ),
    )


def test_a_forced_decision_adds_nothing_to_the_gradient_of_the_policy() -> None:
    experience, settings = experience_of(OneWay(8), num_minibatches=1, **NO_FORCED)
    forced = forced_decisions(experience)

    expected = gradient(experience, settings, value=0.0)

    assert expected.abs().sum() > 0
    assert torch.equal(gradient(spoiled(experience, forced), settings, value=0.0), expected)
    assert not torch.equal(gradient(spoiled(experience, ~forced), settings, value=0.0), expected)


def test_forced_decisions_alone_have_only_a_value_gradient() -> None:
    experience, settings = experience_of(OneWay(8), num_minibatches=1, **NO_FORCED)
    alone = only(experience, forced_decisions(experience).nonzero()[:, 0])

    assert gradient(alone, settings, value=0.0).eq(0).all()
    assert gradient(alone, settings, value=0.5).abs().sum() > 0


def only(experience: Experience, indices: torch.Tensor) -> Experience:
    """Some decisions of an experience without memory."""
    inputs, targets = experience.inputs, experience.targets
    assert inputs.masks is not None
    return Experience(
        inputs=replace(
            inputs,
            obs=inputs.obs[indices],
            obs_u8=inputs.obs_u8[indices],
            masks=inputs.masks[indices],
            actions=inputs.actions[indices],
            memory=inputs.memory[indices],
            starts=inputs.starts[indices],
            rows=len(indices),
        ),
        targets=targets.map(lambda array: array[indices]),
        outcomes=experience.outcomes,
    )


def test_advantages_are_normalized_over_decisions_with_a_choice() -> None:
    experience, settings = experience_of(OneWay(8), num_minibatches=1, **NO_FORCED)
    free = ~forced_decisions(experience)

    minibatch = cut(experience, settings)[0]

    advantages = experience.targets.advantages[free]
    torch.testing.assert_close(minibatch.advantage_shift, advantages.mean())
    torch.testing.assert_close(1.0 / minibatch.advantage_scale, advantages.std(correction=0))


@pytest.mark.parametrize(("steps", "halved"), [pytest.param(2, 2, id="two"), pytest.param(0, 0, id="none")])
def test_decisions_before_a_failure_have_a_smaller_weight(steps: int, halved: int) -> None:
    usual, _ = experience_of()
    experience, _ = experience_of(failing_steps=steps, failing_policy_weight=0.5)

    ends = experience.outcomes.terminated != 0
    near = torch.zeros_like(ends)
    for back in range(halved):
        near[: len(ends) - back] |= ends[back:]
    assert ends.any()
    assert torch.equal(
        experience.targets.policy_weights, usual.targets.policy_weights * torch.where(near, 0.5, 1.0).view(-1)
    )
    assert torch.equal(experience.targets.value_weights, usual.targets.value_weights)
