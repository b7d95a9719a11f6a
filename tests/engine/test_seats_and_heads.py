"""The engine over a world with several seats, several heads and byte observations."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from diorama.contracts.errors import ContractError, SnapshotError, TierUnavailable
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.tiers import Tier
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from tests.engine.toy_world import TOY, ToySimulation


@pytest.fixture
def batch() -> Batch:
    made = make_batch(TOY, copies=3, seed=5)
    made.reset()
    return made


def actions(batch: Batch, amount: int, sign: int) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.tile(np.array([amount, sign], np.int32), (batch.rows, 1))


def test_auto_falls_back_to_the_reference_and_says_why(batch: Batch) -> None:
    assert batch.tier_selected is Tier.REFERENCE
    assert batch.tier_fallback_reason == "toy has no fast tier"


def test_a_tier_asked_for_by_name_is_never_replaced() -> None:
    with pytest.raises(TierUnavailable, match="no fast tier"):
        make_batch(TOY, tier="fast")


def test_rows_are_copies_times_seats_and_fields_are_views(batch: Batch) -> None:
    batch.step(actions(batch, 2, 1))

    assert batch.rows == 6
    assert batch.rewards.tolist() == [-2.0] * 6
    assert np.shares_memory(batch.field("code"), batch.obs_u8)
    assert batch.field("code")[:, 0].tolist() == [0, 1] * 3


def test_a_seat_that_ends_early_is_dead_until_the_copy_is_reset(batch: Batch) -> None:
    batch.step(actions(batch, 1, 0))
    batch.step(actions(batch, 1, 0))

    assert batch.terminated.tolist() == [0, 1] * 3
    assert batch.alive.tolist() == [1, 0] * 3
    assert batch.masks[1].tolist() == [1, 0, 0, 1, 0]
    assert batch.final_obs_u8[1].tolist() == [1, 2]

    batch.step(actions(batch, 1, 0))

    assert batch.terminated.tolist() == [1, 0] * 3
    assert batch.rewards.tolist() == [1.0, 0.0] * 3
    assert batch.alive.all()
    assert batch.episode_start.all()
    assert batch.obs_u8[:, 1].tolist() == [0] * 6


def test_an_event_that_happens_twice_in_a_step_has_one_bit() -> None:
    class MovesTwice(ToySimulation):
        def step(self, decisions: Sequence[Decision]) -> StepRecord:
            return replace(super().step(decisions), events=("moved", "moved"))

    batch = make_batch(replace(TOY, simulate=MovesTwice))
    batch.reset()

    batch.step(actions(batch, 1, 0))

    assert batch.events.tolist() == [1]


def test_an_event_that_the_contract_does_not_have_is_named() -> None:
    class Explodes(ToySimulation):
        def step(self, decisions: Sequence[Decision]) -> StepRecord:
            return replace(super().step(decisions), events=("exploded",))

    batch = make_batch(replace(TOY, simulate=Explodes))
    batch.reset()

    with pytest.raises(ContractError, match=r"'exploded' happened, and is no event of 'toy': \['moved', 'ended'\]"):
        batch.step(actions(batch, 1, 0))


def test_a_flat_action_array_is_refused_where_a_decision_has_two_heads(batch: Batch) -> None:
    with pytest.raises(ContractError, match=r"shape \(6,\); this batch takes \(6, 2\)"):
        batch.step(np.zeros(6, np.int32))


def test_a_snapshot_continues_in_another_batch_and_copy(batch: Batch) -> None:
    batch.step(actions(batch, 2, 0))
    other = make_batch(TOY, copies=2, seed=99)
    other.reset()

    other.restore(1, batch.snapshot(2))

    assert other.state_hash(1) == batch.state_hash(2)
    for _ in range(4):
        batch.step(actions(batch, 1, 0))
        other.step(actions(other, 1, 0))
    assert other.episode_seed(1) == batch.episode_seed(2)
    assert other.obs[2:4].tolist() == batch.obs[4:6].tolist()


def test_a_snapshot_of_another_configuration_is_refused(batch: Batch) -> None:
    other = make_batch(TOY, config={"length": 9})
    other.reset()

    with pytest.raises(SnapshotError, match="length is 3"):
        other.restore(0, batch.snapshot(0))
