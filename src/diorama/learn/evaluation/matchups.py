"""Matchups: a contender against scripted opponents, in worlds with several sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.matches import EvaluationSuite, MatchRules
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.engine.players import Contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import PendingEpisodes, Progress, SubmitEpisodes, submit_locally
from diorama.learn.evaluation.summary import EpisodeRecord

_Z95: Final = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupResult:
    """Result of a contender's matches against one opponent.

    Attributes:
        opponent: Name of the script.
        scene: Scene of the suite; empty for the configuration that the contender was trained in.
        matches: Number of matches.
        score: Mean score: 1 won, 0.5 drawn, 0 lost.
        margin: Mean of the suite's margin metric.
        survival: Share of seats that were alive at the end.
        spent: Sum of the suite's `spent` metric.
        gained: Sum of the suite's `gained` metric.
        time: Mean of the suite's time metric.
    """

    opponent: str
    scene: str
    matches: int
    score: float
    margin: float
    survival: float
    spent: float
    gained: float
    time: float

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson interval of the score."""
        return wilson_interval(self.score, self.matches)

    @property
    def spent_per_gain(self) -> float | None:
        """`spent` over `gained`; None where nothing was gained."""
        return self.spent / self.gained if self.gained else None

    def to_json(self) -> JsonObject:
        """Return the row of a report."""
        low, high = self.interval
        return {
            "opponent": self.opponent,
            "scene": self.scene,
            "battles": self.matches,
            "score": self.score,
            "interval": {"low": low, "high": high},
            "margin": self.margin,
            "survival": self.survival,
            "spent_per_gain": self.spent_per_gain,
            "time": self.time,
        }


def wilson_interval(rate: float, count: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a rate; (0, 1) without samples."""
    if count == 0:
        return 0.0, 1.0
    square = _Z95 * _Z95
    center = (rate + square / (2 * count)) / (1 + square / count)
    half = _Z95 * sqrt(rate * (1 - rate) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, center - half), min(1.0, center + half)


def select_scripts(world: World[WorldConfig], names: Sequence[str]) -> tuple[str, ...]:
    """Return the scripts of these names, or all scripts of the world without names.

    Raises:
        ConfigError: The world has no scripted opponents.
        UnknownName: The world has no such script.
    """
    rules, _ = _rules_and_suite(world)
    for name in names:
        if name not in rules.scripts:
            raise UnknownName.among(f"script of {world.id!r}", name, rules.scripts, code="unknown_script")
    return tuple(names) or rules.scripts


def evaluate_against_scripts(
    venue: Venue,
    contender: Contender,
    scripts: Sequence[str],
    seeds: Sequence[int],
    *,
    progress: Progress,
    submit: SubmitEpisodes = submit_locally,
) -> list[MatchupResult]:
    """Let a contender play each script on the same seeds in the venue's configuration, from every side.

    Raises:
        ConfigError: The world has no scripted opponents.
    """
    rules, suite = _rules_and_suite(venue.world)
    submitted = [_submit_sides(submit, venue, rules, contender, script, seeds) for script in scripts]
    results = []
    for script, pending in zip(scripts, submitted, strict=True):
        progress.begin(f"{contender.name} against {script}", len(seeds) * venue.spec.agents * len(pending))
        results.append(_summarize(rules, suite, script, "", _records(pending, progress)))
    return results


def match_records(
    venue: Venue, contender: Contender, script: str, seeds: Sequence[int], *, progress: Progress
) -> list[EpisodeRecord]:
    """Let a contender play one script on these seeds in the venue's configuration, and return all seats of all sides.

    Raises:
        ConfigError: The world has no scripted opponents.
    """
    rules, _ = _rules_and_suite(venue.world)
    return _records(_submit_sides(submit_locally, venue, rules, contender, script, seeds), progress)


def play_suite(
    venue: Venue,
    contender: Contender,
    scripts: Sequence[str],
    *,
    episodes: int | None,
    progress: Progress,
    submit: SubmitEpisodes = submit_locally,
) -> list[MatchupResult]:
    """Let a contender play each script in each scene of the world's suite, from every side.

    Args:
        venue: World and tier; its configuration gives the contender's observations and number of seats.
        contender: The player.
        scripts: The opponents.
        episodes: Seeds per scene, side and opponent; the suite's number by default.
        progress: Receives the progress.
        submit: Runs the episodes; in this process by default. All are submitted before the first result is read.

    Returns:
        One result per opponent and scene, over both sides.

    Raises:
        ConfigError: The world has no scripted opponents.
    """
    rules, suite = _rules_and_suite(venue.world)
    count = suite.episodes if episodes is None else episodes
    seeds = range(suite.first_seed, suite.first_seed + count)
    submitted = {
        (script, scene.name): [
            _submit(submit, _with(venue, {**side, **rules.against(script)}), contender, seeds) for side in scene.sides
        ]
        for script in scripts
        for scene in suite.scenes
    }
    results = []
    for script in scripts:
        progress.begin(f"{contender.name} against {script}", len(suite.scenes) * 2 * count * venue.spec.agents)
        for scene in suite.scenes:
            records = _records(submitted[script, scene.name], progress)
            results.append(_summarize(rules, suite, script, scene.name, records))
    return results


def merge_scenes(results: Sequence[MatchupResult]) -> list[MatchupResult]:
    """Return one result per opponent over all scenes, in the order in which opponents first appear."""
    names = list(dict.fromkeys(item.opponent for item in results))
    return [_merge([item for item in results if item.opponent == name]) for name in names]


def _merge(parts: Sequence[MatchupResult]) -> MatchupResult:
    matches = sum(part.matches for part in parts)

    def mean(values: Sequence[float]) -> float:
        return sum(value * part.matches for value, part in zip(values, parts, strict=True)) / max(1, matches)

    return MatchupResult(
        opponent=parts[0].opponent,
        scene="all",
        matches=matches,
        score=mean([part.score for part in parts]),
        margin=mean([part.margin for part in parts]),
        survival=mean([part.survival for part in parts]),
        spent=sum(part.spent for part in parts),
        gained=sum(part.gained for part in parts),
        time=mean([part.time for part in parts]),
    )


def _submit_sides(
    submit: SubmitEpisodes,
    venue: Venue,
    rules: MatchRules[WorldConfig],
    contender: Contender,
    script: str,
    seeds: Sequence[int],
) -> list[PendingEpisodes]:
    return [
        _submit(submit, _with(venue, {**rules.against(script), **overrides}), contender, seeds)
        for overrides in rules.side_overrides(venue.config) or ({},)
    ]


def _submit(submit: SubmitEpisodes, venue: Venue, contender: Contender, seeds: Sequence[int]) -> PendingEpisodes:
    return submit(venue, contender, seeds, max_decisions=venue.world.evaluation.max_decisions)


def _records(pending: Sequence[PendingEpisodes], progress: Progress) -> list[EpisodeRecord]:
    return [record for read in pending for record in read(progress)]


def _summarize(
    rules: MatchRules[WorldConfig], suite: EvaluationSuite, script: str, scene: str, records: Sequence[EpisodeRecord]
) -> MatchupResult:
    first_seats = [record for record in records if record.seat == 0]

    def mean(of: Sequence[EpisodeRecord], metric: str) -> float:
        return sum(record.metrics[metric] for record in of) / max(1, len(of))

    return MatchupResult(
        opponent=script,
        scene=scene,
        matches=len(first_seats),
        score=mean(first_seats, rules.result_metric),
        margin=mean(first_seats, suite.margin),
        survival=mean(records, suite.survival),
        spent=sum(record.metrics[suite.spent] for record in records),
        gained=sum(record.metrics[suite.gained] for record in records),
        time=mean(first_seats, suite.time),
    )


def _with(venue: Venue, overrides: Mapping[str, object]) -> Venue:
    world = venue.world
    given = {**venue.config.model_dump(), **overrides}
    return Venue(
        world=world, config=parse_config(world.id, world.config_type, given), tier=venue.tier, threads=venue.threads
    )


def _rules_and_suite(world: World[WorldConfig]) -> tuple[MatchRules[WorldConfig], EvaluationSuite]:
    if world.matches is None or world.suite is None:
        raise ConfigError(f"{world.id!r} has no scripted opponents", code="no_scripted_opponents", world=world.id)
    return world.matches, world.suite
