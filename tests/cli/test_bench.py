"""`diorama bench` reports what it measured; the numbers themselves are no test."""

import json
from pathlib import Path

import pytest

from tests.cli.invoking import invoke


def test_every_combination_is_measured_and_reported(tmp_path: Path) -> None:
    report_file = tmp_path / "bench.json"
    arguments = ["bench", "prospector", "--copies", "1,3", "--threads", "1,2", "--seconds", "0.01"]

    result = invoke(*arguments, "--tier", "reference", "--json", str(report_file))

    report = json.loads(report_file.read_text())
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 1 + 4
    assert [(row["copies"], row["threads"]) for row in report["measurements"]] == [(1, 1), (1, 2), (3, 1), (3, 2)]
    assert all(
        row["decisions"] % row["copies"] == 0 and row["decisions_per_second"] > 0 for row in report["measurements"]
    )
    assert {row["tier"] for row in report["measurements"]} == {"reference"}
    assert report["interface_version"] == "prospector-v1"
    assert "cpu_model" in report["system"]


@pytest.mark.slow
def test_a_world_whose_steps_are_long_is_measured_in_small_batches() -> None:
    tiny = ["-c", "train_batches_per_epoch=1", "-c", "val_subset=20", "-c", "control_twins=false"]

    result = invoke("bench", "morphogenesis", "--seconds", "0.001", *tiny)

    assert result.exit_code == 0
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["copies", "1", "8", "32"]
