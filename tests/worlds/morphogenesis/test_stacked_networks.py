"""Stacked networks that are kept from epoch to epoch, and played back from recordings where there is a GPU."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, HostEngine, RowScores
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.engine.stacked.kept import KEPT_NETWORKS, Kept
from diorama.worlds.morphogenesis.engine.stacked.transformer_layers import look_in_order
from tests.worlds.morphogenesis.planting import plant, plant_everything
from tests.worlds.morphogenesis.small_setups import small_setup

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="recordings need an NVIDIA GPU")


class ForgetfulEngine(StackedEngine):
    """Builds every network anew."""

    def train_epoch(self, epoch: int) -> RowScores:
        self._trainings.clear()
        self._validations.clear()
        return super().train_epoch(epoch)


def live_through_everything(engine: HostEngine, setup: EngineSetup) -> list[RowScores]:
    """Change what may change between epochs: strengths, stages, seeds, a rollback, a row that rests."""
    overrides = np.full((2, setup.layout.rows, setup.slots.num_slots), math.nan)
    overrides[1, :2, 0] = 0.0
    scores = []

    def live(epoch: int) -> None:
        scores.append(engine.train_epoch(epoch))
        scores.append(engine.validate(overrides))

    engine.reset(0)
    plant(engine, 0, "r0c0", SeedStage.TRAINING, operator=AlphaAlgorithm.GATE)
    plant(engine, 1, "r0c0", SeedStage.BLENDING, alpha=0.3)
    engine.snapshot(2)
    live(1)
    engine.bed(1).set_alpha("r0c0", 0.6, frozen=False)
    live(2)
    engine.bed(0).set_stage("r0c0", SeedStage.BLENDING)
    engine.bed(0).set_alpha("r0c0", 0.5, frozen=False)
    live(3)
    engine.bed(1).set_alpha("r0c0", 0.2, frozen=True)
    live(4)
    engine.bed(1).detach("r0c0")
    engine.bed(1).plant("r0c0", BlueprintAction.CONV_LIGHT, AlphaAlgorithm.ADD, 1)
    engine.restore(2)
    live(5)
    engine.freeze(2)
    live(6)
    live(7)
    return scores


def assert_same_world(wanted: HostEngine, found: HostEngine, rows: int) -> None:
    for row in range(rows):
        left, right = wanted.write_row(row), found.write_row(row)
        assert list(left) == list(right)
        assert [name for name in left if not np.array_equal(left[name], right[name])] == []


@pytest.mark.parametrize("shares_data", [True, False])
def test_a_network_that_is_kept_does_what_a_new_one_does(shares_data: bool) -> None:
    setup = replace(small_setup(envs=3, max_batches=2), shares_data=shares_data)
    kept, forgetful = StackedEngine(setup), ForgetfulEngine(setup)

    for left, right in zip(
        live_through_everything(kept, setup), live_through_everything(forgetful, setup), strict=True
    ):
        np.testing.assert_array_equal(left.loss, right.loss)
        np.testing.assert_array_equal(left.accuracy_pct, right.accuracy_pct)

    assert_same_world(forgetful, kept, setup.layout.rows)


class Counted:
    def __init__(self, name: int, closed: list[int]) -> None:
        self._name, self._closed = name, closed

    def close(self) -> None:
        self._closed.append(self._name)


def test_the_network_that_was_not_used_for_longest_makes_room() -> None:
    closed: list[int] = []
    kept: Kept[Counted] = Kept()
    for name in (*range(KEPT_NETWORKS), 0, KEPT_NETWORKS):
        kept.get(name, lambda name=name: Counted(name, closed))  # type: ignore[misc]
    assert closed == [1]

    kept.clear()

    assert sorted(closed) == list(range(KEPT_NETWORKS + 1))


@pytest.mark.parametrize("members", [1, 2, 5, 8, 17])
def test_stacks_of_any_number_of_seeds_agree_with_the_readable_engine(members: int) -> None:
    setup = small_setup(envs=members + 1, max_batches=1)
    engines: tuple[HostEngine, ...] = (ReferenceEngine(setup), StackedEngine(setup))
    losses = []
    for engine in engines:
        engine.reset(0)
        for row in range(members):
            plant(engine, row, "r0c1", SeedStage.BLENDING, alpha=0.7)
        engine.train_epoch(1)
        losses.append(engine.validate(np.full((1, setup.layout.rows, 3), math.nan)).loss)

    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)


def test_attention_of_a_gpu_is_that_of_a_processor() -> None:
    drawn = torch.Generator().manual_seed(3)
    queries, keys, values = (torch.randn(2, 3, 5, 4, generator=drawn, dtype=torch.float64) for _ in range(3))
    visible = torch.ones(5, 5, dtype=torch.bool).tril() & torch.ones(5, 5, dtype=torch.bool).triu(-2)

    found = look_in_order(queries, keys, values, attn_mask=visible)

    torch.testing.assert_close(found, scaled_dot_product_attention(queries, keys, values, attn_mask=visible))


@needs_gpu
@pytest.mark.parametrize("task", ["digits", "digits_baseline", "shapes", "tokens"])
def test_recordings_are_what_they_were_recorded_from_bit_for_bit(task: str) -> None:
    setup = replace(small_setup(task=task, envs=3, max_batches=4), device="cuda")
    recorded, eager = StackedEngine(setup), StackedEngine(setup, is_recorded=False)

    if task == "tokens":
        for engine in (recorded, eager):
            engine.reset(0)
            plant(engine, 0, "r0c1", SeedStage.TRAINING, blueprint=BlueprintAction.MLP)
            for epoch in (1, 2, 3):
                engine.train_epoch(epoch)
    else:
        for left, right in zip(
            live_through_everything(recorded, setup), live_through_everything(eager, setup), strict=True
        ):
            np.testing.assert_array_equal(left.loss, right.loss)

    assert_same_world(eager, recorded, setup.layout.rows)


@needs_gpu
@pytest.mark.parametrize("task", ["digits", "digits_baseline"])
def test_both_engines_are_the_same_world_on_a_gpu(task: str) -> None:
    setup = replace(small_setup(task=task, envs=8, max_batches=2), device="cuda")
    readable, stacked = ReferenceEngine(setup), StackedEngine(setup)
    for engine in (readable, stacked):
        engine.reset(0)
        plant_everything(engine)
        for epoch in (1, 2, 3):
            engine.train_epoch(epoch)

    for row in range(setup.layout.rows):
        wanted, found = readable.write_row(row), stacked.write_row(row)
        for name, array in wanted.items():
            apart = np.abs(found[name].astype(np.float64) - array.astype(np.float64)).max(initial=0.0)
            assert apart <= 1e-3, f"row {row}: {name} is {apart} apart"
