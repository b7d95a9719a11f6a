"""Reports of benchmarks for Weights & Biases, offline here, through the real library."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import wandb

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.values import JsonObject
from diorama.telemetry.wandb_benchmark import benchmark_metrics, read_report, upload_benchmark
from diorama.telemetry.wandb_sink import WandbMode, WandbSettings
from tests.telemetry.wandb_records import read_records


@pytest.fixture
def run_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for variable in ("WANDB_DATA_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR", "WANDB_ARTIFACT_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_ERROR_REPORTING", "false")
    yield tmp_path / "runs" / "a"
    wandb.teardown()


def test_numbers_and_verdicts_go_by_their_path() -> None:
    report: JsonObject = {
        "summary": {"pass": True, "name": "x"},
        "rows": [{"p95": 7.5}, {"p95": None}],
        "bad": float("nan"),
    }

    assert benchmark_metrics(report) == {"benchmark/summary/pass": 1.0, "benchmark/rows/0/p95": 7.5}


def test_a_report_and_its_checkpoints_become_an_artifact(run_directory: Path, tmp_path: Path) -> None:
    report, checkpoint = tmp_path / "training.json", tmp_path / "ckpt_000003.safetensors"
    report.write_text(json.dumps({"summary": {"ratio": 2.2}}))
    checkpoint.write_bytes(b"weights")

    count = upload_benchmark(
        report, "a", [checkpoint], WandbSettings(mode=WandbMode.OFFLINE, run_directory=run_directory)
    )

    assert count == 1
    wandb.teardown()  # only then everything is in the file
    (kept,) = run_directory.glob("telemetry/wandb/offline-run-*/*.wandb")
    records = list(read_records(kept))
    (started,) = [record.run for record in records if record.WhichOneof("record_type") == "run"][:1]
    (sent,) = [
        record.request.log_artifact.artifact if record.HasField("request") else record.artifact
        for record in records
        if record.WhichOneof("record_type") == "artifact"
        or (record.HasField("request") and record.request.WhichOneof("request_type") == "log_artifact")
    ]
    assert (started.job_type, started.run_group) == ("eval", "a")
    assert sent.name == "benchmark-a"
    assert {entry.path for entry in sent.manifest.contents} == {"training.json", "ckpt_000003.safetensors"}


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        pytest.param(None, UnknownName, "benchmarks write theirs with --json", id="missing"),
        pytest.param("[1]", DocumentError, "is no report", id="no-object"),
        pytest.param("{", DocumentError, "is no report", id="broken"),
    ],
)
def test_what_is_no_report_is_refused(text: str | None, error: type[Exception], words: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    if text is not None:
        path.write_text(text)

    with pytest.raises(error, match=words):
        read_report(path)
