"""Annealing in whole runs: the order of the stages, gates, a frozen ratio, and that a resume changes nothing."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.learn.errors import CloneRefused
from diorama.learn.trainer import Trainer
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.training.callbacks.anneal import RESULT_FILE, AnnealCallback
from diorama.training.callbacks.base import RunCallback, RunCallbacks
from diorama.training.callbacks.progress import NoProgress
from diorama.training.envs import training_batch
from diorama.training.learner import PpoLearner
from diorama.training.plan import TrainingPlan
from tests.refusals import refused
from tests.telemetry.factories import update_report
from tests.training.small_runs import assert_same_policies, assert_same_training, resume_small, train_small
from tests.training.towns import UPDATE_STEPS, captured, town_plan, trained

PASSED_BY_ALL = {"accuracy": 0.0, "recall": 0.0, "value_error": 1e9}


class Notes(NoProgress):
    """Keeps the lines that a run logs."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, message: str) -> None:
        self.lines.append(message)


class Fields(RunCallback):
    """Keeps what a schedule adds to the report of every update."""

    def __init__(self, schedule: AnnealCallback) -> None:
        self.updates: list[Mapping[str, float]] = []
        self._schedule = schedule

    def on_update(self, report: UpdateReport) -> None:
        self.updates.append(self._schedule.update_fields(report, {}))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return captured(tmp_path_factory.mktemp("anneal"))


def bc(cycle: int, epochs: int = 1) -> dict[str, object]:
    return {"cycle": cycle, "mode": "bc", "epochs": epochs}


def ppo(cycle: int, epochs: int = 1, **changes: object) -> dict[str, object]:
    return {"cycle": cycle, "mode": "ppo", "epochs": epochs, **changes}


def annealed(dataset: Path | None, *stages: dict[str, object], accuracy: float = 0.0, **changes: Any) -> TrainingPlan:
    """Return a run as long as its ppo stages, whose clones pass every gate but that of the accuracy."""
    updates = sum(int(str(stage["epochs"])) for stage in stages if stage["mode"] == "ppo")
    cloning = None if dataset is None else {"dataset": str(dataset), "gate": PASSED_BY_ALL}
    return town_plan(
        steps=updates * UPDATE_STEPS,
        anneal={"stages": list(stages), "accuracy_threshold": accuracy},
        cloning=cloning,
        # No checkpoint is due before the run ends.
        windows={"env_steps": 100 * UPDATE_STEPS},
        **changes,
    )


def results_of(layout: RunLayout) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((layout.directory / RESULT_FILE).read_text())
    return document


def test_stages_run_by_cycle_and_the_policy_takes_a_growing_share(tmp_path: Path, dataset: Path) -> None:
    plan = annealed(dataset, bc(4), ppo(3, bc_weight=0.5), bc(2), ppo(1, 2), bc(0, 2))
    assert plan.settings.anneal is not None
    notes = Notes()
    callback = AnnealCallback(plan, plan.settings.anneal, tmp_path, notes)
    fields = Fields(callback)
    learner = PpoLearner(plan, training_batch(plan), RunCallbacks([callback, fields]))

    learner.prepare(notes, Event())
    for _ in range(3):
        assert not (tmp_path / RESULT_FILE).exists()
        learner.advance()
    learner.close()

    results = results_of(RunLayout(tmp_path))
    assert [(stage["cycle"], stage["mode"], stage["epochs"]) for stage in results["stages"]] == [
        (0, "bc", 2),
        (1, "ppo", 2),
        (2, "bc", 1),
        (3, "ppo", 1),
        (4, "bc", 1),
    ]
    assert [stage["passed"] for stage in results["stages"]] == [True, None, True, None, True]
    assert (results["dataset"], results["rolled_back"], results["status"] != "FAIL") == ("first", False, True)
    assert [update["anneal_ratio"] for update in fields.updates] == [0.2, 0.2, 1.0]
    assert [update["anneal_bc_weight"] for update in fields.updates] == [0.0, 0.0, 0.5]
    assert [line.partition(":")[0] for line in notes.lines] == [f"stage {cycle}" for cycle in range(5)]


@pytest.fixture(scope="module")
def refused_run(tmp_path_factory: pytest.TempPathFactory, dataset: Path) -> tuple[RunLayout, TrainingPlan]:
    """A run whose clone has missed its gate after the first update."""
    root, plan = tmp_path_factory.mktemp("refused"), annealed(dataset, ppo(0), bc(1), ppo(2), accuracy=1.0)
    with refused(CloneRefused, "clone_misses_gate") as caught:
        train_small(root, "run", plan)
    shortcomings = caught.value.fields["shortcomings"]
    assert isinstance(shortcomings, tuple)
    assert [line.partition(" is ")[0] for line in shortcomings] == ["accuracy"]
    return RunLayout(root / "run"), plan


def test_a_clone_that_misses_its_gate_ends_the_run_with_the_policy_before_it(
    tmp_path: Path, refused_run: tuple[RunLayout, TrainingPlan]
) -> None:
    layout, plan = refused_run
    before = trained(tmp_path, "before", plan, updates=1)

    results = results_of(layout)

    assert_same_policies(layout, before)
    assert (results["status"], results["rolled_back"]) == ("FAIL", True)
    assert [(stage["mode"], stage["passed"], stage["rolled_back"]) for stage in results["stages"]] == [
        ("ppo", None, False),
        ("bc", False, True),
    ]
    assert results["stages"][1]["shortcomings"] != []
    assert open_run(layout.directory.parent, "run").metadata().status is RunStatus.FAILED


def test_a_run_that_has_failed_at_a_gate_cannot_be_resumed_past_it(refused_run: tuple[RunLayout, TrainingPlan]) -> None:
    layout, plan = refused_run
    before = results_of(layout)

    with refused(CloneRefused, "schedule_ended_at_gate"):
        resume_small(layout.directory.parent, "run", plan)

    assert results_of(layout) == before
    assert open_run(layout.directory.parent, "run").metadata().env_steps_total == UPDATE_STEPS


@pytest.mark.parametrize("updates", [1, 2, 3])
def test_a_schedule_that_is_cut_off_anywhere_ends_as_if_it_had_not_been(
    tmp_path: Path, dataset: Path, updates: int
) -> None:
    plan = annealed(dataset, bc(0), ppo(1, 2, bc_weight=0.5), ppo(2, 3))
    whole = trained(tmp_path, "whole", plan, updates=4)
    trained(tmp_path, "parts", plan, updates=updates)

    parts = trained(tmp_path, "parts", plan, updates=4, is_resumed=True)

    assert_same_training(whole, parts)


def step(plan: TrainingPlan, sufficiencies: list[float], alive: list[int]) -> StepView:
    """Return a step of one copy in which its citizens are so self-sufficient."""
    metrics = np.zeros((len(alive), len(plan.spec.metric_keys)), np.float32)
    metrics[:, plan.spec.metric_keys.index("self_sufficiency")] = sufficiencies
    return StepView(
        first_copy=0,
        copies=1,
        agents=len(alive),
        rewards=np.zeros(len(alive), np.float32),
        terminated=np.zeros(len(alive), np.uint8),
        truncated=np.zeros(len(alive), np.uint8),
        alive_before=np.array(alive, np.uint8),
        obs=lambda: np.zeros((len(alive), 1), np.float32),
        metrics=metrics,
        dt=np.ones(1, np.uint16),
        events=np.zeros(1, np.uint64),
    )


def test_a_ratio_is_frozen_when_the_citizens_of_a_stage_do_worse(tmp_path: Path) -> None:
    plan = annealed(None, ppo(0), ppo(1), ppo(2))
    assert plan.settings.anneal is not None
    trainer = Trainer(training_batch(plan), plan.settings.trainer, seed=1, callbacks=[])
    callback = AnnealCallback(plan, plan.settings.anneal, tmp_path, NoProgress())

    shares = []
    for sufficiency in (0.8, 0.4, 0.4):
        shares.append(callback.before_update(trainer).teacher_share)
        # A seat that nobody sits in does not count.
        callback.on_step(step(plan, [sufficiency, sufficiency, 1000.0], [1, 1, 0]))
        callback.on_step(step(plan, [1000.0], [0]))
        fields = callback.update_fields(update_report(), {})
        callback.after_update(trainer)
    trainer.close()

    assert shares == pytest.approx([0.8, 0.4, 0.4])
    assert fields["anneal_frozen"] == 1
    results = results_of(RunLayout(tmp_path))
    assert [stage["flags"] for stage in results["stages"]] == [[], ["self_sufficiency"], []]
    assert results["stages"][0]["figures"]["key_figures"]["self_sufficiency"] == pytest.approx(0.8)
    assert results["status"] == "HOLD"


def test_updates_from_stored_episodes_are_no_cycles_of_a_schedule(tmp_path: Path) -> None:
    plan = annealed(None, ppo(0))
    assert plan.settings.anneal is not None
    callback = AnnealCallback(plan, plan.settings.anneal, tmp_path, NoProgress())
    before = callback.state()

    assert callback.update_fields(replace(update_report(), is_replayed=True), {}) == {}
    assert callback.state() == before
    assert callback.update_fields(update_report(), {})["anneal_ratio"] == 1.0
    assert callback.state() != before
