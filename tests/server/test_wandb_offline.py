"""Runs that were logged offline, written by the real library and read back from the disk."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import httpx
import pytest
import wandb

from diorama.contracts.errors import DocumentError
from diorama.server.models.base import JsonObject
from diorama.server.tracker.client import TrackedRecord, TrackedRunUnknown
from diorama.server.tracker.log_file import read_log
from diorama.server.tracker.offline import OfflineRuns
from diorama.server.tracker.questions import HistoryQuestion, Scope
from diorama.server.tracker.service import TrackerService, TrackerSettings
from diorama.telemetry.events import RunOutcome
from diorama.telemetry.wandb_sink import WandbMode, WandbSettings, WandbSink
from tests.server.loopback import serving
from tests.server.play_factories import ManualClock
from tests.telemetry.factories import RUN_ID, run_ended, run_started, window_closed

WINDOWS = 30


@pytest.fixture(scope="module")
def logged_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A runs root with one run that was stopped and resumed, logged offline both times."""
    root = tmp_path_factory.mktemp("offline")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("WANDB_DATA_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR", "WANDB_ARTIFACT_DIR"):
            patch.setenv(variable, str(tmp_path_factory.mktemp(variable)))
        patch.setenv("WANDB_MODE", "offline")
        patch.setenv("WANDB_ERROR_REPORTING", "false")
        patch.delenv("WANDB_API_KEY", raising=False)
        directory = root / RUN_ID
        directory.mkdir()
        for first, outcome in ((0, RunOutcome.STOPPED), (WINDOWS, RunOutcome.COMPLETED)):
            sink = WandbSink(WandbSettings(mode=WandbMode.OFFLINE, run_directory=directory, project="belt"))
            sink.receive(run_started(is_resumed=first > 0))
            for window_id in range(first, first + WINDOWS):
                sink.receive(window_closed(window_id, return_mean=window_id / 2, text="x" * 3000))
            sink.receive(run_ended(outcome))
            sink.close()
            wandb.teardown()
        yield root


@pytest.fixture
def offline(logged_root: Path) -> OfflineRuns:
    return OfflineRuns(logged_root, ManualClock().seconds)


def log_files(root: Path) -> list[Path]:
    return sorted(root.glob("*/telemetry/wandb/offline-run-*/run-*.wandb"))


def test_a_resumed_run_is_one_run_with_all_its_rows(offline: OfflineRuns) -> None:
    (record,) = offline.list_runs(Scope(), 10)
    rows = offline.run_history(Scope(), HistoryQuestion(run_id=RUN_ID))

    assert offline.count() == 1
    assert (record.run_id, record.name, record.project, record.state) == (RUN_ID, RUN_ID, "belt", "finished")
    assert record.config["ppo"] == {"gamma": 0.997}
    assert record.summary["window_id"] == 2 * WINDOWS - 1
    assert [row["window_id"] for row in rows] == list(range(2 * WINDOWS))
    assert rows[5]["return_mean"] == 2.5
    assert rows[5]["end_reason_counts.stranded"] == 2


def test_another_project_has_no_such_runs(offline: OfflineRuns) -> None:
    assert offline.list_runs(Scope(project="caves"), 10) == []
    with pytest.raises(TrackedRunUnknown):
        offline.run_summary(Scope(), "nobody")


def test_a_file_that_is_being_written_is_read_as_far_as_it_goes(logged_root: Path, tmp_path: Path) -> None:
    whole = log_files(logged_root)[0].read_bytes()
    counts = []
    for size in range(len(whole) // 4, len(whole), len(whole) // 9):
        path = tmp_path / f"run-{size}.wandb"
        path.write_bytes(whole[:size])
        counts.append(len(read_log(path, with_rows=True).rows))

    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[-1] <= WINDOWS
    cut = tmp_path / "run-cut.wandb"
    cut.write_bytes(whole[: len(whole) // 2])
    log = read_log(cut, with_rows=True)
    assert log.exit_code is None
    last = log.rows[-1]["window_id"]
    assert isinstance(last, int)
    assert log.summary["window_id"] in (last, last + 1)  # the summary is written ahead of its row


@pytest.mark.parametrize(
    "content", [b"", b":W&B", b"\x00" * 5000, b":W&B\xe1\xbe\x00" + b"\xff" * 400, b"{}" * 9000], ids=range(5)
)
def test_what_is_no_log_is_refused_and_left_out(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken" / "wandb" / "offline-run-20310101_000000-x" / "run-x.wandb"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    with pytest.raises(DocumentError):
        read_log(path, with_rows=True)
    assert OfflineRuns(tmp_path, ManualClock().seconds).list_runs(Scope(), 5) == []


def test_links_out_of_the_root_are_not_followed(logged_root: Path, tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "runs"
    shutil.copytree(logged_root / RUN_ID, outside)
    root.mkdir()
    (root / "linked").symlink_to(outside)

    assert OfflineRuns(root, ManualClock().seconds).count() == 0


def test_without_a_key_the_proxy_answers_from_the_disk(logged_root: Path) -> None:
    with serving(logged_root) as server, httpx.Client(base_url=f"{server.base_url}/api/wandb", timeout=60) as client:
        status = client.get("/status").json()
        latest = client.get("/runs/latest").json()
        summary = client.get(f"/runs/{RUN_ID}/summary").json()
        history = client.get(
            f"/runs/{RUN_ID}/history", params={"keys": "window_id,return_mean", "max_points": 7}
        ).json()
        view = client.get(f"/runs/{RUN_ID}/iteration-view").json()
        missing = client.get("/runs/nobody/summary")

    assert (status["available"], status["source"], status["offline_runs"]) == (True, "offline", 1)
    assert "1 run(s) logged offline are read from the disk" in status["reason"]
    assert "answers come from runs that were logged offline" in status["notes"]
    assert [run["run_id"] for run in latest["runs"]] == [RUN_ID]
    assert (summary["project"], summary["run"]["state"]) == ("belt", "finished")
    assert (history["count"], history["rows"][-1]) == (7, {"window_id": 59, "return_mean": 29.5})
    assert view["history"]["count"] == 2 * WINDOWS
    assert (view["kpis"]["window_id"], view["kpis"]["return_mean"]) == (59, 29.5)
    assert missing.status_code == 404


class _Silent:
    """Stands in for a service that cannot be reached: it answers nothing until it is released."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.released = Event()

    def list_runs(self, scope: Scope, limit: int) -> list[TrackedRecord]:
        raise self._gone("list_runs")

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        raise self._gone("run_summary")

    def run_history(self, scope: Scope, question: HistoryQuestion) -> list[JsonObject]:
        raise self._gone("run_history")

    def _gone(self, operation: str) -> ConnectionError:
        self.asked.append(operation)
        self.released.wait(60)
        return ConnectionError("no route to host")


def test_with_a_key_and_a_silent_service_offline_runs_answer_without_it(logged_root: Path) -> None:
    silent = _Silent()
    told = TrackerSettings(
        api_key="0123456789abcdef",
        defaults=Scope(entity="miners", project="belt"),
        cache_ttl_seconds=0.0,
        runs_root=logged_root,
    )

    async def ask() -> tuple[list[str], str, int, list[str]]:
        tracker = TrackerService(told, connect=lambda key: silent)
        try:
            summary = await tracker.summary(Scope(), RUN_ID)
            history = await tracker.history(Scope(), HistoryQuestion(run_id=RUN_ID))
            asked = [*silent.asked]
            for _ in range(3):  # after the first of them the service is not waited for again
                latest = await tracker.latest(Scope(), 5)
            return asked, summary.run.state, history.count, [run.run_id for run in latest.runs]
        finally:
            silent.released.set()
            tracker.close()

    assert asyncio.run(ask()) == ([], "finished", 2 * WINDOWS, [RUN_ID])
    assert silent.asked == ["list_runs"]


def test_steps_of_a_resumed_run_go_on(offline: OfflineRuns) -> None:
    rows = offline.run_history(Scope(), HistoryQuestion(run_id=RUN_ID))

    assert [row["_step"] for row in rows] == list(range(2 * WINDOWS))


def test_windows_that_a_resumed_run_logs_again_count_once(logged_root: Path, tmp_path: Path) -> None:
    shutil.copytree(logged_root / RUN_ID, tmp_path / RUN_ID)
    first, second = log_files(tmp_path)
    # As if the run had been killed after its last window, and resumed at a checkpoint before its first.
    later = second.parent.with_name("offline-run-20990101_000000-again")
    shutil.copytree(first.parent, later)

    rows = OfflineRuns(tmp_path, ManualClock().seconds).run_history(Scope(), HistoryQuestion(run_id=RUN_ID))

    assert [row["window_id"] for row in rows] == list(range(WINDOWS))


def test_a_copied_folder_is_a_run_of_its_own(logged_root: Path, tmp_path: Path) -> None:
    for name in (RUN_ID, "copied"):
        shutil.copytree(logged_root / RUN_ID, tmp_path / name)
    offline = OfflineRuns(tmp_path, ManualClock().seconds)

    assert sorted(record.run_id for record in offline.list_runs(Scope(), 10)) == ["copied", RUN_ID]
    for name in (RUN_ID, "copied"):
        assert len(offline.run_history(Scope(), HistoryQuestion(run_id=name))) == 2 * WINDOWS


def test_a_run_is_known_in_its_own_project_alone(offline: OfflineRuns) -> None:
    elsewhere, here = Scope(project="caves"), Scope(project="belt")

    assert (offline.holds(here, RUN_ID), offline.holds(elsewhere, RUN_ID)) == (True, False)
    assert offline.run_summary(here, RUN_ID).run_id == RUN_ID
    with pytest.raises(TrackedRunUnknown):
        offline.run_summary(elsewhere, RUN_ID)
    with pytest.raises(TrackedRunUnknown):
        offline.run_history(elsewhere, HistoryQuestion(run_id=RUN_ID))
