"""Callbacks of a user: when they are called, what they can change, what is stored, and what their errors do."""

import json
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import torch

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.backend import UpdateOverrides
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.trainer import Trainer
from diorama.runs.checkpoints.resume import StoredTraining, newest_resume_point
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunStatus
from diorama.runs.run import Run
from diorama.training.callbacks.base import RunCallback, RunCallbacks
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from tests.training.small_runs import StopAfter, assert_same_training, resume_small, small_plan, train_small

UPDATE_STEPS = 256
HOOKS = (
    "on_run_start",
    "before_update",
    "on_step",
    "on_rollout",
    "on_update",
    "after_update",
    "on_advance",
    "on_window",
    "on_checkpoint",
    "on_replay",
    "on_run_end",
    "close",
)


def one_update(**changes: object) -> TrainingPlan:
    """One update, which closes a window and writes a checkpoint and its replay."""
    return small_plan(
        steps=UPDATE_STEPS,
        windows={"env_steps": UPDATE_STEPS},
        checkpoints={"every_windows": 1},
        evaluation={"replays_per_window": 1},
        **changes,
    )


def calling(hooks: Mapping[str, Callable[..., object]]) -> RunCallback:
    """Return a callback with these methods beside the inherited ones."""

    def method(name: str) -> Callable[..., object]:
        def call(self: RunCallback, *args: object, **kwargs: object) -> object:
            inherited = getattr(RunCallback, name)(self, *args, **kwargs)
            return hooks[name](*args, **kwargs) or inherited

        return call

    kind: type[RunCallback] = type("Calling", (RunCallback,), {name: method(name) for name in hooks})
    return kind()


def logging_to(calls: list[str], label: str = "") -> RunCallback:
    """Return a callback that writes down the name of every method that is called."""

    def noting(name: str) -> Callable[..., None]:
        def note(*_: object, **__: object) -> None:
            calls.append(f"{label}{name}")

        return note

    return calling({name: noting(name) for name in HOOKS})


def test_a_callback_is_called_at_every_point_of_a_run_in_order(tmp_path: Path) -> None:
    calls: list[str] = []

    train_small(tmp_path, "run", one_update(), callbacks=[logging_to(calls)])

    # The run's own callbacks come first: a step is counted, and its window written, before it is passed on.
    assert [name for name, _ in groupby(calls)] == [
        "on_run_start",
        "before_update",
        "on_step",
        "on_window",
        "on_step",
        "on_rollout",
        "on_update",
        "after_update",
        "on_checkpoint",
        "on_advance",
        "on_replay",
        "on_run_end",
        "close",
    ]
    assert calls.count("on_step") == UPDATE_STEPS // 16


def test_callbacks_are_called_in_the_order_of_their_list(tmp_path: Path) -> None:
    calls: list[str] = []

    train_small(tmp_path, "run", one_update(), callbacks=[logging_to(calls, "first "), logging_to(calls, "second ")])

    assert [call.removeprefix("first ") for call in calls[::2]] == [
        call.removeprefix("second ") for call in calls[1::2]
    ]
    assert set(calls) == {f"{label} {name}" for label in ("first", "second") for name in HOOKS}


def test_a_stopped_run_ends_incomplete(tmp_path: Path) -> None:
    ended: list[bool] = []
    progress = StopAfter(UPDATE_STEPS)
    callback = calling({"on_run_end": lambda *, is_complete: ended.append(is_complete)})

    train_small(tmp_path, "run", small_plan(), progress=progress, stop=progress.stop, callbacks=[callback])

    assert ended == [False]


def test_a_callback_gets_the_open_run(tmp_path: Path) -> None:
    callback = RunCallback()

    layout = train_small(tmp_path, "run", one_update(), callbacks=[callback]).layout

    assert callback.run.writer.layout == layout
    assert callback.run.learner.env_steps_total == UPDATE_STEPS
    assert callback.run.callbacks.items[-1] is callback


class ExpertFirst(RunCallback):
    """Lets the world's expert take all decisions of the first rollout."""

    def __init__(self) -> None:
        self.shares: list[float] = []

    def before_update(self, trainer: Trainer) -> UpdateOverrides | None:
        return UpdateOverrides(teacher_share=1.0, cloning_weight=0.0) if trainer.updates == 0 else None

    def on_rollout(self, rollout: RolloutBuffer) -> None:
        self.shares.append(float(rollout.by_expert.float().mean()))


def test_a_callback_overrides_the_weights_of_the_next_update_alone(tmp_path: Path) -> None:
    short = {
        "world": "townlet",
        "cloning": None,
        "copies": 2,
        "steps": 64,
        "ppo": {"rollout_steps": 16},
        "windows": {"env_steps": 64},
        "evaluation": {"replays_per_window": 0, "closing_episodes": 0, "max_steps_per_episode": 2},
    }
    plan = plan_training(settings_of([load_preset("townlet", "quick"), Layer(source="test", values=short)]))
    callback, stop = ExpertFirst(), StopAfter(64)

    train_small(tmp_path, "run", plan, progress=stop, stop=stop.stop, callbacks=[callback])

    assert callback.shares == [1.0, 0.0]


def test_the_overrides_of_the_last_callback_win() -> None:
    weak, strong = (UpdateOverrides(teacher_share=share, cloning_weight=0.0) for share in (0.25, 0.75))
    trainer: Any = None

    def overriding(*overrides: UpdateOverrides | None) -> RunCallbacks:
        return RunCallbacks([calling({"before_update": lambda _, given=given: given}) for given in overrides])

    assert overriding(weak, strong, None).before_update(trainer) is strong
    assert overriding(None, weak).before_update(trainer) is weak
    assert overriding(None, None).before_update(trainer) is None


class CountingSteps(RunCallback):
    """Counts vector steps in a state, and the same as a tensor."""

    state_key = "counting"

    def __init__(self) -> None:
        self.steps = 0
        self.loaded: list[JsonValue] = []
        self.restored: list[JsonValue] = []

    def on_step(self, step: StepView) -> None:
        self.steps += 1

    def state(self) -> JsonValue:
        return {"steps": self.steps}

    def tensors(self) -> dict[str, torch.Tensor]:
        return {"counting.steps": torch.tensor([self.steps])}

    def load(self, state: JsonValue, stored: StoredTraining) -> None:
        self.loaded.append(state)
        self.steps = 0 if state is None else int(stored.tensors["counting.steps"])

    def after_restore(self, state: JsonValue) -> None:
        self.restored.append(state)


@pytest.mark.parametrize("backend", ["ppo", "random"])
def test_the_state_of_a_callback_is_stored_and_given_back(tmp_path: Path, backend: str) -> None:
    plan, progress = small_plan(backend=backend, steps=1024), StopAfter(512)
    layout = train_small(
        tmp_path, "run", plan, progress=progress, stop=progress.stop, callbacks=[CountingSteps()]
    ).layout
    stored = newest_resume_point(layout).training
    resumed = CountingSteps()

    resume_small(tmp_path, "run", plan, callbacks=[resumed])

    assert stored.values["counting"] == {"steps": 512 // 16}
    assert resumed.loaded == resumed.restored == [{"steps": 512 // 16}]
    assert resumed.steps == 1024 // 16
    assert newest_resume_point(layout).training.values["counting"] == {"steps": 1024 // 16}


def test_a_callback_that_an_earlier_process_did_not_have_gets_no_state(tmp_path: Path) -> None:
    progress = StopAfter(512)
    train_small(tmp_path, "run", small_plan(steps=1024), progress=progress, stop=progress.stop)
    resumed = CountingSteps()

    resume_small(tmp_path, "run", small_plan(steps=1024), callbacks=[resumed])

    assert resumed.loaded == [None]
    assert resumed.steps == 512 // 16


class AddingFields(RunCallback):
    """Adds fields to updates and a column to windows, and keeps the fields of earlier callbacks."""

    def __init__(self) -> None:
        self.earlier: set[str] = set()

    def update_fields(self, report: UpdateReport, fields: Mapping[str, float]) -> Mapping[str, float]:
        self.earlier |= set(fields)
        return {"my_own_field": report.update + 0.5, "chat_quality_mean": 0.75}

    def window_fields(self) -> JsonObject:
        return {"my_column": "blue"}


def test_fields_of_a_callback_are_in_telemetry_and_windows(tmp_path: Path) -> None:
    callback = AddingFields()

    outcome = train_small(tmp_path, "run", one_update(), callbacks=[callback])

    (update,) = events(outcome.layout, "POLICY_UPDATED")
    assert {"my_own_field": 0.5, "chat_quality_mean": 0.75}.items() <= update["extras"].items()
    (record,) = (outcome.layout.telemetry / "ppo.ndjson").read_text().splitlines()
    assert json.loads(record)["chat_quality_mean"] == 0.75
    assert "my_own_field" not in json.loads(record), "the log of PPO updates has fixed fields"
    assert {sink.lost for sink in outcome.sinks} == {0}
    assert [row["my_column"] for row in Run(outcome.layout).windows()] == ["blue"]
    assert "adv_min_std" in callback.earlier


def test_passive_callbacks_do_not_change_the_training(tmp_path: Path) -> None:
    plan = small_plan(steps=2048)

    alone = train_small(tmp_path, "alone", plan)
    observed = train_small(tmp_path, "observed", plan, callbacks=[logging_to([]), RunCallback()])

    assert_same_training(alone.layout, observed.layout)


class MyOwnError(Exception):
    """Raised by a callback."""


@pytest.mark.parametrize("hook", [name for name in HOOKS if name not in ("on_replay", "close")])
def test_an_error_of_a_callback_ends_the_run_as_failed(tmp_path: Path, hook: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MyOwnError(f"no more of {hook}")

    calls: list[str] = []

    with pytest.raises(MyOwnError):
        train_small(
            tmp_path,
            "run",
            one_update(),
            callbacks=[logging_to(calls, "before "), calling({hook: fail}), logging_to(calls, "after ")],
        )

    layout = RunLayout(tmp_path / "run")
    metadata = Run(layout).metadata()
    assert (metadata.status, metadata.error) == (RunStatus.FAILED, f"MyOwnError: no more of {hook}")
    (ended,) = events(layout, "RUN_ENDED")
    assert ended["outcome"] == "failed"
    assert calls[-3:] == [f"before {hook}", "before close", "after close"]


def test_an_interrupt_inside_a_callback_ends_the_run_as_stopped(tmp_path: Path) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_small(tmp_path, "run", one_update(), callbacks=[calling({"on_update": interrupt})])

    assert Run(RunLayout(tmp_path / "run")).metadata().status is RunStatus.STOPPED


def test_every_callback_is_closed_though_one_of_them_fails(tmp_path: Path) -> None:
    def fail() -> None:
        raise MyOwnError("the file is gone")

    closed: list[str] = []
    stop = Event()
    stop.set()

    with pytest.raises(MyOwnError):
        train_small(
            tmp_path,
            "run",
            one_update(),
            stop=stop,
            callbacks=[
                calling({"close": lambda: closed.append("first")}),
                calling({"close": fail}),
                calling({"close": lambda: closed.append("last")}),
            ],
        )

    assert closed == ["first", "last"]
    assert Run(RunLayout(tmp_path / "run")).metadata().status is RunStatus.STOPPED


def events(layout: RunLayout, kind: str) -> list[dict[str, Any]]:
    lines = (layout.telemetry / "events.jsonl").read_text().splitlines()
    return [event["data"] for event in map(json.loads, lines) if event["event_type"] == kind]
