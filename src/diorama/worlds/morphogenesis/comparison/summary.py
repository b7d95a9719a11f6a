"""The report of one group: its means, its price, and how it stands against another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Final

from numpy.random import Generator

from diorama.worlds.morphogenesis.comparison.bootstrap import Interval, accuracy_difference
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
from diorama.worlds.morphogenesis.comparison.pareto import hypervolume, pareto_front
from diorama.worlds.morphogenesis.contracts.errors import ContractError

ROLLING_ROUNDS: Final = 10
NEARLY_THERE: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """One group. What cannot be said is None: a gain without twins, a return without growth, a ratio of nothing.

    `accuracy_roi` is the gain per unit of logarithmic growth; `permanent_share` is permanent over permanent and
    pruned seeds; `rounds_to_nearly_there` counts rounds up to 80% of the last rolling accuracy.
    """

    group_id: str
    episodes: int
    mean_final_accuracy: float
    gain_over_control: float | None
    mean_param_ratio: float
    accuracy_roi: float | None
    num_fossilized: int
    num_pruned: int
    permanent_share: float | None
    rollbacks: int
    rounds_to_nearly_there: int
    pareto_front: tuple[EpisodeResult, ...]
    hypervolume: float
    difference: Interval | None


def summarize(
    group_id: str,
    episodes: Sequence[EpisodeResult],
    draws: Generator,
    baseline: Sequence[EpisodeResult] | None = None,
) -> GroupSummary:
    """Return the report of a group, against another where one is given.

    Raises:
        ContractError: The group has no episode.
    """
    if not episodes:
        raise ContractError(f"group {group_id!r} has no episode to report on")
    gains = [gain for episode in episodes if (gain := episode.gain_over_control) is not None]
    gain = fmean(gains) if gains else None
    ratio = fmean(episode.param_ratio for episode in episodes)
    fossilized = sum(episode.num_fossilized for episode in episodes)
    pruned = sum(episode.prune_count for episode in episodes)
    return GroupSummary(
        group_id=group_id,
        episodes=len(episodes),
        mean_final_accuracy=fmean(episode.final_accuracy for episode in episodes),
        gain_over_control=gain,
        mean_param_ratio=ratio,
        accuracy_roi=accuracy_roi(gain, ratio),
        num_fossilized=fossilized,
        num_pruned=pruned,
        permanent_share=fossilized / (fossilized + pruned) if fossilized + pruned else None,
        rollbacks=sum(episode.rollbacks for episode in episodes),
        rounds_to_nearly_there=rounds_to_nearly_there(episodes),
        pareto_front=pareto_front(episodes),
        hypervolume=hypervolume(episodes),
        difference=None if baseline is None else accuracy_difference(episodes, baseline, draws),
    )


def accuracy_roi(gain: float | None, param_ratio: float) -> float | None:
    """Return the gain per unit of logarithmic growth; None without growth."""
    return None if gain is None or param_ratio <= 1.0 else gain / math.log(param_ratio)


def rounds_to_nearly_there(episodes: Sequence[EpisodeResult]) -> int:
    """Return how many rounds it took until the rolling accuracy had 80% of what it has at the end."""
    ordered = sorted(episodes, key=lambda episode: episode.round_index)
    rounds = [
        fmean(episode.final_accuracy for episode in members)
        for _, members in groupby(ordered, key=lambda episode: episode.round_index)
    ]
    rolling = [fmean(rounds[max(0, end - ROLLING_ROUNDS) : end]) for end in range(1, len(rounds) + 1)]
    return next(count for count, value in enumerate(rolling, start=1) if value >= NEARLY_THERE * rolling[-1])
