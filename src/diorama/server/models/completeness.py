"""The answer about how complete the record of a run is."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer

SourceStatus = Literal["error", "missing", "stale", "ok", "not_configured"]
OverallStatus = Literal["error", "missing", "stale", "ok"]


class Lineage(Answer):
    """Where the facts come from."""

    source: str
    path: str | None
    updated_at: str | None


class SourceRow(Answer):
    """One source of analytics."""

    key: Literal["run_metadata", "window_metrics", "replay_timeline", "wandb_summary", "wandb_history"]
    label: str
    status: SourceStatus
    observed_count: int
    required_fields: list[str]
    missing_fields: list[str]
    lineage: Lineage
    notes: list[str]


class StatusCounts(Answer):
    """How many sources have each status."""

    error: int
    missing: int
    stale: int
    ok: int
    not_configured: int


class RunContext(Answer):
    """What the run says about itself; nulls where its metadata cannot be read."""

    run_id: str
    world: str | None
    trainer_backend: str | None
    status: str | None
    started_at: str | None
    updated_at: str | None
    finished_at: str | None
    metadata_path: str
    metrics_windows_path: str | None
    replay_index_path: str | None
    checkpoints_dir: str | None
    config_path: str | None
    wandb_run_url: str | None
    constellation_url: str | None


class TrackerContext(Answer):
    """Where the tracker was asked."""

    mode: Literal["disabled", "offline", "online"]
    run_id: str | None
    entity: str | None
    project: str | None
    source: Literal["online", "offline"] | None


class Completeness(Answer):
    """Which sources of analytics a run has."""

    run_id: str
    generated_at: str
    stale_after_seconds: int
    overall_status: OverallStatus = Field(description="The worst of the sources that are configured.")
    status_counts: StatusCounts
    sources: list[SourceRow]
    run_context: RunContext
    wandb_scope: TrackerContext
