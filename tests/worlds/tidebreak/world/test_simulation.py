from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from diorama.contracts.errors import UnknownOption
from diorama.engine.batch import Batch
from diorama.engine.make import make
from diorama.worlds.tidebreak.codes import UnitStatus
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.contract import HEAD_SIZES, describe
from diorama.worlds.tidebreak.parity import PARITY
from diorama.worlds.tidebreak.reference.simulation import TidebreakSimulation
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish

NOOP = describe(TidebreakConfig()).noop


def opened(**config: Any) -> TidebreakSimulation:
    simulation = TidebreakSimulation(TidebreakConfig(package=skirmish(), seats=4, played="all", **config))
    simulation.reset(7)
    return simulation


def made(copies: int = 1, **config: Any) -> Batch:
    batch = make("tidebreak", copies=copies, config={"package": skirmish(), **config}, tier="reference")
    batch.reset(range(7, 7 + copies))
    return batch


def noops(batch: Batch) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.tile(np.array(NOOP, np.int32), (batch.rows, 1))


def masked(batch: Batch, rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int32]]:
    bounds = np.cumsum((0, *HEAD_SIZES))
    rows = [
        [int(rng.choice(np.flatnonzero(mask[start:stop]))) for start, stop in pairwise(bounds)] for mask in batch.masks
    ]
    return np.array(rows, np.int32)


def test_an_empty_seat_is_never_alive_and_shows_nothing() -> None:
    batch = made(seats=3)

    for _ in range(3):
        batch.step(noops(batch))

    assert batch.alive.tolist() == [1, 1, 0]
    assert not batch.obs[2].any()
    assert not batch.metrics[2].any()
    assert batch.masks[2].sum() == len(HEAD_SIZES)
    assert batch.step_record(0).received[2] is None


def test_a_battle_that_times_out_cuts_the_seats_off_and_is_followed_by_the_next() -> None:
    batch = made()

    for _ in range(LIMIT_S):
        batch.step(noops(batch))

    record = batch.step_record(0)
    assert (batch.terminated[0], batch.truncated[0], batch.episode_start[0]) == (0, 1, 1)
    assert (record.info["end_reason"], record.info["winner"], record.info["tick"]) == ("time_limit", None, LIMIT_S)
    assert record.metrics[0][0] == 0.5
    assert batch.final_obs[0].any()
    assert batch.episode_seed(0) != 7
    result = record.info["battle_result"]
    assert isinstance(result, dict)
    assert [ship["ship_id"] for ship in result["ships"]] == ["blue-z", "blue-a", "red-1", "red-2"]


@pytest.mark.parametrize("shaping_discount", [None, 0.99])
def test_terms_add_up_to_the_reward(shaping_discount: float | None) -> None:
    batch, rng = made(seats=4, played="all", shaping_discount=shaping_discount), np.random.default_rng(1)

    for _ in range(LIMIT_S):
        batch.step(masked(batch, rng))
        record = batch.step_record(0)
        for reward, terms in zip(record.rewards, record.reward_terms, strict=True):
            assert sum(terms.values()) == pytest.approx(reward, abs=1e-12)
    assert ("shaping" in record.reward_terms[0]) is (shaping_discount is not None)


def test_a_ship_that_is_out_waits_and_is_paid_at_the_end() -> None:
    simulation = opened()
    sunk = simulation.arena.battle.units[1]
    sunk.mark(UnitStatus.DESTROYED)
    seat = simulation.episode.seats.index(sunk.id)
    alive = np.ones(4, np.uint8)

    records = [simulation.step([NOOP] * 4) for _ in range(LIMIT_S)]
    simulation.write_alive(alive)

    assert [record.rewards[seat] for record in records[:-1]] == [0.0] * (LIMIT_S - 1)
    assert all(record.received[seat] is None for record in records)
    assert records[-1].terminated[seat]
    assert records[-1].rewards[seat] < -0.1  # its share of the draw
    assert not any(record.terminated[seat] for record in records[:-1])
    assert sum(records[-1].reward_terms[seat].values()) == pytest.approx(records[-1].rewards[seat])


def test_without_credit_a_ship_that_falls_ends_at_once_and_only_once() -> None:
    simulation = opened(credit_dead=False)
    sinking = simulation.arena.battle.units[1]
    seat = simulation.episode.seats.index(sinking.id)
    sinking.hull.hp, sinking.hull.fire = 0.001, 1.0

    records = [simulation.step([NOOP] * 4) for _ in range(LIMIT_S)]

    assert [record.terminated[seat] for record in records] == [True] + [False] * (LIMIT_S - 1)
    assert not any(record.truncated[seat] for record in records)
    assert records[0].rewards[seat] < 0.0
    assert [record.rewards[seat] for record in records[1:]] == [0.0] * (LIMIT_S - 1)


def test_a_restored_copy_goes_on_as_if_nothing_had_happened() -> None:
    batch, other = made(seats=4, played="all"), made(seats=4, played="all")
    rng = np.random.default_rng(2)
    for _ in range(4):
        batch.step(masked(batch, rng))
    batch_mask = batch.masks.copy()

    other.restore(0, batch.snapshot(0))

    assert other.state_hash(0) == batch.state_hash(0)
    assert np.array_equal(other.masks, batch_mask)
    assert np.array_equal(other.obs, batch.obs)
    for _ in range(LIMIT_S - 4):
        actions = masked(batch, rng)
        batch.step(actions)
        other.step(actions)
        assert other.step_record(0) == batch.step_record(0)
    assert other.episode_seed(0) == batch.episode_seed(0)


def test_copies_of_a_batch_equal_single_environments() -> None:
    together, alone = made(copies=2), make("tidebreak", config={"package": skirmish()}, tier="reference")
    alone.reset([8])

    for _ in range(5):
        together.step(noops(together))
        alone.step(noops(alone))

    assert together.state_hash(1) == alone.state_hash(0)
    assert np.array_equal(together.obs[1], alone.obs[0])


def test_an_option_that_does_not_exist_is_refused_before_anything_is_stepped() -> None:
    batch = made()
    actions = noops(batch)
    actions[0, 5] = 17
    before = batch.state_hash(0)

    with pytest.raises(ValueError, match="C002 row 0: target is 17; it must be 0 to 16") as refusal:
        batch.step(actions)

    assert isinstance(refusal.value, UnknownOption)
    assert batch.state_hash(0) == before


def test_events_come_with_their_records() -> None:
    batch = made(controllers={"blue-z": "aggressor", "blue-a": "aggressor"}, opponents="aggressor")
    opening = batch.step_record(0)
    seen: set[str] = set()

    for _ in range(LIMIT_S):
        batch.step(noops(batch))
        record = batch.step_record(0)
        seen |= set(record.events)
        assert set(record.event_data) == set(record.events)

    assert opening.events[0] == "battle_start"
    assert {"ping", "battle_end"} <= seen


@pytest.mark.parametrize("label", ["stage-01", "stage-11", "compact", "random-00", "demo"])
def test_a_column_of_the_parity_plan_can_be_played(label: str) -> None:
    config = dict(PARITY.configs)[label]
    batch = make("tidebreak", config=config() if callable(config) else config, tier="reference")

    batch.reset([0])
    batch.step(noops(batch))

    assert batch.alive.any()


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_a_zero_is_seen_without_a_sign_for_a_restored_battle_does_not_know_it(tier: str) -> None:
    batch = make("tidebreak", config={"package": skirmish(), "played": "all", "seats": 4}, tier=tier)
    batch.reset([1])

    seen = batch.obs.copy()
    batch.restore(0, batch.snapshot(0))

    assert not np.signbit(seen[seen == 0.0]).any()
    assert batch.obs.tobytes() == seen.tobytes()
