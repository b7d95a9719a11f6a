"""Replays of checkpoints: requested by a run, and recorded by a process of their own."""

from pathlib import Path

import pytest

from diorama.runs.checkpoints.files import checkpoint_paths
from diorama.runs.replays.index import read_index
from diorama.runs.run import open_run
from diorama.training.callbacks.replays import ReplayAnswer, ReplayJob, ReplayRecorder
from tests.training.small_runs import (
    StopAfter,
    assert_same_policies,
    resume_small,
    rows_without_wall_clock,
    small_plan,
    train_small,
)


def job(directory: Path, window_id: int, **changes: object) -> ReplayJob:
    values: dict[str, object] = {
        "run_directory": str(directory),
        "world": "prospector",
        "config": {"time_max": 100.0},
        "tier": "auto",
        "trainer_backend": "random",
        "window_id": window_id,
        "checkpoint_path": "checkpoints/ckpt_000000.json",
        "sha256": "0" * 64,
        "env_steps_total": 64,
        "seeds": [1, 2, 3],
        "deterministic": True,
        "max_steps": 8,
        "include_info": False,
        "milestones": {},
    }
    return ReplayJob(**{**values, **changes})  # type: ignore[arg-type]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return train_small(tmp_path, "run-a", small_plan(backend="random", steps=64)).layout.directory


def test_replays_are_recorded_in_the_order_of_the_jobs(directory: Path) -> None:
    recorder = ReplayRecorder()
    for window_id in (4, 2, 9):
        recorder.submit(job(directory, window_id))

    answers = list(recorder.remaining())
    recorder.close()

    assert [answer.window_id for answer in answers] == [4, 2, 9]
    assert all(answer.entry is not None for answer in answers)
    assert recorder.pending == 0


def test_a_failed_job_is_answered_with_the_error_and_the_next_one_is_recorded(directory: Path) -> None:
    recorder = ReplayRecorder()
    recorder.submit(job(directory, 0, world="atlantis"))
    recorder.submit(job(directory, 1))

    failed, made = recorder.remaining()
    recorder.close()

    assert failed.entry is None
    assert failed.error is not None
    assert "atlantis" in failed.error
    assert made.entry is not None


def test_every_pending_job_of_a_killed_process_is_answered_with_an_error(directory: Path) -> None:
    recorder = ReplayRecorder()
    recorder.submit(job(directory, 0))
    recorder.submit(job(directory, 1, max_steps=10_000_000, config={}))
    assert recorder._process is not None
    recorder._process.kill()

    answers: list[ReplayAnswer] = list(recorder.remaining())
    recorder.close()

    assert [answer.window_id for answer in answers] == [0, 1]
    assert answers[1].error is not None


def test_a_completed_policy_gets_a_replay_though_the_settings_want_none(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(steps=600))

    run = open_run(tmp_path, "run-a")
    (entry,) = run.replay_index().entries
    assert entry.checkpoint_path == run.layout.relative(checkpoint_paths(run.layout)[-1])
    assert entry.checkpoint_env_steps_total == 768
    assert entry.seed == 100_000


def test_replays_do_not_change_training(tmp_path: Path) -> None:
    plain = train_small(tmp_path, "plain", small_plan())
    recorded = train_small(tmp_path, "recorded", small_plan(evaluation={"replays_per_window": 3}))

    assert rows_without_wall_clock(plain.layout) == rows_without_wall_clock(recorded.layout)
    assert_same_policies(plain.layout, recorded.layout)


def test_a_resumed_run_records_the_replays_that_are_missing(tmp_path: Path) -> None:
    plan = small_plan(
        backend="random",
        steps=512,
        windows={"env_steps": 256},
        checkpoints={"every_windows": 1},
        evaluation={"replays_per_window": 1},
    )
    progress = StopAfter(256)
    layout = train_small(tmp_path, "run-a", plan, progress=progress, stop=progress.stop).layout
    before = [entry.window_id for entry in read_index(layout).entries]

    resume_small(tmp_path, "run-a", plan)

    assert before == [], "a stopped run does not wait for replays"
    assert [entry.window_id for entry in read_index(layout).entries] == [0, 1]
