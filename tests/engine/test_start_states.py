"""Episodes that begin in stored states: `Batch.start_from`, in every tier of every world."""

from collections.abc import Mapping

import numpy as np
import pytest

import diorama
from diorama.contracts.errors import ContractError, SnapshotError
from diorama.engine.batch import Batch
from diorama.engine.throughput import ValidActionSampler
from tests.engine.test_batch import play
from tests.engine.toy_world import TOY
from tests.refusals import refused

LEAD_STEPS = 12
AFTER = 25  # decisions, fewer than any of the episodes still has
FRESH_SEED = 77
SHORT: Mapping[str, Mapping[str, object]] = {
    "prospector": {"time_max": 120},
    "tidebreak": {},
    "townlet": {},
    "gameboy": {},
}
DRAWING = [world for world in SHORT if world != "gameboy"]
WORLDS = pytest.mark.parametrize("world", list(SHORT))


def opened(world: str, tier: str, *, seed: int = 3) -> Batch:
    batch = diorama.make(world, copies=2, config=SHORT[world], seed=seed, tier=tier, threads=1)
    batch.reset()
    return batch


def stored_state(world: str) -> tuple[bytes, int]:
    """Return the state of an episode that has gone on for a while, and its hash."""
    batch = opened(world, "fast", seed=5)
    play(batch, LEAD_STEPS)
    return batch.snapshot(0), batch.state_hash(0)


@pytest.mark.parametrize(
    ("world", "steps"), [("prospector", 400), ("tidebreak", 200), ("townlet", 200), ("gameboy", 40)], ids=list(SHORT)
)
def test_both_tiers_go_on_alike_from_a_fresh_seed(world: str, steps: int) -> None:
    data, _ = stored_state(world)
    hashes = []
    for tier in ("reference", "fast"):
        batch = opened(world, tier)
        batch.start_from(1, data, seed=FRESH_SEED)
        sampler = ValidActionSampler(batch.spec, seed=9)
        walked = []
        for _ in range(steps):
            batch.step(sampler.sample(batch.masks))
            walked.append(batch.state_hash(1))
        hashes.append(walked)

    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("world", DRAWING)
@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_other_seeds_lead_elsewhere_and_none_goes_on_as_stored(world: str, tier: str) -> None:
    data, stored_hash = stored_state(world)
    ends: dict[str, int] = {}
    for name, seed in (("stored", None), ("fresh", FRESH_SEED), ("again", FRESH_SEED), ("other", FRESH_SEED + 1)):
        batch = opened(world, tier)
        batch.start_from(0, data, seed=seed)
        if seed is None:
            assert batch.state_hash(0) == stored_hash
        ends[name] = play(batch, AFTER)[0]
    restored = opened(world, tier)
    restored.restore(0, data)
    ends["restored"] = play(restored, AFTER)[0]

    assert ends["stored"] == ends["restored"]
    assert ends["fresh"] == ends["again"]
    assert len({ends["stored"], ends["fresh"], ends["other"]}) == 3


@WORLDS
@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_a_fresh_seed_changes_nothing_that_is_seen_at_once(world: str, tier: str) -> None:
    data, _ = stored_state(world)
    views = []
    for seed in (None, FRESH_SEED):
        batch = opened(world, tier)
        batch.start_from(0, data, seed=seed)
        rows = slice(0, batch.spec.agents)
        views.append([array[rows].tobytes() for array in (batch.obs, batch.obs_u8, batch.masks, batch.alive)])
        assert batch.episode_start[rows].all()

    assert views[0] == views[1]


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_a_copy_keeps_its_own_sequence_of_seeds(tier: str) -> None:
    data, _ = stored_state("prospector")
    seeds = []
    for starts in (False, True):
        batch = opened("prospector", tier)
        if starts:
            stored_seed = opened("prospector", "fast", seed=5).episode_seed(0)
            batch.start_from(0, data, seed=FRESH_SEED)
            assert batch.episode_seed(0) == stored_seed
        first = batch.episode_seed(0)
        sampler = ValidActionSampler(batch.spec, seed=9)
        while batch.episode_seed(0) == first:
            batch.step(sampler.sample(batch.masks))
        seeds.append(batch.episode_seed(0))

    assert seeds[0] == seeds[1]


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_the_outcome_of_the_step_before_stays(tier: str) -> None:
    data, _ = stored_state("prospector")
    batch = opened("prospector", tier)
    sampler = ValidActionSampler(batch.spec, seed=9)
    while not batch.episode_start[0] or not (batch.terminated[0] or batch.truncated[0]):
        batch.step(sampler.sample(batch.masks))
    names = ("rewards", "terminated", "truncated", "metrics", "dt", "events", "final_obs")
    before = {name: getattr(batch.buffers, name).copy() for name in names}
    record = batch.step_record(0)

    batch.start_from(0, data, seed=FRESH_SEED)

    for name, values in before.items():
        assert np.array_equal(getattr(batch.buffers, name), values), name
    assert batch.step_record(0) == record


@pytest.mark.parametrize("world", ["tidebreak", "townlet"])
def test_records_of_an_ended_episode_stay_in_worlds_with_seats(world: str) -> None:
    config = {"tidebreak": {"stage": 1, "time_limit_s": 60}, "townlet": {"episode_ticks": 20}}[world]
    records = []
    for tier in ("reference", "fast"):
        batch = diorama.make(world, copies=1, config=config, seed=3, tier=tier, threads=1)
        batch.reset()
        first, sampler = batch.episode_seed(0), ValidActionSampler(batch.spec, seed=9)
        data = b""
        while batch.episode_seed(0) == first:
            data = batch.snapshot(0)
            batch.step(sampler.sample(batch.masks))
        record = batch.step_record(0)
        batch.start_from(0, data, seed=FRESH_SEED)
        assert batch.step_record(0) == record
        records.append(record)

    assert records[0] == records[1]


@WORLDS
def test_a_snapshot_of_something_else_changes_nothing(world: str) -> None:
    batch = opened(world, "fast")
    before = batch.state_hash(0)

    with pytest.raises(SnapshotError):
        batch.start_from(0, b"nothing", seed=1)

    assert batch.state_hash(0) == before


def test_copies_that_share_a_clock_refuse() -> None:
    batch = diorama.make("morphogenesis", copies=2, tier="reference")
    batch.reset()

    with refused(ContractError, "start_states_unsupported", world="morphogenesis"):
        batch.start_from(0, batch.snapshot(0))


def test_a_world_that_cannot_draw_anew_says_so_and_goes_on_without() -> None:
    from diorama.engine.make import make_batch

    batch = make_batch(TOY, copies=2, tier="reference")
    batch.reset()
    data = batch.snapshot(0)

    with refused(ContractError, "reseeding_unsupported", world="toy"):
        batch.start_from(1, data, seed=1)
    batch.start_from(1, data)

    assert batch.state_hash(1) == batch.state_hash(0)
