"""`Finding`: what was found at one source, and the status that follows from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, Literal

from diorama.server.models.completeness import Lineage, OverallStatus, SourceRow, SourceStatus, StatusCounts

SourceKey = Literal["run_metadata", "window_metrics", "replay_timeline", "wandb_summary", "wandb_history"]

_WORST_FIRST: Final[tuple[OverallStatus, ...]] = ("error", "missing", "stale", "ok")


class Origin(StrEnum):
    """Where facts come from."""

    RUN_DIRECTORY = "run directory"
    TRACKER = "wandb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found at one source.

    Attributes:
        newest: The newest entry, whose fields are checked; None if there is none.
        observed_count: How many entries there are.
        updated_at: When the newest was written, ISO-8601; None if that is not known.
        problem: Why the source cannot be read; None if it can.
        not_configured: Why it is not expected to be there; None if it is.
    """

    key: SourceKey
    label: str
    origin: Origin
    path: str | None
    required: tuple[str, ...]
    newest: Mapping[str, object] | None = None
    observed_count: int = 0
    updated_at: str | None = None
    problem: str | None = None
    absence: str | None = None
    not_configured: str | None = None

    def judged(self, now: datetime, stale_after_seconds: int) -> SourceRow:
        """Return the row of this source."""
        missing = [] if self.newest is None else [name for name in self.required if name not in self.newest]
        age = _age_seconds(self.updated_at, now)
        status, notes = self._verdict(missing, age, stale_after_seconds)
        return SourceRow(
            key=self.key,
            label=self.label,
            status=status,
            observed_count=self.observed_count,
            required_fields=list(self.required),
            missing_fields=list(self.required) if status == "missing" and self.newest is None else missing,
            lineage=Lineage(source=self.origin.value, path=self.path, updated_at=self.updated_at),
            notes=notes,
        )

    def _verdict(
        self, missing: list[str], age_seconds: float | None, stale_after_seconds: int
    ) -> tuple[SourceStatus, list[str]]:
        if self.not_configured is not None:
            return "not_configured", [self.not_configured]
        if self.problem is not None:
            return "error", [self.problem]
        if self.newest is None:
            return "missing", [self.absence or "there is nothing yet"]
        if missing:
            return "missing", [f"the newest entry lacks: {', '.join(missing)}"]
        if age_seconds is not None and age_seconds > stale_after_seconds:
            return "stale", [f"nothing new for {age_seconds:.0f} s; more than {stale_after_seconds} s is stale"]
        return "ok", []


def worst(rows: Iterable[SourceRow]) -> OverallStatus:
    """Return the worst status; sources that are not configured do not count."""
    found = {row.status for row in rows}
    return next((status for status in _WORST_FIRST if status in found), "ok")


def counted(rows: Iterable[SourceRow]) -> StatusCounts:
    """Return how many sources have each status."""
    statuses = [row.status for row in rows]
    return StatusCounts(
        error=statuses.count("error"),
        missing=statuses.count("missing"),
        stale=statuses.count("stale"),
        ok=statuses.count("ok"),
        not_configured=statuses.count("not_configured"),
    )


def _age_seconds(updated_at: str | None, now: datetime) -> float | None:
    if updated_at is None:
        return None
    try:
        moment = datetime.fromisoformat(updated_at)
    except ValueError:
        return None
    return (now - (moment if moment.tzinfo else moment.replace(tzinfo=UTC))).total_seconds()
