"""Runs that learn from stored episodes alone: what they write, and what keeps them from writing anything."""

import json
from pathlib import Path

import pytest
import torch

from diorama.contracts.errors import ConfigError, RunConflict, UnknownName
from diorama.learn.errors import CloneRefused, TrainingDiverged
from diorama.runs.checkpoints.files import checkpoint_paths, newest_checkpoint
from diorama.runs.clock import SystemClock
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.training.callbacks.progress import NoProgress
from diorama.training.offline import RESULT_FILE, CloningRun, OfflineRun
from diorama.training.plan import TrainingPlan
from diorama.training.policy_files import load_policy
from tests.refusals import refused
from tests.training.towns import captured, town_plan

PASSED_BY_ALL = {"accuracy": 0.0, "recall": 0.0, "value_error": 1e9}
PASSED_BY_FEW = {**PASSED_BY_ALL, "accuracy": 1.0}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return captured(tmp_path_factory.mktemp("offline"))


def cloning_plan(dataset: Path, gate: dict[str, float] | None = None) -> TrainingPlan:
    return town_plan(cloning={"dataset": str(dataset), "epochs": 2, "gate": gate})


def cloning_run(plan: TrainingPlan, root: Path) -> CloningRun:
    return CloningRun(plan, root, "run", progress=NoProgress(), clock=SystemClock())


def offline_run(plan: TrainingPlan, root: Path) -> OfflineRun:
    return OfflineRun(plan, root, "run", progress=NoProgress(), clock=SystemClock())


def test_a_clone_that_passes_its_gate_is_a_run_of_one_checkpoint(tmp_path: Path, dataset: Path) -> None:
    plan = cloning_plan(dataset, PASSED_BY_ALL)
    run = cloning_run(plan, tmp_path)
    clone = run.clone()
    assert [*tmp_path.iterdir()] == []

    layout = run.save(clone)
    run.close()

    result = json.loads((layout.directory / RESULT_FILE).read_text())
    assert (result["dataset"], result["policy_hash"], result["gate"]["recall"]) == ("first", clone.policy_hash, 0.0)
    assert result["agreement"]["accuracy"] == clone.agreement.accuracy
    assert result["manifest_sha256"] == clone.manifest_sha256
    assert len(checkpoint_paths(layout)) == 1
    load_policy(newest_checkpoint(layout), plan.spec)
    assert open_run(tmp_path, "run").metadata().status is RunStatus.COMPLETED


def test_a_clone_that_misses_its_gate_leaves_nothing(tmp_path: Path, dataset: Path) -> None:
    run = cloning_run(cloning_plan(dataset, PASSED_BY_FEW), tmp_path)

    with refused(CloneRefused, "clone_misses_gate"):
        run.save(run.clone())
    run.close()

    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="nothing-to-clone"),
        pytest.param({"cloning": {"bot": "scripted"}}, id="bot-instead-of-a-dataset"),
    ],
)
def test_a_plan_without_a_dataset_cannot_be_cloned(tmp_path: Path, changes: dict[str, object]) -> None:
    with refused(ConfigError, "cloning_dataset_missing"):
        cloning_run(town_plan(**changes), tmp_path)


def test_a_plan_without_stored_episodes_cannot_be_learned_from(tmp_path: Path) -> None:
    with refused(ConfigError, "replay_dataset_missing"):
        offline_run(town_plan(), tmp_path)


def test_a_run_learns_from_a_dataset_alone_and_starts_from_a_clone(tmp_path: Path, dataset: Path) -> None:
    cloned = cloning_run(cloning_plan(dataset), tmp_path / "clones")
    start = cloned.save(cloned.clone())
    cloned.close()
    plan = town_plan(replay={"dataset": str(dataset)}, start=str(start.directory), optimizer={"learning_rate": 1e-12})

    run = offline_run(plan, tmp_path)
    layout = run.train(3)
    run.close()

    records = [json.loads(line) for line in (layout.telemetry / "ppo.ndjson").read_text().splitlines()]
    assert [(record["data_mode"], record["rollout_ticks"]) for record in records] == [("replay", 0)] * 3
    metadata = open_run(tmp_path, "run").metadata()
    assert (metadata.status, metadata.env_steps_total) == (RunStatus.COMPLETED, 0)
    one, other = (load_policy(newest_checkpoint(item), plan.spec)[0].state_dict() for item in (start, layout))
    for name, tensor in one.items():
        torch.testing.assert_close(other[name], tensor, rtol=0.0, atol=1e-6, msg=name)


def test_a_run_that_diverges_is_kept_as_failed(tmp_path: Path, dataset: Path) -> None:
    plan = town_plan(
        replay={"dataset": str(dataset)}, optimizer={"learning_rate": 1e36, "max_grad_norm": 1e36}, ppo={"gamma": 0.99}
    )
    run = offline_run(plan, tmp_path)

    with pytest.raises(TrainingDiverged) as caught:
        run.train(5)
    run.close()

    metadata = open_run(tmp_path, "run").metadata()
    assert (metadata.status, metadata.error) == (RunStatus.FAILED, f"TrainingDiverged: {caught.value}")
    events = [json.loads(line) for line in (tmp_path / "run/telemetry/events.jsonl").read_text().splitlines()]
    assert events[-1]["data"]["outcome"] == "failed"


def test_a_run_that_exists_or_a_dataset_that_does_not_is_refused(tmp_path: Path, dataset: Path) -> None:
    with pytest.raises(UnknownName):
        offline_run(town_plan(replay={"dataset": str(tmp_path / "nowhere")}), tmp_path)
    (tmp_path / "run").mkdir()
    for begin, plan in (
        (cloning_run, cloning_plan(dataset)),
        (offline_run, town_plan(replay={"dataset": str(dataset)})),
    ):
        with refused(RunConflict, "run_exists", run_id="run"):
            begin(plan, tmp_path)


def test_a_warmup_that_counts_env_steps_is_refused_where_none_are_taken(tmp_path: Path) -> None:
    plan = town_plan(replay={"dataset": "none"}, ppo={"value_warmup": 4096})

    with refused(ConfigError, "warmup_needs_env_steps", value_warmup=4096):
        offline_run(plan, tmp_path)

    assert not list(tmp_path.iterdir())
