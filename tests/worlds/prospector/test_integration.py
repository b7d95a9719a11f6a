import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import diorama
from diorama.engine.batch import Batch
from diorama.worlds.prospector.contract import METRICS, N_ACTIONS, Act
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import ANY_ACTION, TIERS, Pilot

INFO_KEYS = (
    *("invalid_action", "destroyed", "stranded", "end_reason", "time_remaining", "ticks"),
    *("total_spend", "gross_revenue", "node_context", "seed"),
)


def random_valid(masks: np.ndarray, rng: np.random.Generator) -> list[int]:
    return [int(rng.choice(np.flatnonzero(mask))) for mask in masks]


def assert_same_step(one: Batch, other: Batch, copy: int, other_copy: int) -> None:
    assert one.step_record(copy) == other.step_record(other_copy)
    assert one.obs[copy].tobytes() == other.obs[other_copy].tobytes()
    assert one.masks[copy].tobytes() == other.masks[other_copy].tobytes()
    assert one.rewards[copy] == other.rewards[other_copy]
    assert one.events[copy] == other.events[other_copy]


def test_short_episodes_over_many_seeds_run_through(tier: str) -> None:
    copies = {"reference": 24, "fast": 300}[tier]
    batch = diorama.make("prospector", copies=copies, config={"time_max": 40}, tier=tier, threads=1)
    batch.reset(seeds=range(1000, 1000 + copies))
    rng = np.random.default_rng(0)
    ended = np.zeros(copies, bool)

    for _ in range(40):
        batch.step(random_valid(batch.masks, rng))
        ended |= (batch.terminated | batch.truncated) != 0
        assert np.isfinite(batch.obs).all()
        assert np.isfinite(batch.rewards).all()
        assert np.isfinite(batch.metrics).all()

    assert ended.all()


@pytest.mark.parametrize("tier", TIERS)
@settings(max_examples=5, derandomize=True, deadline=None)
@given(seed=st.integers(-(2**63), 2**64 - 1), actions=st.lists(ANY_ACTION, min_size=30, max_size=60))
def test_the_same_seed_and_actions_give_the_same_episode(tier: str, seed: int, actions: list[int]) -> None:
    one, other = Pilot(tier, seed=seed), Pilot(tier, seed=seed)

    for action in actions:
        assert one.step(action) == other.step(action)

        assert one.batch.state_hash(0) == other.batch.state_hash(0)
        assert one.obs.tobytes() == other.obs.tobytes()


def test_different_seeds_give_different_belts(fly: Fly) -> None:
    openings = {fly(seed=seed).obs.tobytes() for seed in range(12)}

    assert len(openings) == 12


def test_a_restored_snapshot_continues_identically(fly: Fly) -> None:
    pilot = fly(seed=21)
    rng = np.random.default_rng(3)
    for _ in range(25):
        pilot.step(*random_valid(pilot.batch.masks[:, : Act.CASH_OUT_END_EPISODE], rng))
    moment = pilot.batch.snapshot(0)
    actions = [int(action) for action in rng.integers(0, Act.CASH_OUT_END_EPISODE, 40)]
    first = [pilot.step(action) for action in actions]

    pilot.batch.restore(0, moment)

    assert [pilot.step(action) for action in actions] == first


def test_info_always_has_the_same_keys(fly: Fly) -> None:
    pilot = fly(seed=4, time_max=30)
    rng = np.random.default_rng(1)
    assert tuple(pilot.batch.opening_record(0).info) == INFO_KEYS

    for _ in range(60):
        record = pilot.step(int(rng.integers(-2, 72)))

        assert tuple(record.info) == INFO_KEYS
        assert len(record.metrics[0]) == len(METRICS) == 13
        assert record.info["node_context"] in ("station", "field")


def test_info_tells_what_was_earned_and_spent(fly: Fly) -> None:
    pilot = fly(seed=12)
    pilot.put(cargo=[10.0] * 6, hull=50.0)
    for action in (45, 48, 51, 54, 57, 60, Act.FULL_REPAIR_OVERHAUL):
        record = pilot.step(action)

    info = record.info
    assert info["total_spend"] == 280.0
    assert info["gross_revenue"] == pytest.approx(pilot.state.ship.credits + 280.0)
    assert (info["ticks"], info["time_remaining"], info["seed"]) == (9, 20000.0 - 9, 12)


def test_batch_stepping_equals_stepping_one_by_one(tier: str) -> None:
    seeds = [3, 14, 15, 92]
    batch = diorama.make("prospector", copies=len(seeds), config={"time_max": 60}, tier=tier, threads=2)
    batch.reset(seeds=seeds)
    alone = [Pilot(tier, seed=seed, time_max=60) for seed in seeds]
    rng = np.random.default_rng(6)
    has_ended = [False] * len(seeds)

    for _ in range(60):
        actions = random_valid(batch.masks, rng)
        batch.step(actions)
        for copy, pilot in enumerate(alone):
            if has_ended[copy]:
                continue  # the seeds of later episodes depend on the copy's index
            pilot.step(actions[copy])
            has_ended[copy] = bool(batch.terminated[copy] or batch.truncated[copy])
            if has_ended[copy]:
                assert batch.step_record(copy) == pilot.batch.step_record(0)
                assert batch.final_obs[copy].tobytes() == pilot.batch.final_obs[0].tobytes()
            else:
                assert_same_step(batch, pilot.batch, copy, 0)

    assert all(has_ended)


def test_both_tiers_tell_the_same_story() -> None:
    reference, fast = (Pilot(tier, seed=6, time_max=400) for tier in TIERS)
    rng = np.random.default_rng(9)

    for _ in range(300):
        choice = random_valid(reference.batch.masks, rng)[0] if rng.random() < 0.9 else int(rng.integers(-9, 99))

        assert reference.step(choice) == fast.step(choice)
        assert_same_step(reference.batch, fast.batch, 0, 0)
        assert reference.batch.state_hash(0) == fast.batch.state_hash(0)


def test_curriculum_switches_keep_the_stream_aligned_while_nothing_happens(fly: Fly) -> None:
    plain = fly()
    switched = fly(
        pirates=False, hazards=False, fractures=False, price_impact=False, market_noise=False, scan_noise=False
    )

    for action in (Act.TRAVEL_NEIGHBOR, Act.WIDE_SCAN, Act.SELECT_ASTEROID, Act.MINE_CONSERVATIVE_SELECTED):
        draws = [pilot.step(action).draws for pilot in (plain, switched)]

        assert plain.metrics()["pirate_encounters"] == 0.0
        assert draws[0] == draws[1]


def test_every_action_index_is_accepted(fly: Fly) -> None:
    pilot = fly()

    for outcome in pilot.try_each(range(N_ACTIONS)):
        assert outcome.record.dt >= 1
