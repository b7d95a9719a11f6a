"""Contests: several contenders on the same episode seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.tiers import Tier
from diorama.engine.players import Contender, ContenderKind
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import PendingEpisodes, Progress, SubmitEpisodes, submit_locally
from diorama.learn.evaluation.summary import EpisodeRecord, Summary, summarize

_SEEDS_PER_MATRIX_SEED: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSet:
    """Episode seeds that are reported together; `label` is the seed that they are derived from."""

    label: int
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedReport:
    """Episodes and summary of a contender on one seed set."""

    label: int
    records: tuple[EpisodeRecord, ...]
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class ContenderResult:
    """Episodes and summaries of a contender on all seed sets."""

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
    """Results of all contenders on the same seeds.

    Attributes:
        venue: World, configuration and tier.
        seed_sets: Seeds of the episodes.
        max_decisions: Limit of decisions per episode.
        results: One per contender, in the given order.
        tier_selected: The tier that ran.
        tier_fallback_reason: Why `auto` fell back to the reference tier; None if it did not.
    """

    venue: Venue
    seed_sets: tuple[SeedSet, ...]
    max_decisions: int
    results: tuple[ContenderResult, ...]
    tier_selected: Tier
    tier_fallback_reason: str | None

    @property
    def guard_truncated(self) -> int:
        """Number of episodes that the limit of decisions cut off, over all contenders."""
        return sum(result.aggregate.guard_truncated for result in self.results)


def consecutive_seeds(base_seed: int, episodes: int) -> SeedSet:
    """Return the seeds base_seed, base_seed + 1, and so on.

    Raises:
        ConfigError: There are no episodes.
    """
    return SeedSet(label=base_seed, seeds=tuple(range(base_seed, base_seed + _checked(episodes))))


def seed_matrix(matrix_seeds: Sequence[int], episodes: int) -> tuple[SeedSet, ...]:
    """Return one seed set per matrix seed; no two sets share a seed.

    Raises:
        ConfigError: There are no episodes, or more than a matrix seed has seeds.
    """
    if _checked(episodes) > _SEEDS_PER_MATRIX_SEED:
        raise ConfigError(
            f"episodes is {episodes}; use at most {_SEEDS_PER_MATRIX_SEED}, the number of seeds per matrix seed",
            code="episodes_out_of_range",
            episodes=episodes,
            most=_SEEDS_PER_MATRIX_SEED,
        )
    return tuple(
        SeedSet(label=seed, seeds=tuple(seed * _SEEDS_PER_MATRIX_SEED + i for i in range(episodes)))
        for seed in matrix_seeds
    )


def run_contest(
    venue: Venue,
    contenders: Sequence[Contender],
    seed_sets: Sequence[SeedSet],
    *,
    max_decisions: int,
    progress: Progress,
    submit: SubmitEpisodes = submit_locally,
) -> Contest:
    """Let every contender play every seed set.

    Args:
        venue: World, configuration and tier.
        contenders: The players.
        seed_sets: Seeds of the episodes.
        max_decisions: Limit of decisions per episode.
        progress: Receives the progress.
        submit: Runs the episodes; in this process by default. All are submitted before the first result is read.

    Raises:
        ConfigError: There are no contenders, a name appears twice, or `max_decisions` is below 1.
    """
    check_contenders(contenders)
    if max_decisions < 1:
        raise ConfigError(
            f"the limit of {max_decisions} decisions per episode is too small; use 1 or more",
            code="max_decisions_out_of_range",
            max_decisions=max_decisions,
        )
    facts = venue.probe()
    submitted = [
        [submit(venue, contender, seed_set.seeds, max_decisions=max_decisions) for seed_set in seed_sets]
        for contender in contenders
    ]
    results = [
        _result(venue, contender, seed_sets, pending, progress)
        for contender, pending in zip(contenders, submitted, strict=True)
    ]
    return Contest(
        venue=venue,
        seed_sets=tuple(seed_sets),
        max_decisions=max_decisions,
        results=tuple(results),
        tier_selected=facts.tier_selected,
        tier_fallback_reason=facts.tier_fallback_reason,
    )


def _result(
    venue: Venue,
    contender: Contender,
    seed_sets: Sequence[SeedSet],
    pending: Sequence[PendingEpisodes],
    progress: Progress,
) -> ContenderResult:
    protocol = venue.world.evaluation
    progress.begin(contender.name, sum(len(seed_set.seeds) for seed_set in seed_sets))
    reports = []
    for seed_set, read in zip(seed_sets, pending, strict=True):
        records = read(progress)
        summary = summarize(records, protocol.summaries)
        reports.append(SeedReport(label=seed_set.label, records=tuple(records), summary=summary))
    all_records = [record for report in reports for record in report.records]
    aggregate = summarize(all_records, protocol.summaries, interval_names=protocol.interval_summaries)
    return ContenderResult(name=contender.name, kind=contender.kind, seed_reports=tuple(reports), aggregate=aggregate)


def check_contenders(contenders: Sequence[Contender]) -> None:
    """Check that there are contenders and that their names differ.

    Raises:
        ConfigError: There are none, or a name appears twice.
    """
    names = [contender.name for contender in contenders]
    if not names:
        raise ConfigError("there are no contenders to evaluate; name at least one", code="no_contenders")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ConfigError(
            f"contender named twice: {', '.join(repeated)}", code="contender_repeated", names=tuple(repeated)
        )


def _checked(episodes: int) -> int:
    if episodes < 1:
        raise ConfigError(f"episodes is {episodes}; use 1 or more", code="episodes_out_of_range", episodes=episodes)
    return episodes
