"""Sessions: what a run leaves behind, and how it ends."""

import json
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest

from diorama.contracts.errors import ConfigError, DocumentError, RunConflict
from diorama.learn.errors import TrainingDiverged
from diorama.operate.training.opening import check_target, stored_settings
from diorama.operate.training.session import resume
from diorama.operate.training.watching import NoProgress
from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header
from diorama.runs.clock import SystemClock
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunStatus
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import Run, open_run
from diorama.runs.windows.row import WindowRow
from tests.operate.training.runs_to_compare import (
    StopAfter,
    assert_same_policies,
    assert_same_training,
    rows_without_wall_clock,
    small_plan,
    train_small,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    """A run of the plain small plan that nobody interrupted."""
    return train_small(tmp_path_factory.mktemp("whole"), "whole", small_plan()).layout


class Lines(NoProgress):
    """Keeps what a person would have read."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.rows: list[WindowRow] = []

    def tell(self, line: str) -> None:
        self.told.append(line)

    def windows(self, rows: Sequence[WindowRow]) -> None:
        self.rows += rows


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


def test_checkpoints_stand_at_the_first_update_after_their_window(whole: RunLayout) -> None:
    headers = [read_checkpoint_header(path) for path in checkpoint_paths(whole)]

    # Updates come every 256 env steps, checkpointed windows close at 2000 and 4000.
    assert [(header.window_id, header.env_steps_total) for header in headers] == [(1, 2048), (3, 4096)]


def test_a_completed_policy_gets_a_replay_though_none_was_asked_for(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(steps=600))

    run = open_run(tmp_path, "run-a")
    (entry,) = run.replay_index().entries
    assert entry.checkpoint_path == run.layout.relative(checkpoint_paths(run.layout)[-1])
    assert entry.checkpoint_env_steps_total == 768
    assert entry.seed == 100_000


def test_evaluation_does_not_change_training(tmp_path: Path, whole: RunLayout) -> None:
    watched = train_small(tmp_path, "watched", small_plan(evaluation={"replays_per_window": 3}))

    assert rows_without_wall_clock(whole) == rows_without_wall_clock(watched.layout)
    assert_same_policies(whole, watched.layout)


def test_a_partial_window_is_written_when_asked_for(tmp_path: Path) -> None:
    lines = Lines()

    train_small(
        tmp_path, "run-a", small_plan(backend="random", steps=1500, windows={"flush_partial": True}), watch=lines
    )

    rows = open_run(tmp_path, "run-a").windows()
    assert [(row["window_complete"], row["env_steps_in_window"]) for row in rows] == [(True, 1000), (False, 504)]
    assert len(lines.rows) == 2


@pytest.mark.parametrize("backend", ["ppo", "random"])
def test_a_stopped_run_continues_exactly(tmp_path: Path, backend: str) -> None:
    plan = small_plan(backend=backend)
    whole = train_small(tmp_path, "whole", plan)
    watch = StopAfter(1300)
    stopped = train_small(tmp_path, "parts", plan, watch=watch, stop=watch.stop)
    metadata = Run(stopped.layout).metadata()

    resumed = resume(plan, tmp_path, "parts", steps=4096, watch=NoProgress(), stop=Event(), clock=SystemClock())

    assert stopped.status is RunStatus.STOPPED is metadata.status
    assert metadata.latest_checkpoint is not None
    assert metadata.latest_checkpoint.env_steps_total == stopped.env_steps_total
    assert resumed.status is RunStatus.COMPLETED
    assert_same_training(whole.layout, resumed.layout)


@pytest.mark.slow
def test_a_run_grows_beyond_its_first_target(tmp_path: Path) -> None:
    whole = train_small(tmp_path, "whole", small_plan(steps=2048))
    plan = small_plan(steps=1024)
    train_small(tmp_path, "parts", plan)

    grown = resume(plan, tmp_path, "parts", steps=2048, watch=NoProgress(), stop=Event(), clock=SystemClock())

    assert rows_without_wall_clock(whole.layout) == rows_without_wall_clock(grown.layout)
    assert Run(grown.layout).metadata().target_env_steps == 2048


@pytest.mark.slow
def test_cloning_and_its_fading_pull_survive_a_resume(tmp_path: Path) -> None:
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
    watch = StopAfter(1300)
    train_small(tmp_path, "parts", plan, watch=watch, stop=watch.stop)

    resumed = resume(plan, tmp_path, "parts", steps=4096, watch=NoProgress(), stop=Event(), clock=SystemClock())

    assert_same_training(whole.layout, resumed.layout)


@pytest.mark.slow
def test_a_run_without_a_checkpoint_begins_again(tmp_path: Path) -> None:
    plan = small_plan(steps=1024)
    whole = train_small(tmp_path, "whole", plan)
    stop = Event()
    stop.set()
    nothing = train_small(tmp_path, "parts", plan, stop=stop)

    resumed = resume(plan, tmp_path, "parts", steps=1024, watch=NoProgress(), stop=Event(), clock=SystemClock())

    assert nothing.env_steps_total == 0
    assert_same_training(whole.layout, resumed.layout)


def test_a_diverging_run_fails_with_its_cause(tmp_path: Path) -> None:
    plan = small_plan(optimizer={"learning_rate": 1e36, "max_grad_norm": 1e36})

    with pytest.raises(TrainingDiverged) as caught:
        train_small(tmp_path, "run-a", plan)

    metadata = open_run(tmp_path, "run-a").metadata()
    assert metadata.status is RunStatus.FAILED
    assert metadata.error == f"TrainingDiverged: {caught.value}"
    events = [json.loads(line) for line in (tmp_path / "run-a/telemetry/events.jsonl").read_text().splitlines()]
    assert events[-1]["data"]["outcome"] == "failed"


def test_an_existing_run_is_never_written_into(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(backend="random", steps=64))
    before = open_run(tmp_path, "run-a").metadata()

    with pytest.raises(RunConflict, match="--resume run-a"):
        train_small(tmp_path, "run-a", small_plan(backend="random", steps=64))

    assert open_run(tmp_path, "run-a").metadata() == before


def test_schedules_over_the_whole_run_fix_its_total(tmp_path: Path) -> None:
    ramp = {"start": 1e-3, "end": 0.0, "run_share": 1.0}
    plan = small_plan(steps=512, optimizer={"learning_rate": ramp})
    watch = StopAfter(256)
    train_small(tmp_path, "run-a", plan, watch=watch, stop=watch.stop)
    run = open_run(tmp_path, "run-a")

    assert check_target(run, stored_settings(run), None) == 512
    with pytest.raises(ConfigError, match="512"):
        check_target(run, stored_settings(run), 1024)


def test_a_completed_run_wants_more_steps(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(backend="random", steps=64))
    run = open_run(tmp_path, "run-a")

    assert check_target(run, stored_settings(run), 128) == 128
    with pytest.raises(ConfigError, match="larger number"):
        check_target(run, stored_settings(run), None)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        pytest.param(
            {"cloning": {"bot": "sane"}},
            "cloning needs the backend ppo, because random learns nothing; cloning=null leaves it out",
            id="whole",
        ),
        pytest.param({"copies": 0}, "copies: it should be greater than 0", id="place"),
    ],
)
def test_stored_settings_that_were_changed_are_refused_with_what_is_wrong(
    tmp_path: Path, changed: dict[str, object], problem: str
) -> None:
    train_small(tmp_path, "run-a", small_plan(backend="random", steps=64))
    run = open_run(tmp_path, "run-a")
    config = run.layout.config
    config.write_text(json.dumps({**json.loads(config.read_text()), **changed}))

    with pytest.raises(DocumentError) as caught:
        stored_settings(run)

    assert str(caught.value) == f"{config}: {problem}; it must be as the run wrote it"


def test_telemetry_tells_the_run_in_order(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(steps=2048))

    directory = tmp_path / "run-a" / "telemetry"
    kinds = [json.loads(line)["event_type"] for line in (directory / "events.jsonl").read_text().splitlines()]
    assert (kinds[0], kinds[-1]) == ("RUN_STARTED", "RUN_ENDED")
    assert kinds.count("POLICY_UPDATED") == 8
    assert kinds.count("WINDOW_CLOSED") == 2
    assert kinds.index("CHECKPOINT_WRITTEN") < kinds.index("REPLAY_WRITTEN")
    assert len((directory / "ppo.ndjson").read_text().splitlines()) == 8
