"""Asks the service itself, through its own library."""

import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from diorama.server.models.base import JsonObject
from diorama.server.tracker.client import TrackedRecord, TrackedRunUnknown
from diorama.server.tracker.json_safe import safe_object
from diorama.server.tracker.questions import HistoryQuestion, Scope

if TYPE_CHECKING:
    from wandb.apis.public import Api, Run

TIMEOUT_SECONDS: Final = 10


class WandbClient:
    """The public interface of Weights & Biases; the library is loaded when the first question comes."""

    def __init__(self, api_key: str) -> None:
        """Take the key; nobody is called yet."""
        self._api_key = api_key
        self._lock = threading.Lock()
        self._connected: Api | None = None

    def list_runs(self, scope: Scope, limit: int) -> Sequence[TrackedRecord]:
        """Return the newest runs, newest first."""
        found = self._api().runs(f"{scope.entity}/{scope.project}", order="-created_at", per_page=limit)
        return [_record(run, scope, with_config=False) for run in islice(found, limit)]

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        """Return one run."""
        return _record(self._run(scope, run_id), scope, with_config=True)

    def run_history(self, scope: Scope, question: HistoryQuestion) -> Sequence[JsonObject]:
        """Return logged rows, thinned out by the service."""
        # Asked for keys, the service leaves out every row that lacks one of them; so all are fetched.
        rows = self._run(scope, question.run_id).history(samples=question.max_points, pandas=False)
        return [safe_object(row) for row in rows if isinstance(row, Mapping)]

    def _run(self, scope: Scope, run_id: str) -> "Run":
        from wandb.apis.public.runs import RunNotFoundError

        try:
            return self._api().run(f"{scope.entity}/{scope.project}/{run_id}")
        except RunNotFoundError as error:
            raise TrackedRunUnknown(f"{scope.entity}/{scope.project} has no run {run_id!r}") from error

    def _api(self) -> "Api":
        with self._lock:
            if self._connected is None:
                import wandb

                self._connected = wandb.Api(api_key=self._api_key, timeout=TIMEOUT_SECONDS)
            return self._connected


def _record(run: "Run", scope: Scope, *, with_config: bool) -> TrackedRecord:
    return TrackedRecord(
        run_id=run.id,
        name=run.name or run.id,
        state=run.state,
        url=run.url,
        created_at=run.created_at,
        updated_at=run.heartbeat_at,
        entity=scope.entity,
        project=scope.project,
        config=safe_object(dict(run.config.items())) if with_config else {},
        summary=safe_object(dict(run.summary.items())),  # type: ignore[no-untyped-call]
    )
