"""Entities share an encoder, and options point at them."""

import pytest
import torch

from diorama.contracts.spec import ObservationField
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from tests.learn.toys import head, toy_spec

ROCKS, NUMBERS = 4, 3
SPEC = toy_spec(
    (
        ObservationField(name="price", start=0, shape=(2,), meaning="numbers"),
        ObservationField(name="rocks", start=2, shape=(ROCKS, NUMBERS), meaning="a table"),
        ObservationField(name="heading", start=14, meaning="a number"),
    ),
    (head("wait", 2), head("dig", ROCKS + 1)),
)
POINTED = slice(2, 2 + ROCKS)
POLICIES = [
    pytest.param("mlp-16-relu-v1", id="plain"),
    pytest.param("mlp-16-relu-mingru-v1", id="memory"),
    pytest.param("mlp-16-relu-separate-v1", id="separate-critic"),
]


def policy_of(arch: str) -> Policy:
    settings = PolicySettings.model_validate(
        {"arch": arch, "entities": {"rocks": {"options": "dig", "width": 8}}, "actor_gain": 1.0}
    )
    policy = Policy(SPEC, settings, NormalizationSettings(), seed=2)
    # What the layers over the whole observation make of a rock does depend on its index.
    for encoder in (policy.encoder, policy.critic_encoder):
        if encoder is not None:
            with torch.no_grad():
                next(encoder.parameters())[:, 2:14] = 0.0
    with torch.no_grad():
        policy.get_parameter("heads.linear.weight").zero_()
    return policy


def outputs(policy: Policy, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    rows = len(obs)
    nothing = torch.zeros(rows, 0, dtype=torch.uint8)
    features, _ = policy.features(obs, nothing, torch.zeros(rows, policy.memory_width), torch.ones(1, rows))
    return policy.heads.logits(features.actor, torch.zeros(rows, 2, dtype=torch.int32)), policy.values(features)


@pytest.mark.parametrize("arch", POLICIES)
@torch.no_grad()
def test_entities_in_another_order_are_pointed_at_in_that_order(arch: str) -> None:
    policy = policy_of(arch)
    obs = torch.randn(50, 15, generator=torch.Generator().manual_seed(3))
    order = [2, 0, 3, 1]
    shuffled = obs.clone()
    shuffled[:, 2:14] = obs[:, 2:14].view(-1, ROCKS, NUMBERS)[:, order].flatten(1)

    logits, values = outputs(policy, obs)
    other_logits, other_values = outputs(policy, shuffled)

    torch.testing.assert_close(other_logits[:, POINTED], logits[:, POINTED][:, order])
    torch.testing.assert_close(other_values, values)
    assert logits[:, POINTED].std() > 0.01, "the rocks differ"


@torch.no_grad()
def test_an_entity_is_judged_by_what_is_observed_besides() -> None:
    policy = policy_of("mlp-16-relu-v1")
    obs = torch.randn(50, 15, generator=torch.Generator().manual_seed(3))
    dearer = obs.clone()
    dearer[:, 0] += 1.0

    gap = (outputs(policy, dearer)[0] - outputs(policy, obs)[0])[:, POINTED]

    assert (gap - gap.mean(dim=1, keepdim=True)).abs().max() > 0.01, "not by the same for every rock"


@torch.no_grad()
def test_a_row_of_zeros_is_no_entity() -> None:
    policy = policy_of("mlp-16-relu-v1")
    obs = torch.randn(50, 15, generator=torch.Generator().manual_seed(3))
    obs[:, 5:8] = 0.0
    fewer = obs.clone()
    fewer[:, 2:14] = 0.0

    logits, _ = outputs(policy, obs)
    none, _ = outputs(policy, fewer)

    assert (logits[:, POINTED][:, 1] == 0.0).all()
    assert (none[:, POINTED] == 0.0).all()
    assert logits[:, POINTED][:, 0].std() > 0.01, "the others differ"
