import pytest
import torch

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import (
    TOPOLOGIES,
    TOPOLOGY_BLUEPRINTS,
    BlueprintAction,
    Topology,
)
from diorama.worlds.morphogenesis.contracts.errors import BlueprintError
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.hosting.blueprints import CATALOGUE, BlueprintRegistry
from diorama.worlds.morphogenesis.hosting.gate_network import GateNetwork
from diorama.worlds.morphogenesis.hosting.initialization import count_parameters
from diorama.worlds.morphogenesis.streams import generator
from tests.worlds.morphogenesis.small_hosts import backward, bring_to, shake, small_batch, small_bed

CNN_TABLE = {
    2: (5, 8, 10, 28, 50, 42, 82, 33),
    4: (9, 16, 28, 64, 64, 156, 308, 49),
    8: (17, 48, 88, 160, 92, 600, 1192, 81),
    16: (33, 160, 304, 448, 320, 2352, 4688, 145),
    32: (65, 576, 1120, 1408, 1184, 9312, 18592, 273),
    64: (129, 2176, 4288, 4864, 4544, 37056, 74048, 1057),
    128: (257, 8448, 16768, 17920, 17792, 147840, 295552, 4161),
}
CNN_ORDER = ("norm", "attention", "conv_small", "depthwise", "bottleneck", "conv_light", "conv_heavy")
TRANSFORMER_TABLE = {
    64: (129, 1024, 4096, 16576, 33088, 16640, 16640),
    384: (769, 6144, 24576, 590976, 1181568, 591360, 591360),
}
TRANSFORMER_ORDER = ("norm", "lora", "lora_large", "mlp_small", "mlp", "attention", "flex_attention")

EVERY_BLUEPRINT = [(topology, blueprint) for topology in TOPOLOGIES for blueprint in TOPOLOGY_BLUEPRINTS[topology]]


@pytest.mark.parametrize("channels", CNN_TABLE)
def test_a_convolutional_seed_has_as_many_parameters_as_its_formula(channels: int) -> None:
    *seeds, gate = CNN_TABLE[channels]

    for name, expected in zip(CNN_ORDER, seeds, strict=True):
        spec = CATALOGUE.get("cnn", name)
        assert spec.actual_param_count(channels) == spec.param_formula(channels) == expected
    assert count_parameters(GateNetwork(channels, "cnn")) == gate


@pytest.mark.parametrize("width", TRANSFORMER_TABLE)
def test_a_transformer_seed_has_as_many_parameters_as_its_formula(width: int) -> None:
    for name, expected in zip(TRANSFORMER_ORDER, TRANSFORMER_TABLE[width], strict=True):
        spec = CATALOGUE.get("transformer", name)
        assert spec.actual_param_count(width, block_size=64) == spec.param_formula(width) == expected


@pytest.mark.parametrize(("topology", "blueprint"), EVERY_BLUEPRINT)
def test_a_seed_is_the_identity_at_birth_for_any_size(topology: Topology, blueprint: BlueprintAction) -> None:
    spec = CATALOGUE.get(topology, blueprint.blueprint_id)
    module = spec.plant(16, generator(1), block_size=64)
    shapes = [(2, 16, 7, 5), (2, 16, 1, 1)] if topology == "cnn" else [(2, 33, 16), (2, 1, 16)]

    for shape in shapes:
        features = torch.from_numpy(generator(2).standard_normal(shape)).float()
        assert torch.equal(module(features), features)


@pytest.mark.parametrize("operator", AlphaAlgorithm)
@pytest.mark.parametrize(("topology", "blueprint"), EVERY_BLUEPRINT)
def test_every_part_of_a_seed_learns(topology: Topology, blueprint: BlueprintAction, operator: AlphaAlgorithm) -> None:
    growing = small_bed(topology)
    batch = small_batch(topology)
    growing.plant("r0c0", blueprint, operator, 0)
    growing.set_stage("r0c0", SeedStage.TRAINING)
    parameters = list(growing.seeds["r0c0"].module.parameters())

    backward(growing, batch)
    assert any(parameter.grad is not None and parameter.grad.any() for parameter in parameters)
    for _ in range(3):
        growing.step()
        backward(growing, batch)

    assert all(parameter.grad is not None and parameter.grad.any() for parameter in parameters)


def test_a_gate_learns_with_its_seed() -> None:
    growing = small_bed("cnn")
    growing.plant("r0c0", BlueprintAction.CONV_LIGHT, AlphaAlgorithm.GATE, 0)
    shake(growing, "r0c0")
    bring_to(growing, "r0c0", SeedStage.BLENDING, 0.5)
    gate = growing.seeds["r0c0"].gate
    assert gate is not None
    before = [parameter.detach().clone() for parameter in gate.parameters()]

    for _ in range(3):
        backward(growing, small_batch("cnn"))
        growing.step()

    assert all(not torch.equal(old, new) for old, new in zip(before, gate.parameters(), strict=True))
    assert before[-1] == 2.0


def test_planting_draws_from_its_own_stream_alone() -> None:
    state = torch.get_rng_state()
    first = CATALOGUE.get("cnn", "conv_heavy").plant(8, generator(4))
    second = CATALOGUE.get("cnn", "conv_heavy").plant(8, generator(4))

    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    weight = first.get_parameter("branch.0.weight")
    expected = (2.0 * generator(4).random(tuple(weight.shape)) - 1.0) / 72**0.5
    assert torch.equal(weight, torch.from_numpy(expected).float())


def test_the_registry_refuses_what_it_does_not_know_and_what_it_has() -> None:
    registry = BlueprintRegistry()
    registry.register(CATALOGUE.get("cnn", "norm"))

    with pytest.raises(BlueprintError, match="twice"):
        registry.register(CATALOGUE.get("cnn", "norm"))
    with pytest.raises(BlueprintError, match="lora"):
        CATALOGUE.get("cnn", "lora")
    with pytest.raises(BlueprintError, match="heads"):
        CATALOGUE.get("transformer", "attention").plant(6, generator(1), block_size=8)
    assert [spec.blueprint for spec in CATALOGUE.of_topology("cnn")][1:] == list(TOPOLOGY_BLUEPRINTS["cnn"])


def test_windowed_attention_sees_the_last_keys_only() -> None:
    module = CATALOGUE.get("transformer", "flex_attention").plant(8, generator(1), block_size=64)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.fill_(0.1).add_(torch.linspace(-1, 1, parameter.numel()).view(parameter.shape))
    features = torch.from_numpy(generator(3).standard_normal((1, 40, 8))).float()
    changed = features.clone()
    changed[0, 10] += 1.0

    moved = (module(changed) - module(features)).abs().amax(dim=(0, 2)) > 0

    assert not moved[:10].any()
    assert moved[10:26].all()
    assert not moved[26:].any()
