"""The stacked engine against the readable one, from equal weights and on equal minibatches."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS, BlueprintAction
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, GradientStats, HostEngine
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.engine.stacked.convolution import MAX_HOST_VALUES, convolve, convolve_depthwise
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.streams import generator
from tests.worlds.morphogenesis.planting import OPERATORS, STAGES, plant, plant_everything
from tests.worlds.morphogenesis.small_setups import small_setup
from tests.worlds.morphogenesis.small_worlds import small_world

TOLERANCE = 1e-5
NOISE_TOLERANCE = 1e-4
"""For momentum before a norm, whose gradients cancel, and for keys' biases, whose gradient is nothing but rounding."""


def pair(setup: EngineSetup) -> tuple[ReferenceEngine, StackedEngine]:
    engines = ReferenceEngine(setup), StackedEngine(setup)
    for engine in engines:
        engine.reset(0)
    return engines


def assert_rows_agree(readable: HostEngine, stacked: HostEngine, rows: int) -> None:
    for row in range(rows):
        wanted, found = readable.write_row(row), stacked.write_row(row)
        assert list(found) == list(wanted)
        for name, array in wanted.items():
            tolerance = NOISE_TOLERANCE if "@" in name or name.endswith("qkv.bias") else TOLERANCE
            apart = np.abs(found[name].astype(np.float64) - array.astype(np.float64)).max(initial=0.0)
            assert apart <= tolerance, f"row {row}: {name} is {apart} apart"


def assert_readings_agree(wanted: GradientStats, found: GradientStats) -> None:
    np.testing.assert_allclose(found.host_norm, wanted.host_norm, rtol=1e-3)
    for left, right in zip(wanted.readings, found.readings, strict=True):
        assert left.keys() == right.keys()
        for slot_id, reading in left.items():
            other = right[slot_id]
            assert replace(other, gradient_norm=None, gradient_ratio=None) == replace(
                reading, gradient_norm=None, gradient_ratio=None
            )
            if reading.gradient_norm is None:
                continue
            assert other.gradient_norm == pytest.approx(reading.gradient_norm, rel=1e-2, abs=1e-6)
            assert other.gradient_ratio == pytest.approx(reading.gradient_ratio, rel=1e-2, abs=1e-6)


@pytest.mark.parametrize(("task", "incubation"), [("digits", "shadow"), ("digits_baseline", "straight_through")])
def test_three_epochs_with_seeds_in_every_stage_agree_with_the_readable_engine(
    task: str, incubation: Incubation
) -> None:
    setup = replace(small_setup(task=task, envs=8, max_batches=2), incubation=incubation)
    readable, stacked = pair(setup)
    overrides = np.full((3, setup.layout.rows, 3), math.nan)
    overrides[1, :4, 0] = 0.0
    overrides[2, 2, 1] = 0.5
    for engine in (readable, stacked):
        plant_everything(engine)

    for epoch in (1, 2, 3):
        trained = [engine.train_epoch(epoch) for engine in (readable, stacked)]
        measured = [engine.validate(overrides) for engine in (readable, stacked)]
        np.testing.assert_allclose(trained[1].loss, trained[0].loss, rtol=1e-5)
        np.testing.assert_array_equal(trained[1].accuracy_pct, trained[0].accuracy_pct)
        np.testing.assert_allclose(measured[1].loss, measured[0].loss, rtol=1e-5)
        np.testing.assert_array_equal(measured[1].accuracy_pct, measured[0].accuracy_pct)
        assert_readings_agree(readable.gradient_stats(), stacked.gradient_stats())
    assert_rows_agree(readable, stacked, setup.layout.rows)


def test_a_seed_that_grows_fades_and_is_pruned_agrees_epoch_by_epoch() -> None:
    setup = small_setup(envs=2, max_batches=2)
    engines = pair(setup)
    for engine in engines:
        plant(engine, 0, "r0c1", SeedStage.TRAINING, operator=AlphaAlgorithm.GATE)
        engine.train_epoch(1)
        engine.bed(0).set_stage("r0c1", SeedStage.BLENDING)
        for epoch, (alpha, frozen) in enumerate([(0.0, False), (0.6, False), (0.3, True)], start=2):
            engine.bed(0).set_alpha("r0c1", alpha, frozen=frozen)
            engine.train_epoch(epoch)
    assert_rows_agree(*engines, setup.layout.rows)

    for engine in engines:
        engine.bed(0).detach("r0c1")
        engine.train_epoch(5)
    assert_rows_agree(*engines, setup.layout.rows)


def test_a_row_with_nan_leaves_the_others_bit_for_bit_alone() -> None:
    setup = small_setup(envs=3, max_batches=2)
    damaged, healthy = StackedEngine(setup), StackedEngine(setup)
    for engine in (damaged, healthy):
        engine.reset(0)
        for row in range(3):
            plant(engine, row, "r0c0", SeedStage.FOSSILIZED)
            plant(engine, row, "r0c1", SeedStage.TRAINING)
    damaged.inject(0, "nan")
    damaged.inject(1, "seed_nan")

    for engine in (damaged, healthy):
        engine.train_epoch(1)
    losses = damaged.validate(np.full((1, setup.layout.rows, 3), math.nan)).loss[0]

    assert np.isnan(losses[:2]).all()
    assert np.isfinite(losses[2:]).all()
    for row in (2, 3):
        left, right = damaged.write_row(row), healthy.write_row(row)
        assert all(np.array_equal(left[name], right[name]) for name in left)


def test_a_waiting_row_equals_its_twin_and_a_frozen_one_rests() -> None:
    engine = StackedEngine(small_setup(envs=3, max_batches=2))
    engine.reset(0)
    plant(engine, 1, "r0c0", SeedStage.BLENDING)
    engine.freeze(2)
    before = engine.write_row(2)

    engine.train_epoch(1)

    waiting, twin, frozen = (engine.write_row(row) for row in (0, 3, 2))
    assert all(np.array_equal(waiting[name], twin[name]) for name in twin)
    assert all(np.array_equal(frozen[name], before[name]) for name in frozen)


def test_hosts_with_minibatches_of_their_own_agree() -> None:
    setup = replace(small_setup(envs=2, max_batches=2), shares_data=False)
    engines = pair(setup)
    for engine in engines:
        plant(engine, 1, "r0c0", SeedStage.TRAINING)
        engine.train_epoch(1)

    assert_rows_agree(*engines, setup.layout.rows)


@pytest.mark.parametrize(("channels", "size", "batch"), [(2, 4, 5), (3, 1, 2), (8, 64, MAX_HOST_VALUES // 2**15 + 1)])
def test_stacked_convolutions_are_the_library_s_host_by_host(channels: int, size: int, batch: int) -> None:
    draws = generator(4)
    images = torch.from_numpy(draws.standard_normal((2, batch, channels, size, size))).float().requires_grad_()
    weight = torch.from_numpy(draws.standard_normal((2, 3, channels, 3, 3))).float().requires_grad_()

    stacked = convolve(images.permute(0, 2, 3, 4, 1), weight).permute(0, 4, 1, 2, 3)
    single = torch.stack(
        [torch.nn.functional.conv2d(one, own, padding=1) for one, own in zip(images, weight, strict=True)]
    )
    probe = torch.from_numpy(draws.standard_normal(tuple(single.shape))).float()

    torch.testing.assert_close(stacked, single, rtol=1e-4, atol=1e-4)
    for found, wanted in zip(
        torch.autograd.grad(stacked, (images, weight), probe),
        torch.autograd.grad(single, (images, weight), probe),
        strict=True,
    ):
        torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-2)


def test_depthwise_convolutions_keep_channels_apart() -> None:
    draws = generator(4)
    images = torch.from_numpy(draws.standard_normal((2, 3, 4, 4, 5))).float()
    weight = torch.from_numpy(draws.standard_normal((2, 3, 1, 3, 3))).float()

    apart = convolve_depthwise(images, weight)

    for row in range(2):
        single = torch.nn.functional.conv2d(images[row].permute(3, 0, 1, 2), weight[row], padding=1, groups=3)
        torch.testing.assert_close(apart[row], single.permute(1, 2, 3, 0))


@pytest.mark.slow
def test_transformers_with_every_blueprint_agree() -> None:
    setup = small_setup(task="tokens", envs=7, max_batches=2)
    engines = pair(setup)
    overrides = np.full((2, setup.layout.rows, 2), math.nan)
    overrides[1, 3, 1] = 0.0
    for engine in engines:
        for row, blueprint in enumerate(TOPOLOGY_BLUEPRINTS["transformer"]):
            plant(engine, row, "r0c0", STAGES[row % 4], blueprint=blueprint, operator=OPERATORS[row % 3])
            plant(
                engine, row, "r0c1", STAGES[(row + 1) % 4], operator=OPERATORS[row % 3], blueprint=BlueprintAction.MLP
            )
        for epoch in (1, 2):
            engine.train_epoch(epoch)
    measured = [engine.validate(overrides) for engine in engines]

    np.testing.assert_allclose(measured[1].loss, measured[0].loss, rtol=1e-4)
    assert_readings_agree(engines[0].gradient_stats(), engines[1].gradient_stats())
    assert_rows_agree(*engines, setup.layout.rows)


@pytest.mark.parametrize(
    ("task", "controller"),
    [
        ("digits", "grow_three"),
        pytest.param("digits", "random", marks=pytest.mark.slow),
        pytest.param("tokens", "random", marks=pytest.mark.slow),
    ],
)
def test_a_whole_round_is_the_same_world_on_both_engines(task: str, controller: str) -> None:
    settings = {"task": task, "max_epochs": 15}
    readable, stacked = (small_world(settings, envs=2, make_engine=maker) for maker in (ReferenceEngine, StackedEngine))
    player = controller_named(controller, readable.nursery)
    views = [world.reset(0) for world in (readable, stacked)]
    seen: set[SeedStage] = set()

    while readable.is_open:
        actions = player.decide(views[0].obs, readable.masks, readable.reports())
        views = [world.step(actions) for world in (readable, stacked)]
        stages = [[env.growth.stages() for env in world.envs] for world in (readable, stacked)]
        seen.update(stage for row in stages[0] for stage in row)
        assert stages[0] == stages[1]
        np.testing.assert_array_equal(views[1].blueprint_indices, views[0].blueprint_indices)
        np.testing.assert_array_equal(stacked.masks.op, readable.masks.op)
        np.testing.assert_array_equal(views[1].terminated, views[0].terminated)
        np.testing.assert_allclose(views[1].obs, views[0].obs, atol=1e-3)
        np.testing.assert_allclose(views[1].rewards, views[0].rewards, atol=1e-3)
    assert SeedStage.TRAINING in seen
    assert controller == "random" or SeedStage.BLENDING in seen
