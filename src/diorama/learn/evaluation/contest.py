"""Contests: contenders on equal episodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.tiers import Tier
from diorama.engine.players import Contender, ContenderKind
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import Asking, Played, Progress, ask_here
from diorama.learn.evaluation.summary import EpisodeRecord, Summary, summarize

_SEEDS_PER_MATRIX_SEED: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSet:
    """Episode seeds that are reported together; `label` is the seed they are derived from."""

    label: int
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedReport:
    """What a contender did on one seed set."""

    label: int
    records: tuple[EpisodeRecord, ...]
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class ContenderResult:
    """What a contender did on all seed sets."""

    name: str
    kind: ContenderKind
    seed_reports: tuple[SeedReport, ...]
    aggregate: Summary

    @property
    def records(self) -> tuple[EpisodeRecord, ...]:
        """All episodes, in the order of the seeds."""
        return tuple(record for report in self.seed_reports for record in report.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """All contenders on the same seeds.

    Attributes:
        venue: Where they played.
        seed_sets: What they played.
        max_decisions: Guard per episode.
        results: One per contender, in the order they were given.
        tier_selected: The tier that ran.
        tier_fallback_reason: Why `auto` fell back to the reference; None if it did not.
    """

    venue: Venue
    seed_sets: tuple[SeedSet, ...]
    max_decisions: int
    results: tuple[ContenderResult, ...]
    tier_selected: Tier
    tier_fallback_reason: str | None

    @property
    def guard_truncated(self) -> int:
        """Episodes of all contenders that the guard cut off."""
        return sum(result.aggregate.guard_truncated for result in self.results)


def consecutive_seeds(base_seed: int, episodes: int) -> SeedSet:
    """Return the seeds base_seed, base_seed + 1, and so on."""
    return SeedSet(label=base_seed, seeds=tuple(range(base_seed, base_seed + _checked(episodes))))


def seed_matrix(matrix_seeds: Sequence[int], episodes: int) -> tuple[SeedSet, ...]:
    """Return a set per matrix seed; sets of different matrix seeds have no seed in common."""
    if _checked(episodes) > _SEEDS_PER_MATRIX_SEED:
        raise ConfigError(f"episodes is {episodes}; a matrix seed has {_SEEDS_PER_MATRIX_SEED} seeds to give")
    return tuple(
        SeedSet(label=seed, seeds=tuple(seed * _SEEDS_PER_MATRIX_SEED + i for i in range(episodes)))
        for seed in matrix_seeds
    )


def hold_contest(
    venue: Venue,
    contenders: Sequence[Contender],
    seed_sets: Sequence[SeedSet],
    *,
    max_decisions: int,
    progress: Progress,
    ask: Asking = ask_here,
) -> Contest:
    """Let every contender play every seed set.

    Args:
        venue: Where they play.
        contenders: Who plays.
        seed_sets: What everybody plays.
        max_decisions: Guard per episode.
        progress: Told how it advances.
        ask: Where episodes are played; here unless given. All are asked for before the first is waited for.

    Raises:
        ConfigError: There is nobody to play, a name appears twice, or the guard leaves no decision.
    """
    check_contenders(contenders)
    if max_decisions < 1:
        raise ConfigError(f"the guard of {max_decisions} decisions leaves nothing to play; use 1 or more")
    facts = venue.probe()
    asked = [
        [ask(venue, contender, seed_set.seeds, max_decisions=max_decisions) for seed_set in seed_sets]
        for contender in contenders
    ]
    results = [
        _judge(venue, contender, seed_sets, played, progress)
        for contender, played in zip(contenders, asked, strict=True)
    ]
    return Contest(
        venue=venue,
        seed_sets=tuple(seed_sets),
        max_decisions=max_decisions,
        results=tuple(results),
        tier_selected=facts.tier_selected,
        tier_fallback_reason=facts.tier_fallback_reason,
    )


def _judge(
    venue: Venue, contender: Contender, seed_sets: Sequence[SeedSet], asked: Sequence[Played], progress: Progress
) -> ContenderResult:
    protocol = venue.world.evaluation
    progress.begin(contender.name, sum(len(seed_set.seeds) for seed_set in seed_sets))
    reports = []
    for seed_set, played in zip(seed_sets, asked, strict=True):
        records = played(progress)
        summary = summarize(records, protocol.summaries)
        reports.append(SeedReport(label=seed_set.label, records=tuple(records), summary=summary))
    everything = [record for report in reports for record in report.records]
    aggregate = summarize(everything, protocol.summaries, interval_names=protocol.interval_summaries)
    return ContenderResult(name=contender.name, kind=contender.kind, seed_reports=tuple(reports), aggregate=aggregate)


def check_contenders(contenders: Sequence[Contender]) -> None:
    """Refuse a contest without contenders, or with two of one name.

    Raises:
        ConfigError: With the name.
    """
    names = [contender.name for contender in contenders]
    if not names:
        raise ConfigError("there is nobody to evaluate; name at least one contender")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ConfigError(f"contender named twice: {', '.join(repeated)}")


def _checked(episodes: int) -> int:
    if episodes < 1:
        raise ConfigError(f"episodes is {episodes}; use 1 or more")
    return episodes
