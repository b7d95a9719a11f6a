"""The two sources that lie at the tracker."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from diorama.contracts.errors import ConfigError, DioramaError, MissingExtra, UnknownName
from diorama.runs.documents import RawObject
from diorama.server.completeness.findings import Finding, Origin, SourceKey
from diorama.server.completeness.question import CompletenessQuestion
from diorama.server.errors import NotAvailable
from diorama.server.tracker.questions import HistoryQuestion
from diorama.server.tracker.service import TrackerService

Mode = Literal["disabled", "offline", "online"]

_FIELDS: Final = ("window_id", "env_steps_total", "reward_mean", "return_mean")
_DISABLED: Final = "the run was not logged to a tracker"
_ABSENT: Final = (UnknownName, NotAvailable, ConfigError, MissingExtra)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedPlace:
    """How a run was logged; `run_id` is None where it was not."""

    mode: Mode
    run_id: str | None


def tracked_place(question: CompletenessQuestion, config: RawObject, wandb_run_url: object) -> TrackedPlace:
    """Find out how a run was logged, from its own configuration; a caller who names a run knows better."""
    told = config.get("telemetry")
    mode = told.get("wandb_mode") if isinstance(told, dict) else None
    if question.tracked_run_id is not None:
        return TrackedPlace(mode="offline" if mode == "offline" else "online", run_id=question.tracked_run_id)
    if mode == "offline":
        return TrackedPlace(mode="offline", run_id=question.run_id)
    if mode == "online" or isinstance(wandb_run_url, str):
        return TrackedPlace(mode="online", run_id=question.run_id)
    return TrackedPlace(mode="disabled", run_id=None)


async def summary_finding(tracker: TrackerService, place: TrackedPlace, question: CompletenessQuestion) -> Finding:
    """Look at the summary of the run."""
    empty = _finding("wandb_summary", "Tracker summary", place, "summary")
    if place.run_id is None:
        return replace(empty, not_configured=_DISABLED)
    try:
        run = (await tracker.summary(question.scope, place.run_id)).run
    except DioramaError as error:
        return _failed(empty, error)
    return replace(
        empty, newest=run.summary or None, observed_count=len(run.summary), updated_at=run.updated_at or run.created_at
    )


async def history_finding(tracker: TrackerService, place: TrackedPlace, question: CompletenessQuestion) -> Finding:
    """Look at the rows of the run."""
    empty = _finding("wandb_history", "Tracker history", place, "history")
    if place.run_id is None:
        return replace(empty, not_configured=_DISABLED)
    asked = HistoryQuestion(run_id=place.run_id, max_points=question.history_max_points)
    try:
        rows = (await tracker.history(question.scope, asked)).rows
        run = (await tracker.summary(question.scope, place.run_id)).run
    except DioramaError as error:
        return _failed(empty, error)
    return replace(
        empty,
        newest=rows[-1] if rows else None,
        observed_count=len(rows),
        updated_at=run.updated_at or run.created_at,
    )


def _finding(key: SourceKey, label: str, place: TrackedPlace, part: str) -> Finding:
    path = None if place.run_id is None else f"{place.run_id}/{part}"
    return Finding(
        key=key, label=label, origin=Origin.TRACKER, path=path, required=_FIELDS, absence="the tracker has no rows"
    )


def _failed(empty: Finding, error: DioramaError) -> Finding:
    if isinstance(error, _ABSENT):
        return replace(empty, absence=str(error))
    return replace(empty, problem=str(error))
