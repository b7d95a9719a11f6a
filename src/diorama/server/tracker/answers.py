"""From what a tracker holds to what the proxy answers."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from pydantic import JsonValue

from diorama.server.models.base import JsonObject
from diorama.server.models.wandb import (
    History,
    IterationView,
    LatestTrackedRuns,
    TrackedHistory,
    TrackedRun,
    TrackedRunDetail,
    TrackedSummary,
)
from diorama.server.tracker.client import TrackedRecord
from diorama.server.tracker.questions import ITERATION_KEYS, HistoryQuestion, Scope

_PREVIEW_KEYS: Final = 12


def latest_of(scope: Scope, records: Sequence[TrackedRecord]) -> LatestTrackedRuns:
    """Return a list of runs."""
    rows = [
        TrackedRun(
            run_id=record.run_id,
            name=record.name,
            state=record.state,
            url=record.url,
            created_at=record.created_at,
            updated_at=record.updated_at,
            summary_preview=_preview(record.summary),
        )
        for record in records
    ]
    return LatestTrackedRuns(entity=scope.entity, project=scope.project, count=len(rows), runs=rows)


def summary_of(scope: Scope, record: TrackedRecord) -> TrackedSummary:
    """Return one run."""
    return TrackedSummary(
        entity=scope.entity or record.entity, project=scope.project or record.project, run=_detail(record)
    )


def selected_rows(rows: Sequence[JsonObject], question: HistoryQuestion) -> list[JsonObject]:
    """Return the rows that say something about the wanted columns, evenly thinned out, the last one among them."""
    if question.keys:
        told = [key for key in question.keys if key != "_step"] or list(question.keys)
        rows = [row for row in rows if any(row.get(key) is not None for key in told)]
    if len(rows) > question.max_points:
        # Counted from the end, so that the newest row is always shown.
        places = np.linspace(len(rows) - 1, 0, question.max_points).round().astype(int)[::-1]
        rows = [rows[place] for place in places.tolist()]
    if not question.keys:
        return list(rows)
    return [{key: row.get(key) for key in question.keys} for row in rows]


def history_of(scope: Scope, question: HistoryQuestion, rows: list[JsonObject]) -> TrackedHistory:
    """Return rows of a run."""
    return TrackedHistory(
        entity=scope.entity,
        project=scope.project,
        run_id=question.run_id,
        keys=list(question.keys),
        count=len(rows),
        rows=rows,
    )


def iteration_view_of(
    scope: Scope, record: TrackedRecord, question: HistoryQuestion, rows: list[JsonObject]
) -> IterationView:
    """Return a run, rows of it and the newest figures: those of the last row, or else of the summary."""
    last = rows[-1] if rows else {}
    kpis: JsonObject = {key: _first_known(last.get(key), record.summary.get(key)) for key in question.keys}
    return IterationView(
        entity=scope.entity or record.entity,
        project=scope.project or record.project,
        run_id=question.run_id,
        run=_detail(record),
        history=History(keys=list(question.keys), count=len(rows), rows=rows),
        kpis=kpis,
    )


def _detail(record: TrackedRecord) -> TrackedRunDetail:
    return TrackedRunDetail(
        run_id=record.run_id,
        name=record.name,
        state=record.state,
        url=record.url,
        created_at=record.created_at,
        updated_at=record.updated_at,
        config=record.config,
        summary=record.summary,
    )


def _preview(summary: JsonObject) -> JsonObject:
    """Return a few figures: those everybody looks at first, then other single values."""
    known = [key for key in ITERATION_KEYS if key in summary]
    single = [
        key
        for key, value in summary.items()
        if key not in known and not key.startswith("_") and isinstance(value, int | float | str)
    ]
    return {key: summary[key] for key in (known + single)[:_PREVIEW_KEYS]}


def _first_known(*values: JsonValue) -> JsonValue:
    return next((value for value in values if value is not None), None)
