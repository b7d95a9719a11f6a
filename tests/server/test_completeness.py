"""Which sources of analytics a run has, with every status, on a clock that tests set."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from diorama.contracts.errors import UnknownName
from diorama.server.completeness.question import CompletenessQuestion
from diorama.server.completeness.service import CompletenessService
from diorama.server.models.base import JsonObject
from diorama.server.models.completeness import Completeness
from diorama.server.reading.shelf import RunShelf
from diorama.server.tracker.client import TrackedRecord, TrackedRunUnknown
from diorama.server.tracker.questions import HistoryQuestion, Scope
from diorama.server.tracker.service import TrackerService, TrackerSettings
from tests.server.conftest import TRAINED

LOCAL = ("run_metadata", "window_metrics", "replay_timeline")
TRACKED = ("wandb_summary", "wandb_history")
ROW: JsonObject = {"window_id": 3, "env_steps_total": 4000, "reward_mean": 0.5, "return_mean": 2.0}


class FrozenClock:
    """Shows one moment."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        return self._moment

    def seconds(self) -> float:
        return self._moment.timestamp()


class FakeService:
    """Stands in for the service of the tracker, which cannot be reached from tests."""

    def __init__(
        self, *, summary: JsonObject = ROW, rows: Sequence[JsonObject] = (ROW,), failure: Exception | None = None
    ) -> None:
        self._summary, self._rows, self._failure = summary, rows, failure
        self.updated_at: str | None = None

    def list_runs(self, scope: Scope, limit: int) -> Sequence[TrackedRecord]:
        return []

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        if self._failure is not None:
            raise self._failure
        if run_id == "nobody":
            raise TrackedRunUnknown("no such run")
        return TrackedRecord(
            run_id=run_id, name=run_id, state="finished", updated_at=self.updated_at, summary=self._summary
        )

    def run_history(self, scope: Scope, question: HistoryQuestion) -> Sequence[JsonObject]:
        self.run_summary(scope, question.run_id)
        return self._rows


@pytest.fixture
def root(run_root: Path, tmp_path: Path) -> Path:
    """A copy of a trained run that a test may break."""
    shutil.copytree(run_root / TRAINED, tmp_path / "runs" / TRAINED)
    return tmp_path / "runs"


def assess(
    root: Path, *, fake: FakeService | None = None, age: timedelta = timedelta(0), **question: object
) -> Completeness:
    """Look at the run some time after its newest file was written."""
    newest = json.loads((root / TRAINED / "run_metadata.json").read_text() or "{}") if _is_whole(root) else {}
    updated = datetime.fromisoformat(newest.get("updated_at", "2031-01-01T00:00:00Z"))
    settings = TrackerSettings(
        api_key=None if fake is None else "key",
        defaults=Scope(entity="e", project="p"),
        cache_ttl_seconds=0,
        runs_root=root,
    )
    tracker = TrackerService(settings, connect=lambda key: fake or FakeService())
    service = CompletenessService(RunShelf(root), tracker, FrozenClock(updated + age))
    asked = CompletenessQuestion(run_id=TRAINED, **question)  # type: ignore[arg-type]
    try:
        return asyncio.run(service.assess(asked))
    finally:
        tracker.close()


def _is_whole(root: Path) -> bool:
    try:
        json.loads((root / TRAINED / "run_metadata.json").read_text())
    except (OSError, ValueError):
        return False
    return True


def statuses(found: Completeness) -> dict[str, str]:
    return {row.key: row.status for row in found.sources}


def test_a_trained_run_is_complete_and_the_tracker_does_not_count(root: Path) -> None:
    found = assess(root)

    assert statuses(found) == {**dict.fromkeys(LOCAL, "ok"), **dict.fromkeys(TRACKED, "not_configured")}
    assert found.overall_status == "ok"
    assert found.status_counts.model_dump() == {"error": 0, "missing": 0, "stale": 0, "ok": 3, "not_configured": 2}
    windows = found.sources[1]
    assert {"profit_mean", "survival_rate", "overheat_ticks_mean", "scan_count_mean"} <= set(windows.required_fields)
    assert windows.observed_count > 0
    assert (windows.lineage.path, windows.lineage.source) == ("metrics/windows.jsonl", "run directory")
    assert (found.run_context.trainer_backend, found.run_context.status) == ("ppo", "completed")
    assert found.wandb_scope.mode == "disabled"


@pytest.mark.parametrize(
    ("age", "limit", "status"),
    [
        pytest.param(timedelta(hours=5), 21_600, "ok", id="fresh"),
        pytest.param(timedelta(hours=7), 21_600, "stale", id="old"),
        pytest.param(timedelta(hours=7), 604_800, "ok", id="patient"),
    ],
)
def test_what_has_not_changed_for_long_is_stale(root: Path, age: timedelta, limit: int, status: str) -> None:
    found = assess(root, age=age, stale_after_seconds=limit)

    assert [statuses(found)[key] for key in LOCAL] == [status] * 3
    assert found.overall_status == status


def test_absent_files_are_missing(root: Path) -> None:
    shutil.rmtree(root / TRAINED / "metrics")
    (root / TRAINED / "replay_index.json").unlink()

    found = assess(root)

    assert [statuses(found)[key] for key in LOCAL] == ["ok", "missing", "missing"]
    assert found.overall_status == "missing"
    assert found.sources[1].missing_fields == found.sources[1].required_fields


def test_a_run_without_metadata_is_not_without_windows(root: Path) -> None:
    (root / TRAINED / "run_metadata.json").unlink()

    found = assess(root, age=timedelta(days=-3650))

    assert [statuses(found)[key] for key in LOCAL] == ["missing", "ok", "ok"]
    assert found.run_context.status is None


def test_a_window_that_lacks_fields_is_missing_them(root: Path) -> None:
    path = root / TRAINED / "metrics" / "windows.jsonl"
    row = json.loads(path.read_text().splitlines()[-1])
    del row["scan_count_mean"], row["reward_mean"]
    path.write_text(path.read_text() + json.dumps(row) + "\n")

    windows = assess(root).sources[1]

    assert (windows.status, windows.missing_fields) == ("missing", ["reward_mean", "scan_count_mean"])


@pytest.mark.parametrize(
    ("file", "key"),
    [
        pytest.param("run_metadata.json", "run_metadata", id="metadata"),
        pytest.param("metrics/windows.jsonl", "window_metrics", id="windows"),
        pytest.param("replay_index.json", "replay_timeline", id="index"),
    ],
)
def test_a_broken_file_is_an_error_of_its_source_alone(root: Path, file: str, key: str) -> None:
    (root / TRAINED / file).write_text("{nonsense\n")

    found = assess(root, age=timedelta(0))

    assert statuses(found)[key] == "error"
    assert found.overall_status == "error"
    assert [status for other, status in statuses(found).items() if other in LOCAL and other != key].count("error") == 0
    assert found.sources[LOCAL.index(key)].notes


def test_an_index_that_points_elsewhere_is_an_error(root: Path) -> None:
    path = root / TRAINED / "replay_index.json"
    document = json.loads(path.read_text())
    document["entries"][0]["replay_path"] = "../../etc/passwd"
    path.write_text(json.dumps(document))

    assert statuses(assess(root))["replay_timeline"] == "error"


@pytest.mark.parametrize(
    ("fake", "status"),
    [
        pytest.param(FakeService(), "ok", id="healthy"),
        pytest.param(FakeService(summary={}, rows=()), "missing", id="empty"),
        pytest.param(FakeService(summary={"window_id": 1}, rows=({"window_id": 1},)), "missing", id="fields"),
        pytest.param(FakeService(failure=RuntimeError("down")), "error", id="failing"),
    ],
)
def test_the_tracker_is_judged_like_the_files(root: Path, fake: FakeService, status: str) -> None:
    found = assess(root, fake=fake, tracked_run_id="abc")

    assert [statuses(found)[key] for key in TRACKED] == [status] * 2
    assert (found.wandb_scope.run_id, found.wandb_scope.entity, found.wandb_scope.source) == ("abc", "e", "online")
    assert found.overall_status == status


def test_an_old_tracked_run_is_stale(root: Path) -> None:
    fake = FakeService()
    fake.updated_at = "2001-01-01T00:00:00Z"

    assert [statuses(assess(root, fake=fake, tracked_run_id="abc"))[key] for key in TRACKED] == ["stale", "stale"]


def test_a_tracker_that_cannot_be_asked_is_missing(root: Path) -> None:
    without_key = assess(root, tracked_run_id="abc")
    unknown = assess(root, fake=FakeService(), tracked_run_id="nobody")

    assert [statuses(without_key)[key] for key in TRACKED] == ["missing", "missing"]
    assert "WANDB_API_KEY is not set" in without_key.sources[3].notes[0]
    assert [statuses(unknown)[key] for key in TRACKED] == ["missing", "missing"]


def test_a_run_that_was_logged_is_looked_for_under_its_own_name(root: Path) -> None:
    path = root / TRAINED / "config.json"
    config = json.loads(path.read_text())
    config["telemetry"]["wandb_mode"] = "online"
    path.write_text(json.dumps(config))

    found = assess(root, fake=FakeService())

    assert (found.wandb_scope.mode, found.wandb_scope.run_id) == ("online", TRAINED)
    assert [statuses(found)[key] for key in TRACKED] == ["ok", "ok"]


def test_an_unknown_run_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        assess(tmp_path)


def test_the_endpoint_answers_and_keeps_its_bounds(client: httpx.Client) -> None:
    path = f"/api/runs/{TRAINED}/analytics/completeness"

    found = client.get(path)

    assert found.status_code == 200
    assert found.json()["run_id"] == TRAINED
    moment = datetime.fromisoformat(found.json()["generated_at"])
    assert moment.tzinfo is not None
    assert moment.astimezone(UTC).year > 2000
    assert client.get("/api/runs/nobody/analytics/completeness").status_code == 404
    for wrong in (
        {"stale_after_seconds": 59},
        {"stale_after_seconds": 604_801},
        {"stale_after_seconds": "soon"},
        {"wandb_history_max_points": 0},
        {"wandb_history_max_points": 5001},
        {"wandb_run_id": "../x"},
    ):
        assert client.get(path, params=wrong).status_code == 422
