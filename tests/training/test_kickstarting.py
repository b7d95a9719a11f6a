"""Runs that are kickstarted: what they report, how they resume, whom they can learn from."""

import json
import shutil
from pathlib import Path

import pytest

from diorama.contracts.errors import CheckpointMismatch, ConfigError, DocumentError, UnknownName
from diorama.runs.checkpoints.files import checkpoint_paths, newest_checkpoint
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run
from diorama.training.plan import check_workers
from diorama.training.teachers import TEACHER_KEY, bot_teacher, open_teacher
from tests.refusals import refused
from tests.training.small_runs import (
    SMALL_MATCHES,
    StopAfter,
    assert_same_training,
    resume_small,
    small_plan,
    train_small,
)

RAMP = {"start": 1.0, "end": 0.0, "run_share": 0.5}
SHORT: dict[str, object] = {"steps": 1024, "windows": {"env_steps": 256}, "checkpoints": {"every_windows": 1}}
RECURRENT: dict[str, object] = {"policy": {"arch": "mingru-8-v1"}, "ppo": {"sequence_length": 8}}


@pytest.fixture(scope="module")
def taught_by(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    """A finished run, whose policy teaches."""
    return train_small(tmp_path_factory.mktemp("teacher"), "teacher", small_plan(**SHORT, **RECURRENT)).layout


def test_windows_and_telemetry_report_the_teacher_as_long_as_it_is_asked(tmp_path: Path) -> None:
    plan = small_plan(**SHORT, kickstarting={"teacher": "prudent_hauler", "weight": RAMP})

    layout = train_small(tmp_path, "run", plan).layout

    rows = [*Run(layout).windows()]
    # A window closes before the update that follows its last step.
    assert [row.get("kickstarting_weight") for row in rows] == [None, 1.0, 0.5, None]
    assert 0.0 <= rows[1]["teacher_agreement"] <= 1.0
    assert rows[1]["loss_kickstarting"] > 0.5
    records = [json.loads(line) for line in (layout.directory / "telemetry" / "ppo.ndjson").read_text().splitlines()]
    assert [record.get("kickstarting_weight") for record in records] == [1.0, 0.5, None, None]
    assert all(("teacher_agreement" in record) == ("loss_kickstarting" in record) for record in records)


def test_a_run_without_the_section_says_nothing_of_it(tmp_path: Path) -> None:
    layout = train_small(tmp_path, "run", small_plan(**{**SHORT, "steps": 256})).layout

    assert "teacher_agreement" not in next(iter(Run(layout).windows()))
    assert "kickstarting" not in small_plan(**SHORT).settings.model_dump()
    point = newest_resume_point(layout)
    assert TEACHER_KEY not in point.training.values
    assert "rollout.teacher_memories" not in point.training.tensors


@pytest.mark.parametrize("teacher", ["prudent_hauler", "random_valid", "run"])
def test_a_kickstarted_run_resumes_exactly(tmp_path: Path, teacher: str, taught_by: RunLayout) -> None:
    name = str(taught_by.directory) if teacher == "run" else teacher
    section = {"teacher": name, "weight": {"start": 1.0, "end": 0.2, "env_steps": 1024}}
    plan, progress = small_plan(**SHORT, **RECURRENT, kickstarting=section), StopAfter(512)
    whole = train_small(tmp_path, "whole", plan)
    train_small(tmp_path, "parts", plan, progress=progress, stop=progress.stop)

    grown = resume_small(tmp_path, "parts", plan)

    assert_same_training(whole.layout, grown.layout)


@pytest.mark.parametrize("is_native", [True, False], ids=["native", "torch"])
def test_a_cloned_and_kickstarted_run_with_value_components_resumes_exactly(tmp_path: Path, is_native: bool) -> None:
    terms = ("credits", "ore", "time", "damage", "heat", "invalid", "terminal")
    components = {**dict.fromkeys(terms, 1.0), "terminal": {"start": 0.0, "end": 4.0, "env_steps": 1024}}
    recurrent = {**RECURRENT, "policy": {"arch": "mingru-8-v1", "value_components": components}}
    cloning = {"bot": "refiner", "decisions": 512, "copies": 16, "epochs": 1, "minibatch_rows": 256, "anneal": 0.1}
    section = {"teacher": "refiner", "weight": 0.5}
    execution = {"lane_copies": 8, "shard_rows": 64, "native": is_native}
    plan = small_plan(**SHORT, **recurrent, cloning=cloning, kickstarting=section, execution=execution)
    progress = StopAfter(512)
    whole = train_small(tmp_path, "whole", plan)
    train_small(tmp_path, "parts", plan, progress=progress, stop=progress.stop)

    grown = resume_small(tmp_path, "parts", plan)

    assert_same_training(whole.layout, grown.layout)


def test_a_resumed_run_asks_the_checkpoint_that_it_began_with(tmp_path: Path, taught_by: RunLayout) -> None:
    teacher = RunLayout(Path(shutil.copytree(taught_by.directory, tmp_path / "teacher")))
    section = {"teacher": str(teacher.directory)}
    newest = newest_checkpoint(teacher)
    older = newest.with_name("kept.safetensors")
    newest.rename(older)
    first = train_small(tmp_path, "run", small_plan(**{**SHORT, "steps": 512}, kickstarting=section))
    reference = newest_resume_point(first.layout).training.values[TEACHER_KEY]
    asked = newest_checkpoint(teacher)
    assert reference["path"] == str(asked)

    older.rename(newest)  # the teacher has trained on
    assert newest_checkpoint(teacher) != asked
    again = resume_small(tmp_path, "run", small_plan(**SHORT, kickstarting=section))
    assert newest_resume_point(again.layout).training.values[TEACHER_KEY] == reference

    shutil.copyfile(newest, asked)
    with pytest.raises(CheckpointMismatch):
        resume_small(tmp_path, "run", small_plan(**SHORT, kickstarting=section), steps=2048)


def test_a_reference_that_cannot_be_read_is_refused(taught_by: RunLayout) -> None:
    plan = small_plan(**RECURRENT)
    teacher = open_teacher(plan.venue.world, plan.spec, str(taught_by.directory))

    with refused(DocumentError, "teacher_reference_invalid"):
        teacher.load({"path": "somewhere"}, plan.spec)


def test_a_bot_that_does_not_exist_is_no_teacher() -> None:
    with refused(UnknownName, "unknown_bot", name="nobody"):
        bot_teacher(small_plan().venue.world, "nobody")


def test_a_teacher_that_does_not_exist_is_refused() -> None:
    with refused(UnknownName, "unknown_teacher", name="prudent_hualer"):
        small_plan(kickstarting={"teacher": "prudent_hualer"})


def test_a_checkpoint_of_another_world_is_refused_before_anything_is_written(
    tmp_path: Path, taught_by: RunLayout
) -> None:
    plan = small_plan(
        SMALL_MATCHES,
        kickstarting={"teacher": str(checkpoint_paths(taught_by)[-1])},
    )

    with pytest.raises(CheckpointMismatch, match="prospector"):
        train_small(tmp_path, "run", plan)

    assert not (tmp_path / "run").exists()


def test_a_learner_in_matches_can_be_kickstarted(tmp_path: Path) -> None:
    plan = small_plan(SMALL_MATCHES, kickstarting={"teacher": "hunter"})
    whole, progress = train_small(tmp_path, "whole", plan), StopAfter(512)
    train_small(tmp_path, "parts", plan, progress=progress, stop=progress.stop)

    grown = resume_small(tmp_path, "parts", plan)

    ours, theirs = (newest_resume_point(run.layout).training for run in (whole, grown))
    assert ours.snapshots == theirs.snapshots
    assert ours.tensors.keys() == theirs.tensors.keys()
    for name, tensor in ours.tensors.items():
        assert tensor.numpy().tobytes() == theirs.tensors[name].numpy().tobytes(), name
    assert [*Run(whole.layout).windows()][-1]["teacher_agreement"] is not None


def test_remote_workers_do_not_ask_teachers() -> None:
    plan = small_plan(kickstarting={"teacher": "prudent_hauler"})

    with refused(ConfigError, "workers_exclude_kickstarting"):
        check_workers(plan, 2)
