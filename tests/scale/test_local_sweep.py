"""Sweeps in processes of this machine, with several training seeds per trial."""

import json
import os
import signal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.scale.sweeps.report import REPORT, SweepRequest, TrialRow
from diorama.scale.sweeps.running import run_sweep
from diorama.scale.sweeps.spec import Aggregate, Goal, SweepSpec
from diorama.scale.sweeps.trial import aggregate_scores, run_trial
from tests.refusals import refused
from tests.scale.small_sweep import SPEC

ON_OPTUNA = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("optuna") is None, reason="Optuna is not installed; the extra 'scale' brings it"),
    pytest.mark.filterwarnings("ignore"),
]
CHOSEN = {"ppo.gamma": 0.95}
SEEDED = SPEC.model_copy(
    update={"seeds": (3, 4), "settings": {**SPEC.settings, "steps": 2048, "evaluation.closing_episodes": 0}}
)


def request_of(root: Path, spec: SweepSpec, **changes: Any) -> SweepRequest:
    asked = {"name": "local", "parallel": 1, "on_cluster": False, **changes}
    return SweepRequest(spec=spec, root=root / "sweeps", run_root=root / "runs", **asked)


@pytest.mark.slow
def test_a_trial_trains_every_seed_and_reports_their_aggregate_after_every_window(tmp_path: Path) -> None:
    reported: list[tuple[int, float]] = []

    def goes_on(windows: int, score: float) -> bool:
        reported.append((windows, score))
        return True

    outcome = run_trial(SEEDED, CHOSEN, tmp_path, "trial", goes_on)

    assert outcome.scores.keys() == {"3", "4"}
    assert outcome.score == pytest.approx(sum(score or 0.0 for score in outcome.scores.values()) / 2)
    assert [windows for windows, _ in reported] == [1, 2, 3, 4]
    assert reported[-1][1] == outcome.score
    assert reported[1][1] == outcome.scores["3"]
    assert [open_run(tmp_path, f"trial-seed{seed}").metadata().seed for seed in (3, 4)] == [3, 4]
    assert run_trial(SEEDED, CHOSEN, tmp_path, "trial", goes_on) == outcome, "what ran already is not trained again"


@pytest.mark.slow
def test_a_trial_given_up_in_its_first_seed_trains_no_other_and_can_go_on(tmp_path: Path) -> None:
    given_up = run_trial(SEEDED, CHOSEN, tmp_path, "trial", lambda windows, score: False)

    assert given_up.was_stopped
    assert given_up.scores.keys() == {"3"}
    assert not (tmp_path / "trial-seed4").exists()

    continued = run_trial(SEEDED, CHOSEN, tmp_path, "trial", lambda windows, score: True)
    whole = run_trial(SEEDED, CHOSEN, tmp_path, "whole", lambda windows, score: True)

    assert continued.scores == whole.scores


@pytest.mark.parametrize(
    ("aggregate", "goal", "score"),
    [
        pytest.param(Aggregate.MEAN, Goal.MAXIMIZE, 2.0, id="mean"),
        pytest.param(Aggregate.BOUND, Goal.MAXIMIZE, 2.0 - 1.0 / 3.0**0.5, id="bound"),
        pytest.param(Aggregate.BOUND, Goal.MINIMIZE, 2.0 + 1.0 / 3.0**0.5, id="bound-where-less-is-better"),
    ],
)
def test_scores_of_seeds_become_one(aggregate: Aggregate, goal: Goal, score: float) -> None:
    objective = SPEC.objective.model_copy(update={"goal": goal})
    spec = SEEDED.model_copy(update={"aggregate": aggregate, "objective": objective})

    assert aggregate_scores(spec, [1.0, 2.0, 3.0]) == pytest.approx(score)
    assert aggregate_scores(spec, [1.5]) == 1.5


def test_a_report_of_another_question_is_refused_and_one_from_before_seeds_is_not(tmp_path: Path) -> None:
    request = request_of(tmp_path, SEEDED)
    request.directory.mkdir(parents=True)
    before = SPEC.model_dump(mode="json")
    del before["seeds"], before["aggregate"]
    (request.directory / REPORT).write_text(json.dumps({"spec": before}))

    with pytest.raises(ConfigError, match="'local' was begun with another settings, seeds; give a new --name"):
        run_sweep(request, told=lambda rows: None)
    (request.directory / REPORT).write_text(json.dumps({"spec": {"world": 3}}))
    with refused(DocumentError, "sweep_report_invalid"):
        run_sweep(request, told=lambda rows: None)


class TestSearching:
    pytestmark = ON_OPTUNA

    def test_a_sweep_without_ray_runs_every_trial_and_says_what_it_cost(self, tmp_path: Path) -> None:
        request = request_of(tmp_path, SEEDED.model_copy(update={"trials": 2}))

        rows = run_sweep(request, told=lambda rows: None)

        assert [row.state for row in rows] == ["complete", "complete"]
        assert [set(row.scores) for row in rows] == [{"3", "4"}, {"3", "4"}]
        report = json.loads((request.directory / REPORT).read_text())
        assert report["budget"]["runs"] == 4
        assert report["budget"]["seconds"] > 0.0
        best = next(row for row in rows if row.run_id == report["best"][0])
        assert report["best_settings"] == {**SEEDED.settings, **best.chosen}
        assert best.score == max(row.score or 0.0 for row in rows)

    def test_a_trial_whose_process_is_killed_goes_on_in_another(self, tmp_path: Path) -> None:
        request = request_of(tmp_path, SEEDED.model_copy(update={"trials": 1}))
        killed: list[int] = []

        def kill(rows: list[TrialRow]) -> None:
            if not killed:
                from multiprocessing import active_children

                (child,) = (process for process in active_children() if process.pid is not None)
                assert child.pid is not None
                killed.append(child.pid)
                os.kill(child.pid, signal.SIGKILL)

        (row,) = run_sweep(request, told=kill)

        assert killed
        assert row.state == "complete"
        assert open_run(request.run_root, "local-0000-seed4").metadata().status is RunStatus.COMPLETED

    def test_a_sweep_that_was_left_goes_on(self, tmp_path: Path) -> None:
        class Left(Exception):
            pass

        def leave(rows: object) -> None:
            raise Left

        with pytest.raises(Left):
            run_sweep(request_of(tmp_path, SEEDED.model_copy(update={"trials": 1})), told=leave)

        rows = run_sweep(request_of(tmp_path, SEEDED.model_copy(update={"trials": 2})), told=lambda rows: None)

        assert [(row.run_id, row.state) for row in rows] == [("local-0000", "complete"), ("local-0001", "complete")]

    def test_settings_that_a_world_refuses_end_the_sweep(self, tmp_path: Path) -> None:
        spec = SEEDED.model_copy(update={"space": {"policy.arch": ("magic-v1",)}})

        with pytest.raises(ConfigError, match="magic"):
            run_sweep(request_of(tmp_path, spec), told=lambda rows: None)
