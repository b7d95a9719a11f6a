"""Ten days under the scripted controller from starts drawn at random, on the compiled tier."""

import numpy as np
import pytest

import diorama
from diorama.engine.batch import Batch
from diorama.engine.reference_core import opening_snapshot
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.contract import METRICS
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.tick import begin_tick
from diorama.worlds.townlet.reference.words import snapshot_words
from diorama.worlds.townlet.tables.compiling import load_tables
from tests.worlds.townlet.towns import random_arrivals

DAYS = 10
COLLAPSE = 1 << EventKind.AGENT_NEAR_DEATH | 1 << EventKind.AGENT_FAINTED
EXIT = 1 << EventKind.AGENT_EXIT
KEYS = [metric.key for metric in METRICS]


def opened(config: TownletConfig, seeds: range) -> Batch:
    """Towns that begin with other needs, money and bread each."""
    tables = load_tables(config)
    batch = diorama.make("townlet", config=config, copies=len(seeds), tier="fast", threads=1)
    batch.reset([*seeds])
    for copy, seed in enumerate(seeds):
        arrivals = random_arrivals(seed, population=config.world.population, jobs=len(tables.jobs))
        town = open_town(tables, config, seed, arrivals)
        begin_tick(town)
        batch.restore(copy, opening_snapshot(batch.spec, config, seed, snapshot_words(town)))
    return batch


@pytest.mark.parametrize(
    ("seeds", "is_perturbed"),
    [
        pytest.param(range(1, 6), False, id="calm"),
        pytest.param(range(200, 264), False, id="many", marks=pytest.mark.slow),
        pytest.param(range(200, 232), True, id="perturbed", marks=pytest.mark.slow),
    ],
)
def test_towns_stay_alive_and_keep_their_targets(seeds: range, is_perturbed: bool) -> None:
    config = TownletConfig.model_validate(
        {"perturbations": {"enabled": is_perturbed}, "episode_ticks": DAYS * 1000 + 1}
    )
    batch = opened(config, seeds)
    days, exits = [], 0

    for tick in range(DAYS * 1000):
        batch.step(batch.expert_actions())
        assert not (batch.events & np.uint64(COLLAPSE)).any(), f"tick {tick}"
        exits += int(np.count_nonzero(batch.events & np.uint64(EXIT)))
        if tick % 1000 == 998:  # the last moment of a day's window
            days.append(batch.metrics[batch.alive != 0])

    means = dict(zip(KEYS, np.concatenate(days).mean(axis=0), strict=True))
    assert len(days) == DAYS
    assert means["self_sufficiency"] >= 0.8
    assert means["attendance"] >= 0.8
    assert exits <= 0.05 * DAYS * len(seeds), "who is absent too often leaves, now and then"
