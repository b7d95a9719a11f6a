"""The status page of the tracker: what it can do, how it has served, and what deserves a look."""

from dataclasses import dataclass
from typing import Final, Literal

from diorama.server.models.wandb import CacheFigures, TrackerScope, TrackerStatus
from diorama.server.tracker.cache import AnswerCache
from diorama.server.tracker.operations import OperationMeter
from diorama.server.tracker.questions import Scope

_SHORT_TTL_SECONDS: Final = 10.0
_POOR_HIT_RATE: Final = 0.2
_ENOUGH_LOOKUPS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusFacts:
    """Whether the tracker can be asked, and where it would look."""

    source: Literal["online", "offline"] | None
    reason: str | None
    offline_runs: int
    defaults: Scope


def status_of(facts: StatusFacts, cache: AnswerCache[object], meter: OperationMeter) -> TrackerStatus:
    """Return the status page."""
    counts = cache.counts
    return TrackerStatus(
        available=facts.source is not None,
        reason=facts.reason,
        source=facts.source,
        offline_runs=facts.offline_runs,
        defaults=TrackerScope(entity=facts.defaults.entity, project=facts.defaults.project),
        cache=CacheFigures(
            ttl_seconds=cache.ttl_seconds,
            entries=len(cache),
            hits=counts.hits,
            misses=counts.misses,
            expired=counts.expired,
            sets=counts.sets,
            hit_rate=counts.hit_rate,
        ),
        operations=meter.figures(),
        notes=[*_source_notes(facts), *_cache_notes(cache), *meter.failing()],
    )


def _source_notes(facts: StatusFacts) -> list[str]:
    notes = []
    if facts.source is None:
        notes.append(f"the tracker is not available: {facts.reason}")
    if facts.source == "offline":
        notes.append("answers come from runs that were logged offline")
    if facts.defaults.entity is None or facts.defaults.project is None:
        notes.append("there is no default scope: set DIORAMA_WANDB_ENTITY and DIORAMA_WANDB_PROJECT")
    return notes


def _cache_notes(cache: AnswerCache[object]) -> list[str]:
    if not cache.is_on:
        return ["the cache is off: every question goes to the tracker"]
    notes = []
    if cache.ttl_seconds < _SHORT_TTL_SECONDS:
        notes.append(f"answers are kept for {cache.ttl_seconds:g} s only; use {_SHORT_TTL_SECONDS:g} s or more")
    rate = cache.counts.hit_rate
    if rate is not None and cache.counts.lookups >= _ENOUGH_LOOKUPS and rate < _POOR_HIT_RATE:
        notes.append(f"the cache answers {rate:.0%} of {cache.counts.lookups} questions; keep answers longer")
    return notes
