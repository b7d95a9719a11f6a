"""Courses: a run moves from one overlay of its world to the next, also across a resume."""

from pathlib import Path

import pytest

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonValue
from diorama.learn.trainer import Trainer
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.runs.run import Run
from diorama.training.callbacks.curriculum import CurriculumCallback
from diorama.training.callbacks.progress import NoProgress
from diorama.training.envs import ReplaceableEnvs, training_batch
from diorama.training.plan import TrainingPlan
from tests.refusals import refused
from tests.training.small_runs import assert_same_training
from tests.training.towns import UPDATE_STEPS, town_plan, trained


def walking() -> TrainingPlan:
    return town_plan(course={"last": "M1"}, steps=6 * UPDATE_STEPS)


def callback_of(plan: TrainingPlan, envs: ReplaceableEnvs | None = None) -> CurriculumCallback:
    return CurriculumCallback(plan, envs or ReplaceableEnvs(training_batch(plan)), NoProgress())


def stored(**values: JsonValue) -> StoredTraining:
    return StoredTraining(tensors={}, values=dict(values), snapshots=[])


def test_a_run_moves_on_when_the_bands_of_its_overlay_hold_for_two_windows(tmp_path: Path) -> None:
    layout = trained(tmp_path, "run", walking(), updates=5)

    assert [row["overlay"] for row in Run(layout).windows()] == ["M0", "M0", "M1", "M1", "M1"]


@pytest.mark.parametrize("updates", [1, 2, 3])
def test_a_course_that_is_cut_off_anywhere_goes_on_as_if_it_had_not_been(tmp_path: Path, updates: int) -> None:
    plan = walking()
    whole = trained(tmp_path, "whole", plan, updates=4)
    trained(tmp_path, "parts", plan, updates=updates)

    parts = trained(tmp_path, "parts", plan, updates=4, is_resumed=True)

    assert_same_training(whole, parts)


def test_a_state_comes_back_with_the_copies_of_the_overlay_it_was_stored_in() -> None:
    plan = walking()
    envs = ReplaceableEnvs(training_batch(plan))
    trainer = Trainer(envs, plan.settings.trainer, seed=1, callbacks=[])
    callback, begun = callback_of(plan, envs), trainer.state().snapshots
    state: JsonValue = {"place": 1, "cycle": 2, "exchanges": 1, "env_steps": 2 * UPDATE_STEPS, "windows": []}

    callback.load(state, stored(course=state))

    assert callback.window_fields() == {"overlay": "M1"}
    assert callback.state() == state
    assert trainer.state().snapshots != begun
    trainer.close()


def test_a_state_from_before_courses_were_stored_begins_with_the_first_overlay() -> None:
    callback = callback_of(walking())
    before = callback.state()

    callback.load(None, stored())

    assert callback.window_fields() == {"overlay": "M0"}
    assert callback.state() == before


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(None, id="nothing"),
        pytest.param({"place": 0}, id="parts-missing"),
        pytest.param({"place": "M1", "cycle": 0, "exchanges": 0, "env_steps": 0, "windows": []}, id="no-number"),
    ],
)
def test_a_state_of_a_run_without_a_course_is_refused(state: JsonValue) -> None:
    with refused(DocumentError, "stored_course_missing"):
        callback_of(walking()).load(state, stored(course=state))
