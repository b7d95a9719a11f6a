"""Evaluation figures of finished episodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.values import F32, I32, U8

Policy = Callable[[F32, U8], NDArray[np.integer]]
_SUCCESS, _DISTANCE, _STEPS = range(3)  # places in the metrics of the world


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A finished episode; `final_distance` is that of its last step, before the lane was reset."""

    success: bool
    total_reward: float
    steps: int
    final_distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What episodes come to; None where there is nothing to take it over."""

    episodes: int
    successes: int
    success_rate: float
    mean_return: float
    median_steps_to_success: int | None
    mean_return_of_successes: float | None
    mean_return_of_failures: float | None
    median_final_distance: float


def lower_median(values: Sequence[float]) -> float:
    """Element `(n - 1) // 2` of the sorted values."""
    return sorted(values)[(len(values) - 1) // 2]


def summarize(episodes: Sequence[Episode]) -> Figures:
    """Sum up finished episodes.

    Raises:
        ValueError: If there are none.
    """
    if not episodes:
        raise ValueError("there are no episodes to sum up")
    good = [episode for episode in episodes if episode.success]
    bad = [episode for episode in episodes if not episode.success]
    return Figures(
        episodes=len(episodes),
        successes=len(good),
        success_rate=len(good) / len(episodes),
        mean_return=_mean_return(episodes),
        median_steps_to_success=int(lower_median([episode.steps for episode in good])) if good else None,
        mean_return_of_successes=_mean_return(good) if good else None,
        mean_return_of_failures=_mean_return(bad) if bad else None,
        median_final_distance=lower_median([episode.final_distance for episode in episodes]),
    )


class EpisodeCounter:
    """Collects episodes from a batch that resets itself, step by step."""

    def __init__(self, copies: int) -> None:
        """Begin with open episodes."""
        self._totals = np.zeros(copies, np.float64)
        self.episodes: list[Episode] = []

    def add(self, buffers: Buffers) -> None:
        """Take a step into account, in the order of the copies."""
        self._totals += buffers.rewards
        for copy in ((buffers.terminated | buffers.truncated) != 0).nonzero()[0].tolist():
            metrics = buffers.metrics[copy]
            self.episodes.append(
                Episode(
                    success=bool(metrics[_SUCCESS]),
                    total_reward=float(self._totals[copy]),
                    steps=int(metrics[_STEPS]),
                    final_distance=float(metrics[_DISTANCE]),
                )
            )
            self._totals[copy] = 0.0


def play_episodes(
    step: Callable[[I32], Buffers], first: Buffers, policy: Policy, *, episodes: int, copies: int
) -> Figures:
    """Play until so many episodes have ended, and sum those up.

    Args:
        step: Takes a step of a batch that has been reset and gives its buffers.
        first: Buffers after the reset.
        policy: Chooses one action a copy, the likeliest, from float and byte observations.
        episodes: How many episodes to wait for.
        copies: How many copies the batch has.
    """
    counter, buffers = EpisodeCounter(copies), first
    while len(counter.episodes) < episodes:
        buffers = step(np.asarray(policy(buffers.obs, buffers.obs_u8), np.int32))
        counter.add(buffers)
    return summarize(counter.episodes[:episodes])


def _mean_return(episodes: Sequence[Episode]) -> float:
    return sum(episode.total_reward for episode in episodes) / len(episodes)
