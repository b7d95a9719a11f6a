"""The encoder with branches, and the hash of a policy."""

import pytest
import torch

from diorama.contracts.spec import ObservationField, WorldSpec
from diorama.learn.policies.cnn import map_field
from diorama.learn.policies.policy import Policy, policy_hash
from diorama.learn.settings import NormalizationSettings, PolicySettings
from tests.learn.toys import head, toy_spec

MAP = ObservationField(name="map", start=0, shape=(4, 11, 11), low=-1.0, high=1.0, meaning="a window")
NEED = ObservationField(name="need", start=484, shape=(3,), low=-1.0, high=1.0, meaning="needs")
ONLY_NEED = ObservationField(name="need", start=0, shape=(3,), low=-1.0, high=1.0, meaning="needs")
WITH_MAP, WITHOUT = toy_spec((MAP, NEED), (head("act", 8),)), toy_spec((ONLY_NEED,), (head("act", 8),))


def policy_of(arch: str, spec: WorldSpec = WITH_MAP, seed: int = 1) -> Policy:
    return Policy(spec, PolicySettings(arch=arch), NormalizationSettings(), seed=seed)


def features_of(policy: Policy, obs: torch.Tensor) -> torch.Tensor:
    memory, starts = torch.zeros(len(obs), policy.memory_width), torch.ones(1, len(obs), dtype=torch.uint8)
    return policy.features(obs, torch.zeros(len(obs), 0, dtype=torch.uint8), memory, starts)[0].actor


@pytest.mark.parametrize(("arch", "memory"), [("branches-128-v1", 0), ("branches-lstm-128-v1", 256)])
def test_map_and_features_both_change_the_output(arch: str, memory: int) -> None:
    policy = policy_of(arch)
    obs = torch.rand(2, 487)
    elsewhere, hungrier = obs.clone(), obs.clone()
    elsewhere[:, 60], hungrier[:, 485] = 1.0, -1.0

    with torch.no_grad():
        usual, moved, hungry = features_of(policy, obs), features_of(policy, elsewhere), features_of(policy, hungrier)

    assert usual.shape == (2, 128)
    assert policy.memory_width == memory
    assert not torch.equal(usual, moved)
    assert not torch.equal(usual, hungry)


def test_without_a_map_there_are_only_features() -> None:
    policy = policy_of("branches-lstm-16-v1", WITHOUT)

    assert (map_field(WITH_MAP), map_field(WITHOUT)) == (MAP, None)
    with torch.no_grad():
        assert features_of(policy, torch.rand(3, 3)).shape == (3, 16)


def test_the_hash_depends_on_interface_and_weights() -> None:
    policy = policy_of("branches-16-v1")
    digest = policy_hash(policy, WITH_MAP)

    assert policy_hash(policy_of("branches-16-v1"), WITH_MAP) == digest
    assert policy_hash(policy_of("branches-16-v1", seed=2), WITH_MAP) != digest
    with torch.no_grad():
        policy.value_head.bias.add_(1e-6)
    assert policy_hash(policy, WITH_MAP) != digest
