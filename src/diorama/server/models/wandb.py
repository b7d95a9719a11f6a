"""Answers of the Weights & Biases proxy."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer, JsonObject


class TrackerScope(Answer):
    """Where runs are looked for."""

    entity: str | None
    project: str | None


class CacheFigures(Answer):
    """How the cache has served."""

    ttl_seconds: float
    entries: int
    hits: int
    misses: int
    expired: int
    sets: int
    hit_rate: float | None = Field(description="Hits per lookup; null before the first.")


class OperationFigures(Answer):
    """How one kind of question has been answered by its source."""

    calls: int
    errors: int
    latency_ms_total: float
    latency_ms_avg: float


class TrackerOperations(Answer):
    """All kinds of questions."""

    list_runs: OperationFigures
    run_summary: OperationFigures
    run_history: OperationFigures


class TrackerStatus(Answer):
    """Whether the tracker can be asked, and how it has been."""

    available: bool
    reason: str | None = Field(description="Why it is not available, or why answers come from the disk.")
    source: Literal["online", "offline"] | None = Field(
        description="`online` asks the service, `offline` reads the runs it has not been sent yet."
    )
    offline_runs: int = Field(description="Runs below the runs root that were logged offline.")
    defaults: TrackerScope
    cache: CacheFigures
    operations: TrackerOperations
    notes: list[str]


class TrackedRun(Answer):
    """One run in a list."""

    run_id: str
    name: str
    state: str
    url: str | None
    created_at: str | None
    updated_at: str | None
    summary_preview: JsonObject


class LatestTrackedRuns(Answer):
    """The newest runs of a project."""

    entity: str | None
    project: str | None
    count: int
    runs: list[TrackedRun]


class TrackedRunDetail(Answer):
    """One run with everything that is known about it but its history."""

    run_id: str
    name: str
    state: str
    url: str | None
    created_at: str | None
    updated_at: str | None
    config: JsonObject
    summary: JsonObject


class TrackedSummary(Answer):
    """The answer about one run."""

    entity: str | None
    project: str | None
    run: TrackedRunDetail


class History(Answer):
    """Logged rows, oldest first, evenly thinned out to the number that was asked for."""

    keys: list[str] = Field(description="What was asked for; empty for everything.")
    count: int
    rows: list[JsonObject]


class TrackedHistory(History):
    """The history of one run."""

    entity: str | None
    project: str | None
    run_id: str


class IterationView(Answer):
    """A run, the rows of its windows and the newest figures."""

    entity: str | None
    project: str | None
    run_id: str
    run: TrackedRunDetail
    history: History
    kpis: JsonObject
