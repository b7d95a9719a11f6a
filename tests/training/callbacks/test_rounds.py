"""Rounds of a world that plays in rounds: a line for each, also after a resume."""

import json
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonValue
from diorama.runs.layout import RunLayout
from diorama.training.callbacks.rounds import ROUNDS_FILE, RoundCallback
from diorama.training.envs import ReplaceableEnvs, training_batch
from diorama.training.plan import TrainingPlan, plan_training
from tests.refusals import refused
from tests.training.small_runs import StopAfter, resume_small, train_small
from tests.worlds.morphogenesis.learners import controller_settings
from tests.worlds.morphogenesis.small_worlds import SMALL

COPIES, EPOCHS = 2, 6
ROUND_STEPS = COPIES * EPOCHS


def plan_of_rounds() -> TrainingPlan:
    settings = controller_settings(
        "demo",
        copies=COPIES,
        config={**SMALL},
        steps=5 * ROUND_STEPS,
        windows={"env_steps": ROUND_STEPS},
        evaluation={"replays_per_window": 0, "closing_episodes": 0},
    )
    return plan_training(settings)


def lines(layout: RunLayout) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (layout.telemetry / ROUNDS_FILE).read_text().splitlines()]


@pytest.mark.slow
def test_the_lines_that_a_killed_process_wrote_beyond_its_checkpoint_are_replaced(tmp_path: Path) -> None:
    plan = plan_of_rounds()
    first, second = StopAfter(ROUND_STEPS), StopAfter(2 * ROUND_STEPS)
    layout = train_small(tmp_path, "run", plan, progress=first, stop=first.stop).layout
    kept = lines(layout)
    with (layout.telemetry / ROUNDS_FILE).open("a") as file:
        file.write('{"batch": 2, "of": "the killed process"}\n')

    resume_small(tmp_path, "run", plan, progress=second, stop=second.stop)

    assert [line["batch"] for line in kept] == [1]
    assert lines(layout)[:1] == kept
    assert [line["batch"] for line in lines(layout)] == [1, 2]
    assert "of" not in lines(layout)[1]


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(None, id="nothing"),
        pytest.param({}, id="no-averages"),
        pytest.param({"averages": 2}, id="averages-that-are-no-list"),
    ],
)
def test_a_state_of_a_run_without_rounds_is_refused(tmp_path: Path, state: JsonValue) -> None:
    plan = plan_of_rounds()
    callback = RoundCallback(plan, ReplaceableEnvs(training_batch(plan)), RunLayout(tmp_path / "run"))

    with refused(DocumentError, "stored_rounds_missing"):
        callback.after_restore(state)

    assert not (tmp_path / "run").exists()
