"""A trained policy as a player."""

import numpy as np
import pytest

from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.episodes import SilentProgress, play_episodes
from diorama.learn.evaluation.policy_player import PolicyPlayer, policy_contender
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings

SEEDS = (70, 71, 72, 73)


@pytest.fixture(scope="module")
def venue() -> Venue:
    return open_venue("prospector", {"time_max": 50})


def policy_of(venue: Venue, arch: str = "mingru-16-v1") -> Policy:
    return Policy(venue.spec, PolicySettings(arch=arch, actor_gain=3.0), NormalizationSettings(), seed=4)


@pytest.mark.parametrize("deterministic", [True, False], ids=["greedy", "stochastic"])
def test_an_episode_does_not_depend_on_other_rows(venue: Venue, deterministic: bool) -> None:
    contender = policy_contender("mine", policy_of(venue), deterministic=deterministic, seed=3)

    together = play_episodes(venue, contender, SEEDS, max_decisions=80, progress=SilentProgress())
    alone = [play_episodes(venue, contender, [seed], max_decisions=80, progress=SilentProgress())[0] for seed in SEEDS]

    assert [record.metrics for record in together] == [record.metrics for record in alone]
    assert [record.invalid_actions for record in together] == [0] * len(SEEDS)


def test_stochastic_play_depends_on_its_seed_and_greedy_play_does_not(venue: Venue) -> None:
    def ticks(deterministic: bool, seed: int) -> list[float]:
        contender = policy_contender("mine", policy_of(venue), deterministic=deterministic, seed=seed)
        records = play_episodes(venue, contender, SEEDS, max_decisions=80, progress=SilentProgress())
        return [record.returns["v2"] for record in records]

    assert ticks(True, 1) == ticks(True, 2)
    assert ticks(False, 1) != ticks(False, 2)


def test_memory_is_cleared_when_a_row_opens_an_episode(venue: Venue) -> None:
    player = PolicyPlayer(policy_of(venue), venue.spec, 2, deterministic=True, seed=0)
    batch = venue.batch(venue.config, 2)
    batch.reset(seeds=[5, 5])
    player.reset([0, 1], [5, 5])
    for _ in range(6):
        player.act(batch.obs, batch.obs_u8, batch.masks)

    player.reset([1], [5])
    player.act(batch.obs, batch.obs_u8, batch.masks)

    fresh = PolicyPlayer(policy_of(venue), venue.spec, 2, deterministic=True, seed=0)
    fresh.reset([0, 1], [5, 5])
    fresh.act(batch.obs, batch.obs_u8, batch.masks)
    assert np.allclose(player._memory[1], fresh._memory[1])
    assert not np.allclose(player._memory[0], fresh._memory[0])
