"""Scores: one number per episode seed, over all seats, sides and opponents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import Better
from diorama.contracts.values import F64
from diorama.engine.players import Contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import Progress, play_episodes
from diorama.learn.evaluation.matchups import match_results
from diorama.learn.evaluation.summary import EpisodeRecord

_RETURN: Final = "return_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRule:
    """What the score of an episode is; higher is better.

    Attributes:
        metric: A metric of the world, or `return_PROFILE`.
        scripts: Opponents, scripts or bots, each of which is met on every seed and from every side; none in a world
            without opponents.
    """

    metric: str
    scripts: tuple[str, ...] = ()


def score_rule(venue: Venue, metric: str | None = None, scripts: Sequence[str] | None = None) -> ScoreRule:
    """Return the rule of a metric; by default the result against scripts, or the first rising headline metric.

    Args:
        venue: Where episodes are played.
        metric: A metric of the world whose larger values are better, or `return_PROFILE`.
        scripts: Opponents of a world that has some; all of its scripts by default. With a metric they are ignored:
            the configuration then says who plays.

    Raises:
        UnknownName: There is no such metric.
        ConfigError: Larger values of it are not better, or the world has no metric to choose.
    """
    world, spec = venue.world, venue.spec
    rising = [known.key for known in spec.metrics if known.better is Better.HIGHER]
    returns = [f"{_RETURN}{profile}" for profile in venue.profile_configs()]
    if metric is None:
        if world.matches is not None:
            chosen = world.matches.scripts if scripts is None else tuple(scripts)
            return ScoreRule(metric=world.matches.result_metric, scripts=chosen)
        candidates = [*(key for key in spec.headline if key in rising), *returns]
        if not candidates:
            raise ConfigError(
                f"{world.id!r} has no headline metric and no return of which more is better; name a metric",
                code="metric_missing",
                world=world.id,
            )
        return ScoreRule(metric=candidates[0])
    if metric not in spec.metric_keys and metric not in returns:
        raise UnknownName.among(f"metric of {world.id!r}", metric, (*rising, *returns), code="unknown_metric")
    if metric not in rising and metric not in returns:
        raise ConfigError(
            f"{metric!r} of {world.id!r} does not say that more is better; use one of {', '.join((*rising, *returns))}",
            code="metric_does_not_rise",
            metric=metric,
        )
    return ScoreRule(metric=metric)


def score_episodes(
    venue: Venue,
    contender: Contender,
    rule: ScoreRule,
    seeds: Sequence[int],
    *,
    max_decisions: int,
    progress: Progress,
) -> F64:
    """Let a contender play every seed and return one score per seed, in their order.

    A score is the mean over the seats (or the agents that came and went) of the episode; with scripts, over all scripts
    and sides, by the first seat's result.
    """
    if not rule.scripts:
        records = play_episodes(venue, contender, seeds, max_decisions=max_decisions, progress=progress)
        return scores_of(records, rule.metric, seeds)
    scores = []
    for script in rule.scripts:
        results = match_results(venue, contender, script, seeds, progress=progress)
        scores.append(_by_seed(results, seeds))
    return np.asarray(np.mean(scores, axis=0))


def scores_of(records: Iterable[EpisodeRecord], metric: str, seeds: Sequence[int]) -> F64:
    """Return the mean of a metric, or of `return_PROFILE`, over the seats of every seed's episode."""
    return _by_seed(((record.seed, _value(record, metric)) for record in records), seeds)


def _by_seed(found: Iterable[tuple[int, float]], seeds: Sequence[int]) -> F64:
    values: dict[int, list[float]] = {seed: [] for seed in seeds}
    for seed, value in found:
        values[seed].append(value)
    return np.array([np.mean(values[seed]) for seed in seeds])


def _value(record: EpisodeRecord, metric: str) -> float:
    if metric in record.metrics:
        return record.metrics[metric]
    return record.returns[metric.removeprefix(_RETURN)]
