"""The directory of a run: created once, continued, and refused where it does not fit."""

import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, DocumentError, RunConflict, UnknownName
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run, open_run
from diorama.training.run_directory import check_new, check_target, stored_settings
from tests.refusals import refused
from tests.training.small_runs import StopAfter, resume_small, small_plan, train_small


@pytest.fixture
def random_run(tmp_path: Path) -> Run:
    """A completed run of 64 steps."""
    train_small(tmp_path, "run-a", small_plan(backend="random", steps=64))
    return open_run(tmp_path, "run-a")


def test_an_existing_run_is_never_written_into(tmp_path: Path, random_run: Run) -> None:
    before = random_run.metadata()

    with refused(RunConflict, "run_exists", run_id="run-a", directory=random_run.layout.directory):
        train_small(tmp_path, "run-a", small_plan(backend="random", steps=64))

    assert random_run.metadata() == before


def test_a_new_run_is_not_created_by_the_check(tmp_path: Path) -> None:
    layout = check_new(tmp_path, "run-a")

    assert layout.run_id == "run-a"
    assert not layout.directory.exists()


def test_schedules_over_the_whole_run_fix_its_total(tmp_path: Path) -> None:
    ramp = {"start": 1e-3, "end": 0.0, "run_share": 1.0}
    progress = StopAfter(256)
    train_small(
        tmp_path,
        "run-a",
        small_plan(steps=512, optimizer={"learning_rate": ramp}),
        progress=progress,
        stop=progress.stop,
    )
    run = open_run(tmp_path, "run-a")

    assert check_target(run, stored_settings(run), None) == 512
    with refused(ConfigError, "steps_differ_from_schedule", steps=1024, schedule_steps=512):
        check_target(run, stored_settings(run), 1024)


def test_a_completed_run_needs_more_steps_to_continue(random_run: Run) -> None:
    settings = stored_settings(random_run)

    assert check_target(random_run, settings, 128) == 128
    with refused(ConfigError, "run_is_complete", run_id="run-a", env_steps_total=64):
        check_target(random_run, settings, None)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"cloning": {"bot": "sane"}}, id="rule"),
        pytest.param({"copies": 0}, id="value"),
        pytest.param({"luck": 7}, id="no-such-setting"),
    ],
)
def test_stored_settings_that_were_changed_are_refused(random_run: Run, changed: dict[str, object]) -> None:
    change_config(random_run.layout, **changed)

    with refused(DocumentError, "run_config_invalid", path=random_run.layout.config):
        stored_settings(random_run)


def test_a_run_cannot_continue_in_another_configuration_of_the_world(tmp_path: Path, random_run: Run) -> None:
    other = small_plan(backend="random", steps=128, config={"time_max": 400.0})
    before = random_run.metadata()

    with refused(
        DocumentError,
        "world_config_changed",
        run_id="run-a",
        recorded=before.config_hash,
        found=other.venue.config_hash,
    ):
        resume_small(tmp_path, "run-a", other)

    assert random_run.metadata() == before
    resume_small(tmp_path, "run-a", small_plan(backend="random", steps=128))
    assert random_run.metadata().env_steps_total == 128


def test_a_run_that_does_not_exist_cannot_be_continued(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        resume_small(tmp_path, "run-a", small_plan(backend="random", steps=64))

    assert [*tmp_path.iterdir()] == []


def change_config(layout: RunLayout, **changed: object) -> None:
    layout.config.write_text(json.dumps({**json.loads(layout.config.read_text()), **changed}))
