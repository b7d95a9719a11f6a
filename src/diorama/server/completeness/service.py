"""`CompletenessService`: looks at all sources of a run at once."""

import asyncio
from dataclasses import dataclass

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.clock import Clock, SystemClock, timestamp
from diorama.runs.documents import RawObject
from diorama.runs.layout import RunLayout
from diorama.server.completeness.findings import Finding, counted, worst
from diorama.server.completeness.local import metadata_finding, replays_finding, window_fields, windows_finding
from diorama.server.completeness.question import CompletenessQuestion
from diorama.server.completeness.tracked import TrackedPlace, history_finding, summary_finding, tracked_place
from diorama.server.models.completeness import Completeness, RunContext, TrackerContext
from diorama.server.reading.shelf import RunShelf
from diorama.server.tracker.service import TrackerService


@dataclass(frozen=True, slots=True, kw_only=True)
class _Local:
    layout: RunLayout
    metadata: RawObject
    place: TrackedPlace
    findings: tuple[Finding, ...]


class CompletenessService:
    """Says which sources of analytics a run has; a broken source is a finding, not an error."""

    def __init__(self, runs: RunShelf, tracker: TrackerService, clock: Clock | None = None) -> None:
        """Know where runs lie and whom to ask; `clock` says what time it is."""
        self._runs = runs
        self._tracker = tracker
        self._clock = clock or SystemClock()

    async def assess(self, question: CompletenessQuestion) -> Completeness:
        """Look at every source.

        Raises:
            UnknownName: There is no such run.
        """
        local = await asyncio.to_thread(self._look, question)
        tracked = await asyncio.gather(
            summary_finding(self._tracker, local.place, question),
            history_finding(self._tracker, local.place, question),
        )
        now = self._clock.now()
        rows = [finding.judged(now, question.stale_after_seconds) for finding in (*local.findings, *tracked)]
        return Completeness(
            run_id=question.run_id,
            generated_at=timestamp(now),
            stale_after_seconds=question.stale_after_seconds,
            overall_status=worst(rows),
            status_counts=counted(rows),
            sources=rows,
            run_context=_context(local.layout, local.metadata),
            wandb_scope=await self._scope(local.place, question),
        )

    def _look(self, question: CompletenessQuestion) -> _Local:
        layout = self._runs.find(question.run_id)
        found, metadata = metadata_finding(self._runs, layout)
        windows = windows_finding(layout, window_fields(metadata.get("world")))
        return _Local(
            layout=layout,
            metadata=metadata,
            place=tracked_place(question, self._config(layout), metadata.get("wandb_run_url")),
            findings=(found, windows, replays_finding(self._runs, layout)),
        )

    def _config(self, layout: RunLayout) -> RawObject:
        try:
            return self._runs.config(layout)
        except (UnknownName, DocumentError):
            return {}

    async def _scope(self, place: TrackedPlace, question: CompletenessQuestion) -> TrackerContext:
        status = await self._tracker.status()
        return TrackerContext(
            mode=place.mode,
            run_id=place.run_id,
            entity=question.scope.entity or status.defaults.entity,
            project=question.scope.project or status.defaults.project,
            source=status.source,
        )


def _context(layout: RunLayout, metadata: RawObject) -> RunContext:
    known = {name: metadata.get(name) for name in RunContext.model_fields if name not in ("run_id", "metadata_path")}
    return RunContext(run_id=layout.run_id, metadata_path=layout.relative(layout.metadata), **known)
