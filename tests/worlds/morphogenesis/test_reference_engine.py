"""The readable engine behind its protocol: rows, twins, overrides, snapshots and faults."""

import math

import numpy as np
import pytest

from diorama.contracts.errors import SnapshotError
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ContractError, RollbackFailed
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.layout import RowLayout, default_groups
from diorama.worlds.morphogenesis.engine.protocol import HostEngine, Overrides
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from tests.worlds.morphogenesis.small_setups import small_setup


def main_pass(rows: int, slots: int = 3) -> Overrides:
    return np.full((1, rows, slots), math.nan)


def plant(engine: HostEngine, row: int, slot_id: str, stage: SeedStage = SeedStage.BLENDING) -> None:
    bed = engine.bed(row)
    bed.plant(slot_id, BlueprintAction.CONV_LIGHT, AlphaAlgorithm.GATE, 0)
    for reached in (SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED):
        if reached <= stage:
            bed.set_stage(slot_id, reached)
    bed.set_alpha(slot_id, 1.0 if stage >= SeedStage.BLENDING else 0.0, frozen=False)


def states_equal(first: HostEngine, second: HostEngine, row: int) -> bool:
    left, right = first.write_row(row), second.write_row(row)
    return list(left) == list(right) and all(np.array_equal(left[name], right[name], equal_nan=True) for name in left)


@pytest.mark.parametrize(("envs", "groups"), [(1, 1), (8, 1), (16, 2), (100, 8)])
def test_envs_are_split_into_contiguous_groups(envs: int, groups: int) -> None:
    layout = RowLayout.of(tuple(range(envs)), all_envs=envs, groups=default_groups(envs), has_twins=True)

    assert layout.rows == envs + groups
    assert list(layout.groups) == sorted(layout.groups)
    assert {layout.group_of(row) for row in range(layout.rows)} == set(range(groups))


def test_an_env_run_again_alone_keeps_its_group_and_its_twin() -> None:
    layout = RowLayout.of((13,), all_envs=16, groups=2, has_twins=True)

    assert (layout.group_of(0), layout.twin_row(0), layout.group_of(1)) == (1, 1, 1)
    assert RowLayout.of((13,), all_envs=16, groups=2, has_twins=False).twin_row(0) is None


def test_a_row_that_only_waits_equals_its_control_twin_bit_for_bit() -> None:
    engine = ReferenceEngine(small_setup())
    engine.reset(0)
    plant(engine, 1, "r0c0")

    for epoch in (1, 2):
        engine.train_epoch(epoch)
    scores = engine.validate(main_pass(3))

    waiting, twin = engine.write_row(0), engine.write_row(2)
    assert all(np.array_equal(waiting[name], twin[name]) for name in twin)
    assert scores.loss[0, 0] == scores.loss[0, 2] != scores.loss[0, 1]


def test_an_override_of_zero_switches_a_seed_off_and_nothing_else() -> None:
    engine = ReferenceEngine(small_setup())
    engine.reset(0)
    plant(engine, 0, "r0c1")
    engine.train_epoch(1)
    overrides = np.full((3, 3, 3), math.nan)
    overrides[1, 0, 1] = 0.0
    overrides[2, 0, 1] = 1.0

    scores = engine.validate(overrides)

    assert scores.loss[0, 0] == scores.loss[2, 0] != scores.loss[1, 0]
    assert scores.loss[0, 1] == scores.loss[1, 1] == scores.loss[2, 1]


def test_a_row_with_nan_leaves_the_others_alone() -> None:
    damaged, healthy = ReferenceEngine(small_setup()), ReferenceEngine(small_setup())
    for engine in (damaged, healthy):
        engine.reset(0)
    damaged.inject(0, "nan")

    for engine in (damaged, healthy):
        engine.train_epoch(1)
    losses = damaged.validate(main_pass(3)).loss[0]

    assert math.isnan(losses[0])
    assert states_equal(damaged, healthy, 1)


def test_going_back_to_a_snapshot_restores_host_and_permanent_seeds() -> None:
    engine = ReferenceEngine(small_setup(envs=1))
    engine.reset(0)
    plant(engine, 0, "r0c0", SeedStage.FOSSILIZED)
    engine.train_epoch(1)
    engine.snapshot(0)
    before = engine.write_row(0)
    plant(engine, 0, "r0c1")
    engine.inject(0, "spike")
    engine.inject(0, "seed_nan")
    engine.train_epoch(2)

    plant(engine, 0, "r0c2", SeedStage.FOSSILIZED)
    with pytest.raises(RollbackFailed, match="r0c2"):
        engine.restore(0)
    for slot_id in ("r0c1", "r0c2"):
        engine.bed(0).detach(slot_id)
    engine.restore(0)

    after = engine.write_row(0)
    assert engine.snapshot_slots(0) == {"r0c0"}
    assert all(np.array_equal(after[name], before[name]) for name in after)
    assert not any("@" in name for name in after)


def test_a_row_written_and_read_goes_on_as_if_nothing_had_happened() -> None:
    first, second = ReferenceEngine(small_setup()), ReferenceEngine(small_setup())
    for engine in (first, second):
        engine.reset(0)
        plant(engine, 0, "r0c0")
    for epoch in (1, 2):
        first.train_epoch(epoch)
    first.snapshot(0)

    second.read_row(0, first.write_row(0))
    for engine in (first, second):
        engine.train_epoch(3)

    assert states_equal(first, second, 0)
    with pytest.raises(SnapshotError, match="r0c0"):
        second.read_row(1, first.write_row(0))


def test_a_frozen_row_is_trained_no_more_and_only_a_planted_seed_can_be_damaged() -> None:
    engine = ReferenceEngine(small_setup())
    engine.reset(0)
    engine.freeze(2)
    before = engine.write_row(2)

    engine.train_epoch(1)

    assert all(np.array_equal(array, before[name]) for name, array in engine.write_row(2).items())
    with pytest.raises(ContractError, match="no seed"):
        engine.inject(0, "seed_nan")


def test_a_transformer_trains_behind_the_same_protocol() -> None:
    engine = ReferenceEngine(small_setup(task="tokens", envs=1, max_batches=1))
    engine.reset(0)

    engine.train_epoch(1)
    scores = engine.validate(main_pass(2, slots=2))

    assert np.isfinite(scores.loss).all()
    assert engine.gradient_stats().host_norm[0] > 0.0
