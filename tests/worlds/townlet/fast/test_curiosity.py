"""Curiosity in batches: both tiers pay it alike, and copies carry what they have met from episode to episode."""

from collections import Counter

import numpy as np
import pytest

import diorama
from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import U64
from diorama.engine.batch import Batch
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.situations import Situation, visit_words, visits_of
from diorama.worlds.townlet.tables.compiling import load_tables
from tests.worlds.townlet.fast.lockstep import assert_same, both_tiers, valid_actions

CURIOUS: dict[str, object] = {
    "features": {"training": {"curiosity": "phase_A"}},
    "curiosity": {"phase_A_weight": 0.1},
    "episode_ticks": 20,
}
ZONES = len(load_tables(TownletConfig()).map.zones)
EPISODES = 3


def paid(batch: Batch) -> float:
    return sum(terms.get("curiosity", 0.0) for terms in batch.step_record(0).reward_terms)


def met(batch: Batch, copy: int = 0) -> dict[int, int]:
    return visits_of(batch.carried(copy), ZONES)


def test_both_tiers_pay_alike_and_go_on_counting_in_the_next_episode() -> None:
    reference, fast = both_tiers(CURIOUS, seed=5)
    rng = np.random.default_rng(5)
    by_episode, lived = [0.0] * EPISODES, 0

    for step in range(20 * EPISODES):
        actions, lived = valid_actions(reference.masks, rng), lived + int(reference.alive.sum())
        for batch in (reference, fast):
            batch.step(actions)
        assert_same(fast, reference)
        by_episode[step // 20] += paid(fast)
    assert fast.snapshot(0) == reference.snapshot(0)

    assert met(fast) == met(reference)
    assert sum(met(fast).values()) == lived
    assert by_episode[0] > by_episode[1] > by_episode[2] > 0.0


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_a_named_seed_begins_from_nothing_and_an_unnamed_one_does_not(tier: str) -> None:
    batch = diorama.make("townlet", config=CURIOUS, tier=tier, threads=1)
    batch.reset([3])
    batch.step(batch.expert_actions())
    first = paid(batch)
    batch.reset()
    kept = met(batch)
    batch.reset([3])
    assert met(batch) == {}
    batch.step(batch.expert_actions())

    assert sum(kept.values()) == 8
    assert paid(batch) == first > 0.0


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_what_was_met_goes_with_snapshots_and_can_be_carried_to_another_copy(tier: str) -> None:
    batch, other = (diorama.make("townlet", config=CURIOUS, copies=2, tier=tier, threads=1) for _ in range(2))
    for each in (batch, other):
        each.reset([3, 4])
    for _ in range(5):
        batch.step(batch.expert_actions())

    other.restore(1, batch.snapshot(0))
    other.carry(0, batch.carried(0))

    assert met(other, 0) == met(other, 1) == met(batch, 0) != {}
    other.step(other.expert_actions())
    batch.step(batch.expert_actions())
    assert met(other, 1) == met(batch, 0)


@pytest.mark.parametrize("tier", ["reference", "fast"])
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(visit_words({7: 0}), id="never-met"),
        pytest.param(visit_words({10**9: 1}), id="no-such-situation"),
        pytest.param(np.array([2, 9, 1, 8, 1], np.uint64), id="out-of-order"),
        pytest.param(np.array([2, 9, 1], np.uint64), id="cut-off"),
        pytest.param(np.array([0, 1], np.uint64), id="left-over"),
    ],
)
def test_counts_that_cannot_be_are_refused(tier: str, words: U64) -> None:
    batch = diorama.make("townlet", config=CURIOUS, tier=tier, threads=1)
    batch.reset([3])
    batch.step(batch.expert_actions())
    before = met(batch)

    with pytest.raises(SnapshotError):
        batch.carry(0, words)

    assert met(batch) == before


def test_towns_that_are_not_curious_count_nothing() -> None:
    batch = diorama.make("townlet", tier="fast", threads=1)
    batch.reset([3])
    batch.step(batch.expert_actions())

    assert (met(batch), paid(batch)) == ({}, 0.0)


def test_a_situation_is_its_number() -> None:
    cases = Counter(
        Situation(zone, option, hunger, 4 - hunger, 2, part).number
        for zone in (-1, 0, ZONES - 1)
        for option in range(8)
        for hunger in range(5)
        for part in (0, 9)
    )

    assert set(cases.values()) == {1}
    assert all(Situation.of_number(number).number == number for number in cases)
