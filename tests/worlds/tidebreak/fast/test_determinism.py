"""The same package and the same actions give the same hash at every tick, however the battle is run."""

import json
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import diorama
from diorama.contracts.values import I32
from diorama.rng.keyed import draw, pick
from diorama.worlds.tidebreak.contract import HEAD_SIZES
from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import random_battle
from tests.worlds.tidebreak.hashes import STORED, hashes_of, packages

CONFIG = {"stage": 12, "seats": 2}
Hashes = dict[int, list[int]]


def actions_at(seeds: Sequence[int], tick: int) -> I32:
    """Any options, the same for a seed wherever its copy stands."""
    rows = [
        [pick(draw(seed, 99, tick, seat, head, 0), size) for head, size in enumerate(HEAD_SIZES)]
        for seed in seeds
        for seat in range(CONFIG["seats"])
    ]
    return np.array(rows, np.int32)


def hashes(seeds: Sequence[int], ticks: int, *, threads: int = 1, restore_at: frozenset[int] = frozenset()) -> Hashes:
    batch = diorama.make("tidebreak", copies=len(seeds), config=CONFIG, threads=threads, tier="fast")
    batch.reset(list(seeds))
    found: Hashes = {seed: [batch.state_hash(copy)] for copy, seed in enumerate(seeds)}
    for tick in range(ticks):
        batch.step(actions_at(seeds, tick).reshape(*batch.alive.shape, len(HEAD_SIZES)))
        for copy, seed in enumerate(seeds):
            if batch.episode_seed(copy) != seed:
                continue  # the battle is over; the next one of a copy depends on its place
            found[seed].append(batch.state_hash(copy))
            if tick in restore_at:
                batch.restore(copy, batch.snapshot(copy))
    return found


def in_another_process(seeds: Sequence[int], ticks: int) -> Hashes:
    code = (
        "import json\n"
        "from tests.worlds.tidebreak.fast.test_determinism import hashes\n"
        f"print(json.dumps(hashes({list(seeds)}, {ticks})))"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return {int(seed): values for seed, values in json.loads(told).items()}


def check(seeds: list[int], ticks: int, threads: Sequence[int]) -> None:
    expected = hashes(seeds, ticks)
    shuffled = [int(seed) for seed in np.random.default_rng(1).permutation(seeds)]
    restore_at = frozenset(int(tick) for tick in np.random.default_rng(2).integers(0, ticks, 5))

    assert all(hashes(seeds, ticks, threads=count) == expected for count in threads)
    assert hashes(shuffled, ticks) == expected
    assert hashes(seeds, ticks, restore_at=restore_at) == expected
    assert in_another_process(seeds, ticks) == expected


def test_threads_order_restores_and_processes_change_nothing() -> None:
    check([3, 4, 5], 20, threads=(2,))


@pytest.mark.slow
def test_twenty_battles_of_ten_minutes_are_the_same_however_they_are_run() -> None:
    check(list(range(20)), 600, threads=(1, 2, 4, 8))


@pytest.mark.parametrize("number", range(3))
def test_neither_events_nor_hashes_are_felt(number: int) -> None:
    package = resolve(random_battle(number))
    plain, watched = open_arena(package), open_arena(package, is_collecting=True)
    while plain.tick < 60 and not plain.is_over:
        plain.step({})
        watched.step({})
        watched.events()
        watched.state_hash()

    assert plain.state_hash() == watched.state_hash()


def test_battles_have_the_hashes_that_are_stored() -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))

    assert len(stored) == 12
    assert {name: hashes_of(package) for name, package in packages().items()} == stored
