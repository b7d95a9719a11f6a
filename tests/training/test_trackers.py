"""A whole session with Weights & Biases and TensorBoard, through the real libraries."""

from pathlib import Path

import pytest
import wandb

from diorama.runs.run import open_run
from tests.telemetry.tensorboard_files import scalars
from tests.telemetry.wandb_records import history_row, read_records
from tests.training.small_runs import small_plan, train_small


def test_trackers_get_every_window_and_file_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("WANDB_DATA_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR", "WANDB_ARTIFACT_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    monkeypatch.setenv("WANDB_ERROR_REPORTING", "false")
    plan = small_plan(
        steps=2048, evaluation={"replays_per_window": 1}, telemetry={"tensorboard": True, "wandb_mode": "offline"}
    )

    outcome = train_small(tmp_path, "tracked", plan)
    wandb.teardown()

    rows = open_run(tmp_path, "tracked").windows()
    (log,) = outcome.layout.directory.glob("telemetry/wandb/offline-run-*/*.wandb")
    records = list(read_records(log))
    logged = [history_row(record) for record in records if record.HasField("history")]
    assert [row["window_id"] for row in logged if "window_id" in row] == [row["window_id"] for row in rows] == [0, 1]
    assert [row["reward_mean"] for row in logged if "window_id" in row] == [row["reward_mean"] for row in rows]
    artifacts = {record.request.log_artifact.artifact.name for record in records if record.HasField("request")}
    artifacts |= {record.artifact.name for record in records if record.HasField("artifact")}
    assert {"model-tracked"} < artifacts
    assert any(name.startswith("replay-tracked-000001-") for name in artifacts)
    written = scalars(outcome.layout.telemetry / "tensorboard")
    assert written["window/reward_mean", 2000] == pytest.approx(rows[1]["reward_mean"])
    assert {sink.lost for sink in outcome.sinks} == {0}
