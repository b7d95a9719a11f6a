"""`OfflineRuns`: runs that were logged to the disk and have not been sent anywhere."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
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
_OWN_PLACE: Final = "*/telemetry/wandb"
_PLACES: Final = (_OWN_PLACE, "*/wandb", "wandb")
_SEARCH_AGAIN_SECONDS: Final = 2.0
_FOLDERS: Final = "offline-run-*"
_RUN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
_FILE: Final = re.compile(rf"run-(?P<run_id>{_RUN_ID.pattern})\.wandb")


@dataclass(frozen=True, slots=True, kw_only=True)
class _LogFile:
    """A file of a run; `run_id` is the name under which the run is asked for."""

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

    def holds(self, scope: Scope, run_id: str) -> bool:
        """Return whether a run of a scope was logged here; one that cannot be read was."""
        if not any(file.run_id == run_id for file in self._files()):
            return False
        try:
            return scope == Scope() or _is_in(scope, self._record(run_id))
        except DocumentError:
            return True

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        """Return one run."""
        record = self._record(run_id)
        if not _is_in(scope, record):
            place = "/".join(part for part in (scope.entity, scope.project) if part is not None)
            raise TrackedRunUnknown(f"run {run_id!r} was logged offline, but not for {place}")
        return record

    def run_history(self, scope: Scope, question: HistoryQuestion) -> Sequence[JsonObject]:
        """Return all rows of a run; where a resumed one logged windows a second time, those."""
        if scope != Scope():
            self.run_summary(scope, question.run_id)
        rows: list[JsonObject] = []
        for file in self._files_of(question.run_id):
            added = read_log(file.path, with_rows=True).rows
            first = inf if not added else _place_of(added[0])
            rows = [*(row for row in rows if _place_of(row) < first), *added]
        return rows

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
        owners: dict[str, Path] = {}
        for place in _PLACES:
            for path in sorted(self._root.glob(f"{place}/{_FOLDERS}/run-*.wandb")):
                match = _FILE.fullmatch(path.name)
                if match is None or not path.is_file() or not path.resolve().is_relative_to(root):
                    continue
                folder = path.parents[1]
                run_id = match["run_id"]
                if place == _OWN_PLACE:
                    # A copy of a run's folder holds files with the id of the original.
                    run_id = folder.parents[1].name
                if owners.setdefault(run_id, folder) != folder:
                    run_id = f"{folder.parent.name}.{run_id}"
                if _RUN_ID.fullmatch(run_id):
                    yield _LogFile(run_id=run_id, path=path, changed_seconds=path.stat().st_mtime)


def _place_of(row: JsonObject) -> float:
    """Return where a row stands in its run: its window, or what the library, which numbers every row, has counted."""
    place = row.get("window_id", row.get("_step"))
    return float(place) if isinstance(place, int | float) else 0.0


def _is_in(scope: Scope, record: TrackedRecord) -> bool:
    # Without an account the library notes no entity.
    is_of_entity = scope.entity is None or record.entity in (None, scope.entity)
    return is_of_entity and (scope.project is None or record.project == scope.project)


def _state(log: LoggedRun) -> str:
    if log.exit_code is None:
        return "running"
    return "finished" if log.exit_code == 0 else "failed"


def _moment(seconds: float) -> str:
    return timestamp(datetime.fromtimestamp(seconds, UTC))
