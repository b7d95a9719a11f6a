import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGIES, BlueprintAction, Topology
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.hosting.blending import blend
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from tests.worlds.morphogenesis.small_hosts import backward, bring_to, host_gradients, shake, small_batch, small_bed

EVERYWHERE = pytest.mark.parametrize("topology", TOPOLOGIES)
EVERY_OPERATOR = pytest.mark.parametrize("operator", AlphaAlgorithm)
SOME_SEED = {"cnn": BlueprintAction.CONV_LIGHT, "transformer": BlueprintAction.MLP_SMALL}


def planted(topology: Topology, operator: AlphaAlgorithm, stage: SeedStage, alpha: float) -> GrowingHost:
    growing = small_bed(topology)
    growing.plant("r0c1", SOME_SEED[topology], operator, 0)
    shake(growing, "r0c1")
    bring_to(growing, "r0c1", stage, alpha)
    return growing


def first_layer_gradient(growing: GrowingHost) -> Tensor:
    gradient = next(iter(growing.host.parameters())).grad
    assert gradient is not None
    return gradient


def hosts_stay_equal(alone: GrowingHost, growing: GrowingHost, batch: tuple[Tensor, Tensor]) -> bool:
    """Train both side by side and say whether their hosts ended with the same bits."""
    for _ in range(3):
        for bed in (alone, growing):
            backward(bed, batch)
            bed.step()
    ends = zip(growing.host.state_dict().values(), alone.host.state_dict().values(), strict=True)
    return all(torch.equal(mine, theirs) for mine, theirs in ends)


@pytest.mark.parametrize("poison", [None, float("nan"), float("inf")], ids=["finite", "nan", "inf"])
@EVERY_OPERATOR
@EVERYWHERE
def test_a_seed_in_training_cannot_be_felt_by_the_host(
    topology: Topology, operator: AlphaAlgorithm, poison: float | None
) -> None:
    batch = small_batch(topology)
    alone = small_bed(topology)
    expected = backward(alone, batch)
    growing = planted(topology, operator, SeedStage.TRAINING, 0.0)
    if poison is not None:
        with torch.no_grad():
            next(growing.seeds["r0c1"].module.parameters()).fill_(poison)

    logits = backward(growing, batch)

    assert torch.equal(logits, expected)
    pairs = list(zip(host_gradients(growing), host_gradients(alone), strict=True))
    assert all(torch.equal(mine, theirs) for mine, theirs in pairs)
    assert poison is not None or any(
        parameter.grad is not None and parameter.grad.any() for parameter in growing.seeds["r0c1"].module.parameters()
    )


@EVERYWHERE
def test_a_host_trains_on_as_if_the_incubated_seed_were_not_there(topology: Topology) -> None:
    alone, growing = small_bed(topology), planted(topology, AlphaAlgorithm.ADD, SeedStage.TRAINING, 0.0)

    assert hosts_stay_equal(alone, growing, small_batch(topology))


@EVERY_OPERATOR
@EVERYWHERE
def test_a_seed_in_the_shadow_learns_and_the_host_does_not_notice(topology: Topology, operator: AlphaAlgorithm) -> None:
    alone, growing = small_bed(topology), small_bed(topology, "shadow")
    growing.plant("r0c0", SOME_SEED[topology], operator, 0)
    growing.set_stage("r0c0", SeedStage.TRAINING)
    start = [parameter.detach().clone() for parameter in growing.seeds["r0c0"].module.parameters()]

    assert hosts_stay_equal(alone, growing, small_batch(topology))
    grown = growing.seeds["r0c0"].module.parameters()
    assert all(not torch.equal(old, new) for old, new in zip(start, grown, strict=True))


@pytest.mark.parametrize("stage", [SeedStage.BLENDING, SeedStage.HOLDING])
@EVERY_OPERATOR
@EVERYWHERE
def test_a_seed_at_full_strength_lets_gradients_pass_to_the_layers_before_it(
    topology: Topology, operator: AlphaAlgorithm, stage: SeedStage
) -> None:
    growing = planted(topology, operator, stage, 1.0)

    backward(growing, small_batch(topology))

    assert first_layer_gradient(growing).abs().max() > 1e-6


def test_a_blending_seed_of_a_convolutional_host_gives_the_direct_path_alone() -> None:
    growing = planted("cnn", AlphaAlgorithm.MULTIPLY, SeedStage.HOLDING, 1.0)
    seed = growing.seeds["r0c1"]
    features = torch.rand(2, 16, 3, 3, generator=torch.Generator().manual_seed(0), requires_grad=True)

    (gradient,) = torch.autograd.grad(blend(features, seed, "cnn").sum(), features)

    assert torch.allclose(gradient, 1.0 + torch.tanh(seed.module.residual(features)), atol=1e-6)


@EVERY_OPERATOR
@EVERYWHERE
def test_gradients_through_a_permanent_seed_match_finite_differences(
    topology: Topology, operator: AlphaAlgorithm
) -> None:
    growing = planted(topology, operator, SeedStage.FOSSILIZED, 1.0)
    batch = small_batch(topology)
    growing.host.double()
    for module in (growing.seeds["r0c1"].module, growing.seeds["r0c1"].gate):
        if module is not None:
            module.double()
    inputs, targets = batch[0].double() if topology == "cnn" else batch[0], batch[1]
    backward(growing, (inputs, targets))
    weight = next(iter(growing.host.parameters()))
    assert weight.grad is not None
    # The steepest entries: others may be too flat to be told from rounding.
    entries = weight.grad.abs().flatten().topk(4).indices

    for entry in entries.tolist():
        analytic = float(weight.grad.flatten()[entry])
        losses = []
        for offset in (1e-6, -1e-6):
            with torch.no_grad():
                weight.view(-1)[entry] += offset
                logits = growing.forward(inputs)
                losses.append(float(cross_entropy(logits.flatten(0, -2), targets.flatten())))
                weight.view(-1)[entry] -= offset
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(analytic, rel=1e-4)


@EVERYWHERE
def test_an_isolated_gradient_differs_from_the_exact_one_only_where_isolation_is_meant(topology: Topology) -> None:
    gradients = {}
    for stage in (SeedStage.HOLDING, SeedStage.FOSSILIZED):
        growing = planted(topology, AlphaAlgorithm.ADD, stage, 1.0)
        backward(growing, small_batch(topology))
        gradients[stage] = first_layer_gradient(growing).clone()

    same = torch.equal(gradients[SeedStage.HOLDING], gradients[SeedStage.FOSSILIZED])
    assert same == (topology == "transformer")


@EVERYWHERE
def test_a_fading_seed_does_not_change_and_learns_again_when_the_fade_ends(topology: Topology) -> None:
    growing = planted(topology, AlphaAlgorithm.GATE, SeedStage.BLENDING, 0.8)
    seed = growing.seeds["r0c1"]
    assert seed.gate is not None
    parameters = [*seed.module.parameters(), *seed.gate.parameters()]
    before = [parameter.detach().clone() for parameter in parameters]

    growing.set_alpha("r0c1", 0.4, frozen=True)
    backward(growing, small_batch(topology))
    growing.step()
    assert all(torch.equal(old, new) for old, new in zip(before, parameters, strict=True))

    growing.set_alpha("r0c1", 0.5, frozen=False)
    backward(growing, small_batch(topology))
    growing.step()
    assert any(not torch.equal(old, new) for old, new in zip(before, parameters, strict=True))


@EVERY_OPERATOR
@EVERYWHERE
def test_an_override_of_zero_is_the_host_alone_and_never_wakes_an_incubated_seed(
    topology: Topology, operator: AlphaAlgorithm
) -> None:
    inputs, _ = small_batch(topology)
    growing = planted(topology, operator, SeedStage.BLENDING, 0.6)
    alone = small_bed(topology)
    growing.train(False)
    alone.train(False)

    with torch.no_grad():
        expected = alone.forward(inputs)
        assert torch.equal(growing.forward(inputs, {"r0c1": 0.0}), expected)
        assert not torch.equal(growing.forward(inputs), expected)
        for stage in (SeedStage.GERMINATED, SeedStage.TRAINING):
            growing.seeds["r0c1"].stage = stage
            assert torch.equal(growing.forward(inputs, {"r0c1": 1.0}), expected)
