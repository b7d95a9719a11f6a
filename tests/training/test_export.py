"""Exports of runs: a file that decides as the policy does, or none."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch

from diorama.contracts.errors import CheckpointMismatch, UnknownName
from diorama.contracts.values import JsonObject
from diorama.learn.policies.export import PolicyStep, write_onnx
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.exports import export_path
from diorama.runs.layout import RunLayout
from diorama.training import export
from diorama.training.export import ExportDiffers, ExportRequest, export_policy
from tests.refusals import refused
from tests.training.small_runs import StopAfter, small_plan, train_small

DECISIONS = 12


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    watch = StopAfter(256)
    return train_small(tmp_path_factory.mktemp("runs"), "first", small_plan(), progress=watch, stop=watch.stop).layout


def request_for(layout: RunLayout, output: Path | None = None) -> ExportRequest:
    return ExportRequest(run_root=layout.directory.parent, run_id=layout.run_id, output=output, decisions=DECISIONS)


def write_another_policy(step: PolicyStep, path: Path, metadata: JsonObject) -> None:
    """Write an export of other weights than those of the policy, as a faulty exporter might."""
    bias = step.policy.value_head.bias
    with torch.no_grad():
        bias.add_(0.01)
        write_onnx(step, path, metadata)
        bias.sub_(0.01)


@pytest.mark.slow
def test_a_policy_is_exported_beside_its_run_with_where_it_comes_from(trained: RunLayout) -> None:
    exported = export_policy(request_for(trained))

    checkpoint = newest_checkpoint(trained)
    assert exported.checkpoint == checkpoint
    assert exported.path == export_path(trained, checkpoint)
    assert [*exported.path.parent.iterdir()] == [exported.path]
    assert exported.agreement.is_close
    assert exported.agreement.decisions >= DECISIONS
    facts: Mapping[str, object] = exported.metadata
    assert (facts["world"], facts["run_id"], facts["env_steps_total"]) == ("prospector", "first", 256)
    assert facts["checkpoint_sha256"] == file_sha256(checkpoint)


def test_an_export_that_differs_from_its_policy_leaves_the_file_before_it(
    tmp_path: Path, trained: RunLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(b"the export before")
    monkeypatch.setattr(export, "write_onnx", write_another_policy)

    with refused(ExportDiffers, "export_differs", run_id="first"):
        export_policy(request_for(trained, path))

    assert [*tmp_path.iterdir()] == [path]
    assert path.read_bytes() == b"the export before"


def test_a_run_that_played_at_random_has_nothing_to_export(tmp_path: Path) -> None:
    layout = train_small(tmp_path, "dice", small_plan(backend="random", steps=64)).layout

    with refused(CheckpointMismatch, "run_has_no_policy", run_id="dice"):
        export_policy(request_for(layout, tmp_path / "policy.onnx"))

    assert not (tmp_path / "policy.onnx").exists()


def test_a_run_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        export_policy(ExportRequest(run_root=tmp_path, run_id="nothing", decisions=DECISIONS))
