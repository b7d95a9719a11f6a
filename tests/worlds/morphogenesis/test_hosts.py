import pytest
import torch

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ConfigError, ContractError
from diorama.worlds.morphogenesis.contracts.slots import SurfaceType
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.data.loading import build_host, slots_of
from diorama.worlds.morphogenesis.data.tasks import FAMILIES, TASKS, task_named
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost
from diorama.worlds.morphogenesis.streams import generator
from tests.worlds.morphogenesis.small_hosts import (
    STREAMS,
    backward,
    bring_to,
    open_stream,
    small_batch,
    small_bed,
    small_host,
)

HOST_PARAMS = {
    "digits_baseline": 1702,
    "digits_impaired": 160,
    "shapes_baseline": 6418,
    "shapes_impaired": 164,
    "tokens_copy": 29568,
    "cifar_baseline": 6418,
    "cifar_scale": 99922,
    "cifar_impaired": 77,
    "cifar_minimal": 164,
    "cifar_multichannel": 6418,
    "cifar_postpool": 24346,
    "cifar_highres": 24346,
    "cifar_deep_multichannel": 99922,
    "cifar_deep_impaired": 1140,
}


@pytest.mark.parametrize("name", TASKS)
def test_the_host_of_a_task_has_its_size_and_its_slots(name: str) -> None:
    task = TASKS[name]
    host = build_host(task)

    assert host.param_count == HOST_PARAMS[name]
    assert slots_of(host, task.slots).slot_ids == task.slots
    assert host.topology == task.topology


def test_a_family_stands_for_its_task_and_other_names_are_refused() -> None:
    assert {name: task_named(name).name for name in FAMILIES} == FAMILIES
    assert task_named("digits").budget_for(160) == 3200
    assert task_named("cifar").budget_for(6418) == 500_000
    with pytest.raises(ConfigError, match="digits_impaired"):
        task_named("mnist")


def test_a_convolutional_host_names_its_slots_before_and_after_the_pools() -> None:
    host = CnnHost(num_classes=3, n_blocks=3, base_channels=2, kernel_size=1, pool_layers=2, in_channels=1)

    assert host.execution_order() == ("r0c0", "r1c0", "r0c1", "r1c1", "r0c2")
    specs = host.injection_specs()
    assert [spec.slot_id for spec in specs] == ["r0c0", "r0c1", "r0c2", "r1c0", "r1c1"]
    assert [spec.order for spec in specs] == [0, 1, 2, 3, 4]
    assert [spec.channels for spec in specs] == [2, 4, 8, 2, 4]
    assert [spec.position for spec in specs] == pytest.approx([1 / 6, 3 / 6, 5 / 6, 2 / 6, 4 / 6])
    assert [spec.surface for spec in specs] == [SurfaceType.PRE_POOL] * 3 + [SurfaceType.POST_POOL] * 2


def test_every_slot_of_a_host_is_met_in_its_execution_order() -> None:
    for topology in ("cnn", "transformer"):
        host = small_host(topology)
        host.initialize(generator(1))
        met: list[tuple[str, int]] = []
        inputs, _ = small_batch(topology)

        def graft(slot_id: str, features: torch.Tensor) -> torch.Tensor:
            met.append((slot_id, features.shape[1] if topology == "cnn" else features.shape[2]))  # noqa: B023
            return features

        host(inputs, graft)

        assert [slot_id for slot_id, _ in met] == list(host.execution_order())
        assert dict(met) == host.segment_channels


@pytest.mark.parametrize(
    ("blocks", "kernel", "pools"), [(1, 3, 1), (2, 5, 1), (2, 3, 3)], ids=["blocks", "kernel", "pools"]
)
def test_a_host_that_cannot_be_is_refused(blocks: int, kernel: int, pools: int) -> None:
    with pytest.raises(ConfigError):
        CnnHost(num_classes=3, n_blocks=blocks, base_channels=2, kernel_size=kernel, pool_layers=pools, in_channels=1)


def test_a_sequence_longer_than_the_host_is_refused() -> None:
    with pytest.raises(ContractError, match="25"):
        small_host("transformer")(torch.zeros((1, 25), dtype=torch.int64))


def test_an_episode_starts_with_the_same_weights_and_no_seeds() -> None:
    growing = small_bed("cnn")
    start = {name: value.clone() for name, value in growing.host.state_dict().items()}
    growing.plant("r0c0", BlueprintAction.NORM, AlphaAlgorithm.ADD, 0)
    for _ in range(2):
        backward(growing, small_batch("cnn"))
        growing.step()
    assert any(not torch.equal(value, start[name]) for name, value in growing.host.state_dict().items())

    again = small_bed("cnn")
    growing.reset(STREAMS.open("host_init", 0, 0), open_stream)

    assert growing.seeds == {}
    for bed in (again, growing):
        assert all(torch.equal(value, start[name]) for name, value in bed.host.state_dict().items())


def test_a_permanent_seed_takes_over_the_settings_of_the_host_and_keeps_its_momentum() -> None:
    growing = small_bed("transformer")
    growing.plant("r0c0", BlueprintAction.MLP_SMALL, AlphaAlgorithm.ADD, 0)
    bring_to(growing, "r0c0", SeedStage.HOLDING, 1.0)
    backward(growing, small_batch("transformer"))
    growing.step()
    optimizer = growing.optimizers._seeds["r0c0"]
    momenta = len(optimizer.state)

    growing.set_stage("r0c0", SeedStage.FOSSILIZED)

    decays = [(group["params"][0].dim(), group["weight_decay"]) for group in optimizer.param_groups]
    assert {group["lr"] for group in optimizer.param_groups} == {3e-4}
    assert decays == [(2, 0.1), (1, 0.0), (2, 0.1), (1, 0.0)]
    assert len(optimizer.state) == momenta == 4


def test_host_and_seeds_are_clipped_apart() -> None:
    growing = small_bed("cnn")
    growing.plant("r0c0", BlueprintAction.CONV_SMALL, AlphaAlgorithm.ADD, 0)
    groups = {
        "host": list(growing.host.parameters()),
        "seed": list(growing.seeds["r0c0"].module.parameters()),
    }
    for parameter in groups["host"]:
        parameter.grad = torch.full_like(parameter, 0.001)
    for parameter in groups["seed"]:
        parameter.grad = torch.full_like(parameter, 1000.0)

    growing.step()

    norms = {
        name: float(torch.stack([p.grad.norm() for p in group if p.grad is not None]).norm())
        for name, group in groups.items()
    }
    assert norms["seed"] == pytest.approx(1.0, rel=1e-4)
    assert all(torch.equal(p.grad, torch.full_like(p, 0.001)) for p in groups["host"] if p.grad is not None)
