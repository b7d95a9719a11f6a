"""What the proxy asks of a tracker, and what it gets."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from diorama.contracts.errors import UnknownName
from diorama.server.models.base import JsonObject
from diorama.server.tracker.questions import HistoryQuestion, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedRecord:
    """One run; moments are ISO-8601."""

    run_id: str
    name: str
    state: str
    url: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    entity: str | None = None
    project: str | None = None
    config: JsonObject = field(default_factory=dict)
    summary: JsonObject = field(default_factory=dict)


class TrackerClient(Protocol):
    """Answers questions about tracked runs; calls may take long and fail with any exception."""

    def list_runs(self, scope: Scope, limit: int) -> Sequence[TrackedRecord]:
        """Return the newest runs, newest first."""

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        """Return one run.

        Raises:
            TrackedRunUnknown: There is none.
        """

    def run_history(self, scope: Scope, question: HistoryQuestion) -> Sequence[JsonObject]:
        """Return logged rows, oldest first, about as many as are wanted.

        Raises:
            TrackedRunUnknown: There is no such run.
        """


class TrackedRunUnknown(UnknownName):
    """The tracker has no such run."""
