"""The recorder: answers in order, and failures that stop nobody."""

from pathlib import Path

import pytest

from diorama.operate.training.replay_jobs import ReplayAnswer, ReplayJob
from diorama.operate.training.replay_recorder import ReplayRecorder
from tests.operate.training.runs_to_compare import small_plan, train_small


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


def test_replays_come_in_the_order_they_were_asked_for(directory: Path) -> None:
    recorder = ReplayRecorder()
    for window_id in (4, 2, 9):
        recorder.submit(job(directory, window_id))

    answers = list(recorder.remaining())
    recorder.close()

    assert [answer.window_id for answer in answers] == [4, 2, 9]
    assert all(answer.entry is not None for answer in answers)
    assert recorder.pending == 0


def test_a_replay_that_cannot_be_made_says_why_and_the_next_one_is(directory: Path) -> None:
    recorder = ReplayRecorder()
    recorder.submit(job(directory, 0, world="atlantis"))
    recorder.submit(job(directory, 1))

    failed, made = recorder.remaining()
    recorder.close()

    assert failed.entry is None
    assert failed.error is not None
    assert "atlantis" in failed.error
    assert made.entry is not None


def test_a_dead_process_answers_for_everything_it_was_asked(directory: Path) -> None:
    recorder = ReplayRecorder()
    recorder.submit(job(directory, 0))
    recorder.submit(job(directory, 1, max_steps=10_000_000, config={}))
    assert recorder._process is not None
    recorder._process.kill()

    answers: list[ReplayAnswer] = list(recorder.remaining())
    recorder.close()

    assert [answer.window_id for answer in answers] == [0, 1]
    assert answers[1].error is not None
