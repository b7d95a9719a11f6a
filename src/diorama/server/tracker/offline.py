"""`OfflineRuns`: runs that were logged to the disk and have not been sent anywhere."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.clock import timestamp
from diorama.server.models.base import JsonObject
from diorama.server.tracker.client import TrackedRecord, TrackedRunUnknown
from diorama.server.tracker.json_safe import safe_object
from diorama.server.tracker.log_file import LoggedRun, read_log
from diorama.server.tracker.questions import HistoryQuestion, Scope

# Below the runs root: where our own sink writes, and where the library does if nobody tells it otherwise.
_PLACES: Final = ("*/telemetry/wandb", "*/wandb", "wandb")
_SEARCH_AGAIN_SECONDS: Final = 2.0
_FOLDERS: Final = "offline-run-*"
_FILE: Final = re.compile(r"run-(?P<run_id>[A-Za-z0-9._-]{1,128})\.wandb")


@dataclass(frozen=True, slots=True, kw_only=True)
class _LogFile:
    run_id: str
    path: Path
    changed_seconds: float


class OfflineRuns:
    """Answers like the service would, from files below the runs root. May be used by several threads."""

    def __init__(self, runs_root: Path, seconds: Callable[[], float]) -> None:
        """Look below a root, which need not exist; `seconds` is a clock that never goes back."""
        self._root = runs_root
        self._seconds = seconds
        self._lock = Lock()
        self._found: tuple[float, list[_LogFile]] | None = None

    def count(self) -> int:
        """Return how many runs there are."""
        return len({file.run_id for file in self._files()})

    def list_runs(self, scope: Scope, limit: int) -> Sequence[TrackedRecord]:
        """Return the runs that were written last; files that cannot be read are left out."""
        newest: dict[str, float] = {}
        for file in self._files():
            newest[file.run_id] = max(file.changed_seconds, newest.get(file.run_id, 0.0))
        ids = sorted(newest, key=lambda run_id: (newest[run_id], run_id), reverse=True)
        found = (self._record_if_whole(run_id) for run_id in ids)
        wanted = (record for record in found if record is not None and _is_in(scope, record))
        return [record for record, _ in zip(wanted, range(limit), strict=False)]

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        """Return one run."""
        return self._record(run_id)

    def run_history(self, scope: Scope, question: HistoryQuestion) -> Sequence[JsonObject]:
        """Return all rows of a run, those of a resumed one after another."""
        logs = [read_log(file.path, with_rows=True) for file in self._files_of(question.run_id)]
        return [row for log in logs for row in log.rows]

    def _record_if_whole(self, run_id: str) -> TrackedRecord | None:
        try:
            return self._record(run_id)
        except (DocumentError, UnknownName):
            return None

    def _record(self, run_id: str) -> TrackedRecord:
        files = self._files_of(run_id)
        logs = [read_log(file.path, with_rows=False) for file in files]
        first, last = logs[0], logs[-1]
        return TrackedRecord(
            run_id=run_id,
            name=last.name or run_id,
            state=_state(last),
            created_at=None if first.started_seconds is None else _moment(first.started_seconds),
            updated_at=_moment(files[-1].changed_seconds),
            entity=last.entity,
            project=last.project,
            config=safe_object({key: value for log in logs for key, value in log.config.items()}),
            summary=safe_object({key: value for log in logs for key, value in log.summary.items()}),
        )

    def _files_of(self, run_id: str) -> list[_LogFile]:
        files = [file for file in self._files() if file.run_id == run_id]
        if not files:
            raise TrackedRunUnknown(f"no run {run_id!r} was logged offline below the runs root")
        # The folders begin with the moment at which they were made.
        return sorted(files, key=lambda file: file.path.parent.name)

    def _files(self) -> list[_LogFile]:
        with self._lock:
            # One question looks several times; thousands of runs are not searched for each.
            if self._found is None or self._seconds() - self._found[0] > _SEARCH_AGAIN_SECONDS:
                self._found = self._seconds(), list(self._search())
            return self._found[1]

    def _search(self) -> Iterator[_LogFile]:
        root = self._root.resolve()
        for place in _PLACES:
            for path in self._root.glob(f"{place}/{_FOLDERS}/run-*.wandb"):
                match = _FILE.fullmatch(path.name)
                if match is not None and path.is_file() and path.resolve().is_relative_to(root):
                    yield _LogFile(run_id=match["run_id"], path=path, changed_seconds=path.stat().st_mtime)


def _is_in(scope: Scope, record: TrackedRecord) -> bool:
    return scope.project is None or record.project == scope.project


def _state(log: LoggedRun) -> str:
    if log.exit_code is None:
        return "running"
    return "finished" if log.exit_code == 0 else "failed"


def _moment(seconds: float) -> str:
    return timestamp(datetime.fromtimestamp(seconds, UTC))
