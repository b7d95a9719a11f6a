import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from diorama.contracts.errors import DocumentError, StorageError
from diorama.contracts.values import JsonObject
from diorama.runs.documents import read_document, replace_document
from diorama.runs.metadata import LatestCheckpoint, RunMetadata, RunStatus, is_stale
from diorama.runs.metadata_keeper import MetadataKeeper
from diorama.runs.windows.row import Totals, WindowRow
from tests.runs.factories import FakeClock, empty_run, metadata
from tests.runs.full_disk import no_file_longer_than

FIELDS = [
    "schema_version",
    "run_id",
    "world",
    "interface_version",
    "config_hash",
    "status",
    "trainer_backend",
    "seed",
    "target_env_steps",
    "window_env_steps",
    "env_steps_total",
    "ticks_total",
    "episodes_total",
    "windows_emitted",
    "checkpoints_written",
    "replays_written",
    "latest_window",
    "latest_checkpoint",
    "latest_replay",
    "metrics_windows_path",
    "checkpoints_dir",
    "replays_dir",
    "replay_index_path",
    "config_path",
    "wandb_run_url",
    "constellation_url",
    "info_metric_keys",
    "tier_requested",
    "tier_selected",
    "tier_fallback_reason",
    "device",
    "copies",
    "policy_arch",
    "policy_updates",
    "started_at",
    "updated_at",
    "finished_at",
    "error",
    "best_checkpoint",
]
CHECKPOINT = LatestCheckpoint(
    window_id=1, env_steps_total=20, path="checkpoints/ckpt_000001.json", sha256="0" * 64, created_at="then"
)
ROW: WindowRow = {
    "window_id": 1,
    "window_complete": True,
    "env_steps_start": 10,
    "env_steps_end": 20,
    "env_steps_in_window": 10,
    "env_steps_total": 20,
    "reward_mean": 0.5,
}


def keeper(tmp_path: Path) -> MetadataKeeper:
    layout = empty_run(tmp_path)
    return MetadataKeeper(layout, read_document(layout.metadata, RunMetadata), FakeClock())


def stored(tmp_path: Path) -> RunMetadata:
    return read_document(tmp_path / "run-a" / "run_metadata.json", RunMetadata)


def test_the_document_has_every_field_from_the_start(tmp_path: Path) -> None:
    layout = empty_run(tmp_path)

    document = json.loads(layout.metadata.read_text())

    assert list(document) == FIELDS
    assert document["status"] == "running"
    assert document["latest_window"] is document["replay_index_path"] is document["finished_at"] is None


def test_windows_checkpoints_and_replays_are_on_the_disk_at_once(tmp_path: Path) -> None:
    kept = keeper(tmp_path)
    totals = Totals(windows=2, env_steps=20, agent_steps=20, ticks=55, episodes=3, policy_updates=1)

    kept.windows_closed([{**ROW, "window_id": 0}, ROW], totals)
    kept.flush()
    after_windows = stored(tmp_path)
    kept.checkpoint_written(CHECKPOINT)
    kept.replay_written({"replay_id": "replay-000001-00000000"})
    kept.links_known(wandb_run_url="https://example.org/run", constellation_url=None)
    found = stored(tmp_path)

    assert (after_windows.windows_emitted, after_windows.ticks_total, after_windows.episodes_total) == (2, 55, 3)
    assert after_windows.latest_window is not None
    assert after_windows.latest_window.window_id == 1
    assert after_windows.latest_window.metrics_row_path == "metrics/windows.jsonl"
    assert (found.checkpoints_written, found.latest_checkpoint) == (1, CHECKPOINT)
    assert (found.replays_written, found.replay_index_path) == (1, "replay_index.json")
    assert found.latest_replay == {"replay_id": "replay-000001-00000000"}
    assert found.wandb_run_url == "https://example.org/run"
    assert found.updated_at > after_windows.updated_at


def test_a_failure_is_recorded_with_its_message(tmp_path: Path) -> None:
    keeper(tmp_path).failed(Totals(env_steps=7), ValueError("loss is nan"))

    found = stored(tmp_path)
    assert (found.status, found.error, found.env_steps_total) == (RunStatus.FAILED, "ValueError: loss is nan", 7)
    assert found.finished_at is not None


@pytest.mark.parametrize("status", [RunStatus.COMPLETED, RunStatus.STOPPED])
def test_an_end_is_recorded(status: RunStatus, tmp_path: Path) -> None:
    kept = keeper(tmp_path)

    {RunStatus.COMPLETED: kept.completed, RunStatus.STOPPED: kept.stopped}[status](Totals(env_steps=9))

    found = stored(tmp_path)
    assert (found.status, found.error, found.env_steps_total) == (status, None, 9)
    assert found.finished_at is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"status": "sleeping"}, "status", id="status"),
        pytest.param({"schema_version": 2}, "schema_version", id="version"),
        pytest.param({"seed": "3"}, "seed", id="type"),
        pytest.param({"surprise": 1}, "surprise", id="unknown-key"),
    ],
)
def test_metadata_of_another_form_is_refused(change: JsonObject, message: str, tmp_path: Path) -> None:
    layout = empty_run(tmp_path)
    replace_document(layout.metadata, {**json.loads(layout.metadata.read_text()), **change})

    with pytest.raises(DocumentError, match=message):
        read_document(layout.metadata, RunMetadata)


def test_a_running_run_that_has_been_silent_for_too_long_is_stale() -> None:
    heard = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    limit = timedelta(hours=6)

    assert not is_stale(metadata(), now=heard + limit, limit=limit)
    assert is_stale(metadata(), now=heard + limit + timedelta(seconds=1), limit=limit)
    assert not is_stale(metadata(status=RunStatus.COMPLETED), now=heard + timedelta(days=9), limit=limit)


def test_a_reader_that_polls_never_sees_half_a_document(tmp_path: Path) -> None:
    kept = keeper(tmp_path)
    seen: list[int] = []

    def write() -> None:
        for window in range(300):
            kept.windows_closed([{**ROW, "window_id": window}], Totals(windows=window + 1))
            if window % 10 == 0:
                kept.flush()

    writer = Thread(target=write)
    writer.start()
    while writer.is_alive():
        seen.append(stored(tmp_path).windows_emitted)
    writer.join()
    kept.close()

    assert seen == sorted(seen)
    assert len(set(seen)) > 1
    assert stored(tmp_path).windows_emitted == 300


def test_a_disk_that_refuses_is_told_to_whoever_comes_next(tmp_path: Path) -> None:
    kept = keeper(tmp_path)
    before = stored(tmp_path)

    with no_file_longer_than(100):
        kept.windows_closed([ROW], Totals(windows=1))
        with pytest.raises(StorageError, match=r"run_metadata\.json: cannot be written"):
            kept.flush()

    assert stored(tmp_path) == before
    kept.windows_closed([ROW], Totals(windows=2))
    kept.close()
    assert stored(tmp_path).windows_emitted == 2


def test_closing_writes_what_is_known(tmp_path: Path) -> None:
    kept = keeper(tmp_path)

    for window in range(50):
        kept.windows_closed([{**ROW, "window_id": window}], Totals(windows=window + 1))
    kept.close()

    assert stored(tmp_path) == kept.current
    assert stored(tmp_path).windows_emitted == 50
