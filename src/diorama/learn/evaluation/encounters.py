"""Encounters with scripted opponents in worlds of several sides."""

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
from diorama.learn.evaluation.episodes import Asking, Played, Progress, ask_here
from diorama.learn.evaluation.summary import EpisodeRecord

_Z95: Final = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """What battles of a contender against one opponent come to.

    Attributes:
        opponent: The script.
        scene: Where; empty for the configuration the contender was trained in.
        battles: How many were fought.
        score: Mean result: 1 won, 0.5 drawn, 0 lost.
        margin: Mean of the suite's margin.
        survival: Share of seats that were there at the end.
        spent: Sum over all battles.
        gained: Sum over all battles.
        time: Mean.
    """

    opponent: str
    scene: str
    battles: int
    score: float
    margin: float
    survival: float
    spent: float
    gained: float
    time: float

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson interval of the score."""
        return wilson_interval(self.score, self.battles)

    @property
    def spent_per_gain(self) -> float | None:
        """None where nothing was gained."""
        return self.spent / self.gained if self.gained else None

    def to_json(self) -> JsonObject:
        """Return the row of a report."""
        low, high = self.interval
        return {
            "opponent": self.opponent,
            "scene": self.scene,
            "battles": self.battles,
            "score": self.score,
            "interval": {"low": low, "high": high},
            "margin": self.margin,
            "survival": self.survival,
            "spent_per_gain": self.spent_per_gain,
            "time": self.time,
        }


def wilson_interval(rate: float, count: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a rate; everything is possible where nothing was counted."""
    if count == 0:
        return 0.0, 1.0
    square = _Z95 * _Z95
    center = (rate + square / (2 * count)) / (1 + square / count)
    half = _Z95 * sqrt(rate * (1 - rate) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, center - half), min(1.0, center + half)


def chosen_scripts(world: World[WorldConfig], names: Sequence[str]) -> tuple[str, ...]:
    """Return the scripts to meet, every one if none is named.

    Raises:
        ConfigError: The world has no opponents.
        UnknownName: There is no such script.
    """
    rules, _ = _fought(world)
    for name in names:
        if name not in rules.scripts:
            raise UnknownName.among(f"script of {world.id!r}", name, rules.scripts)
    return tuple(names) or rules.scripts


def meet_scripts(
    venue: Venue,
    contender: Contender,
    scripts: Sequence[str],
    seeds: Sequence[int],
    *,
    progress: Progress,
    ask: Asking = ask_here,
) -> list[Encounter]:
    """Let a contender fight every script on the same seeds in the venue's own configuration, from every station."""
    rules, suite = _fought(venue.world)
    stations = rules.stations(venue.config) or ({},)
    asked = [
        [_ask(ask, _with(venue, {**rules.against(script), **station}), contender, seeds) for station in stations]
        for script in scripts
    ]
    found = []
    for script, battles in zip(scripts, asked, strict=True):
        progress.begin(f"{contender.name} against {script}", len(seeds) * venue.spec.agents * len(stations))
        found.append(_sum_up(rules, suite, script, "", _records(battles, progress)))
    return found


def play_suite(
    venue: Venue,
    contender: Contender,
    scripts: Sequence[str],
    *,
    episodes: int | None,
    progress: Progress,
    ask: Asking = ask_here,
) -> list[Encounter]:
    """Let a contender fight every script in every scene of the world's suite, from every side.

    Args:
        venue: What the contender sees and how many seats it has come from this configuration.
        contender: Who fights.
        scripts: Whom to meet.
        episodes: Seeds per scene, side and opponent; the suite's number by default.
        progress: Told how it advances.
        ask: Where battles are fought; here unless given. All are asked for before the first is waited for.

    Returns:
        One encounter per opponent and scene; the sides of a scene count together.
    """
    rules, suite = _fought(venue.world)
    count = suite.episodes if episodes is None else episodes
    seeds = range(suite.first_seed, suite.first_seed + count)
    asked = {
        (script, scene.name): [
            _ask(ask, _with(venue, {**side, **rules.against(script)}), contender, seeds) for side in scene.sides
        ]
        for script in scripts
        for scene in suite.scenes
    }
    found = []
    for script in scripts:
        progress.begin(f"{contender.name} against {script}", len(suite.scenes) * 2 * count * venue.spec.agents)
        for scene in suite.scenes:
            records = _records(asked[script, scene.name], progress)
            found.append(_sum_up(rules, suite, script, scene.name, records))
    return found


def joined(encounters: Sequence[Encounter]) -> list[Encounter]:
    """Return one encounter per opponent over all scenes, in the order in which opponents appear."""
    names = list(dict.fromkeys(item.opponent for item in encounters))
    return [_join([item for item in encounters if item.opponent == name]) for name in names]


def _join(parts: Sequence[Encounter]) -> Encounter:
    battles = sum(part.battles for part in parts)

    def mean(values: Sequence[float]) -> float:
        return sum(value * part.battles for value, part in zip(values, parts, strict=True)) / max(1, battles)

    return Encounter(
        opponent=parts[0].opponent,
        scene="all",
        battles=battles,
        score=mean([part.score for part in parts]),
        margin=mean([part.margin for part in parts]),
        survival=mean([part.survival for part in parts]),
        spent=sum(part.spent for part in parts),
        gained=sum(part.gained for part in parts),
        time=mean([part.time for part in parts]),
    )


def _ask(ask: Asking, venue: Venue, contender: Contender, seeds: Sequence[int]) -> Played:
    return ask(venue, contender, seeds, max_decisions=venue.world.evaluation.max_decisions)


def _records(battles: Sequence[Played], progress: Progress) -> list[EpisodeRecord]:
    return [record for played in battles for record in played(progress)]


def _sum_up(
    rules: MatchRules[WorldConfig], suite: EvaluationSuite, script: str, scene: str, records: Sequence[EpisodeRecord]
) -> Encounter:
    battles = [record for record in records if record.seat == 0]

    def mean(of: Sequence[EpisodeRecord], metric: str) -> float:
        return sum(record.metrics[metric] for record in of) / max(1, len(of))

    return Encounter(
        opponent=script,
        scene=scene,
        battles=len(battles),
        score=mean(battles, rules.result_metric),
        margin=mean(battles, suite.margin),
        survival=mean(records, suite.survival),
        spent=sum(record.metrics[suite.spent] for record in records),
        gained=sum(record.metrics[suite.gained] for record in records),
        time=mean(battles, suite.time),
    )


def _with(venue: Venue, overrides: Mapping[str, object]) -> Venue:
    world = venue.world
    given = {**venue.config.model_dump(), **overrides}
    return Venue(
        world=world, config=parse_config(world.id, world.config_type, given), tier=venue.tier, threads=venue.threads
    )


def _fought(world: World[WorldConfig]) -> tuple[MatchRules[WorldConfig], EvaluationSuite]:
    if world.matches is None or world.suite is None:
        raise ConfigError(f"{world.id!r} has no scripted opponents to meet")
    return world.matches, world.suite
