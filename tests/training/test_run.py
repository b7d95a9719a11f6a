"""`train` and `resume`: the files of a run, and how it ends."""

import json
from pathlib import Path
from threading import Event

import pytest

from diorama.contracts.training_reports import UpdateReport
from diorama.learn.errors import TrainingDiverged
from diorama.runs.checkpoints.files import checkpoint_paths
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunStatus
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import Run, open_run
from diorama.training.callbacks.base import RunCallback
from diorama.training.run_directory import stored_settings
from tests.training.small_runs import (
    StopAfter,
    assert_same_training,
    resume_small,
    rows_without_wall_clock,
    small_plan,
    train_small,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    """A run of the plain small plan that was not interrupted."""
    return train_small(tmp_path_factory.mktemp("whole"), "whole", small_plan()).layout


def test_a_completed_run_has_everything(tmp_path: Path) -> None:
    plan = small_plan(evaluation={"replays_per_window": 2})

    outcome = train_small(tmp_path, "run-a", plan)

    run = open_run(tmp_path, "run-a")
    metadata = run.metadata()
    assert outcome.status is RunStatus.COMPLETED is metadata.status
    assert (metadata.env_steps_total, metadata.windows_emitted) == (4096, 4)
    assert [row["window_id"] for row in run.windows()] == [0, 1, 2, 3]
    assert [row["env_steps_end"] for row in run.windows()] == [1000, 2000, 3000, 4000]
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.env_steps_total == 4096
    assert metadata.checkpoints_written == len(checkpoint_paths(run.layout))
    assert stored_settings(run) == plan.settings
    entries = run.replay_index().entries
    assert [entry.window_id for entry in entries] == [1, 3]
    assert metadata.replays_written == 2
    assert all(verify_replay(open_replay(run.layout, entry.replay_id)).is_faithful for entry in entries)


@pytest.mark.parametrize("backend", ["ppo", "random"])
def test_a_stopped_run_continues_exactly(tmp_path: Path, backend: str) -> None:
    plan = small_plan(backend=backend)
    whole = train_small(tmp_path, "whole", plan)
    progress = StopAfter(1300)
    stopped = train_small(tmp_path, "parts", plan, progress=progress, stop=progress.stop)
    metadata = Run(stopped.layout).metadata()

    resumed = resume_small(tmp_path, "parts", plan)

    assert stopped.status is RunStatus.STOPPED is metadata.status
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.env_steps_total == stopped.env_steps_total
    assert resumed.status is RunStatus.COMPLETED
    assert_same_training(whole.layout, resumed.layout)


@pytest.mark.slow
class _BreaksOff(RunCallback):
    """Ends a run without a last checkpoint, as a lost machine does."""

    def __init__(self, update: int) -> None:
        self._update = update

    def on_update(self, report: UpdateReport) -> None:
        if report.update == self._update:
            raise RuntimeError("the machine is lost")


def test_a_run_that_broke_off_after_its_checkpoint_logs_every_update_once(whole: RunLayout, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        train_small(tmp_path, "parts", small_plan(), callbacks=[_BreaksOff(12)])
    parts = open_run(tmp_path, "parts")
    checkpoint = parts.metadata().latest_checkpoint
    logged = (parts.layout.telemetry / "ppo.ndjson").read_text().splitlines()
    assert checkpoint is not None
    assert json.loads(logged[-1])["steps"] > checkpoint.env_steps_total

    resumed = resume_small(tmp_path, "parts", small_plan())

    assert_same_training(whole, resumed.layout)


def test_a_run_grows_beyond_its_first_target(tmp_path: Path) -> None:
    whole = train_small(tmp_path, "whole", small_plan(steps=2048))
    plan = small_plan(steps=1024)
    train_small(tmp_path, "parts", plan)

    grown = resume_small(tmp_path, "parts", plan, steps=2048)

    assert rows_without_wall_clock(whole.layout) == rows_without_wall_clock(grown.layout)
    assert Run(grown.layout).metadata().target_env_steps == 2048


@pytest.mark.slow
def test_cloning_and_its_fading_loss_survive_a_resume(tmp_path: Path) -> None:
    cloning = {
        "bot": "prudent_hauler",
        "decisions": 512,
        "copies": 8,
        "epochs": 1,
        "anneal": {"start": 0.5, "end": 0.0, "run_share": 0.75},
        "anneal_rows": 64,
    }
    plan = small_plan(cloning=cloning)
    whole = train_small(tmp_path, "whole", plan)
    progress = StopAfter(1300)
    train_small(tmp_path, "parts", plan, progress=progress, stop=progress.stop)

    resumed = resume_small(tmp_path, "parts", plan)

    assert_same_training(whole.layout, resumed.layout)


@pytest.mark.slow
def test_a_run_without_a_checkpoint_starts_over(tmp_path: Path) -> None:
    plan = small_plan(steps=1024)
    whole = train_small(tmp_path, "whole", plan)
    stop = Event()
    stop.set()
    nothing = train_small(tmp_path, "parts", plan, stop=stop)

    resumed = resume_small(tmp_path, "parts", plan)

    assert nothing.env_steps_total == 0
    assert_same_training(whole.layout, resumed.layout)


def test_a_diverging_run_fails_and_its_metadata_say_why(tmp_path: Path) -> None:
    plan = small_plan(optimizer={"learning_rate": 1e36, "max_grad_norm": 1e36})

    with pytest.raises(TrainingDiverged) as caught:
        train_small(tmp_path, "run-a", plan)

    metadata = open_run(tmp_path, "run-a").metadata()
    assert metadata.status is RunStatus.FAILED
    assert metadata.error == f"TrainingDiverged: {caught.value}"
    events = [json.loads(line) for line in (tmp_path / "run-a/telemetry/events.jsonl").read_text().splitlines()]
    assert events[-1]["data"]["outcome"] == "failed"


def test_telemetry_records_the_run_in_order(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(steps=2048))

    directory = tmp_path / "run-a" / "telemetry"
    kinds = [json.loads(line)["event_type"] for line in (directory / "events.jsonl").read_text().splitlines()]
    assert (kinds[0], kinds[-1]) == ("RUN_STARTED", "RUN_ENDED")
    assert kinds.count("POLICY_UPDATED") == 8
    assert kinds.count("WINDOW_CLOSED") == 2
    assert kinds.index("CHECKPOINT_WRITTEN") < kinds.index("REPLAY_WRITTEN")
    assert len((directory / "ppo.ndjson").read_text().splitlines()) == 8
