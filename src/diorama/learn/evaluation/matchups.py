"""Matchups: a contender against scripted opponents, in worlds with several sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.matches import EvaluationSuite, MatchRules
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.engine.players import Contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import PendingEpisodes, Progress, SubmitEpisodes, submit_locally
from diorama.learn.evaluation.opposition import Opposition
from diorama.learn.evaluation.summary import EpisodeRecord

_Z95: Final = 1.959963984540054
_SEATED_SIDES: Final = (0, 1)  # sides from which a contender meets a bot


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
        results.append(_summarize(suite, script, "", _Played.of(pending, rules, progress)))
    return results


def match_results(
    venue: Venue, contender: Contender, opponent: str, seeds: Sequence[int], *, progress: Progress
) -> list[tuple[int, float]]:
    """Let a contender play one opponent on these seeds in the venue's configuration, from every side.

    Args:
        venue: World, configuration and tier.
        contender: The player.
        opponent: A script of the world, or one of its bots, which then decides for the seats of the other sides.
        seeds: Episode seeds.
        progress: Receives the progress.

    Returns:
        The episode seed and the result of every match: 1 won, 0.5 drawn, 0 lost.

    Raises:
        ConfigError: The world has no scripted opponents, or there are no seats for a bot.
        UnknownName: There is neither such a script nor such a bot.
    """
    rules, _ = _rules_and_suite(venue.world)
    played = _Played.of(_submit_sides(submit_locally, venue, rules, contender, opponent, seeds), rules, progress)
    return [(record.seed, record.metrics[rules.result_metric]) for record in played.first_seats]


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
            played = _Played.of(submitted[script, scene.name], rules, progress)
            results.append(_summarize(suite, script, scene.name, played))
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
    opponent: str,
    seeds: Sequence[int],
) -> list[PendingEpisodes]:
    if opponent not in rules.scripts:
        mirrored = _with(venue, rules.mirrored)
        return [
            _submit(submit, mirrored, contender, seeds, Opposition(bot=opponent, side=side)) for side in _SEATED_SIDES
        ]
    return [
        _submit(submit, _with(venue, {**rules.against(opponent), **overrides}), contender, seeds)
        for overrides in rules.side_overrides(venue.config) or ({},)
    ]


def _submit(
    submit: SubmitEpisodes,
    venue: Venue,
    contender: Contender,
    seeds: Sequence[int],
    opposition: Opposition | None = None,
) -> PendingEpisodes:
    limit = venue.world.evaluation.max_decisions
    return submit(venue, contender, seeds, max_decisions=limit, opposition=opposition)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """Matches against one opponent.

    Attributes:
        rules: Of the world.
        seats: A record of every seat of the contender.
        first_seats: That of its first seat in every match.
    """

    rules: MatchRules[WorldConfig]
    seats: list[EpisodeRecord]
    first_seats: list[EpisodeRecord]

    @classmethod
    def of(cls, pending: Sequence[PendingEpisodes], rules: MatchRules[WorldConfig], progress: Progress) -> Self:
        """Wait for the episodes, submission by submission."""
        seats: list[EpisodeRecord] = []
        first_seats: list[EpisodeRecord] = []
        for read in pending:
            records = read(progress)
            seats += records
            # Seats of a match stand in order, so the first one is written last.
            first = {record.seed: record for record in reversed(records)}
            first_seats += reversed(first.values())
        return cls(rules=rules, seats=seats, first_seats=first_seats)


def _summarize(suite: EvaluationSuite, script: str, scene: str, played: _Played) -> MatchupResult:
    records, first_seats, rules = played.seats, played.first_seats, played.rules

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
