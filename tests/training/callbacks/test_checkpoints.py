"""Checkpoints of a run: when they are written, and which of them are kept."""

import json
from pathlib import Path

from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header, write_checkpoint
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run
from diorama.training.callbacks.checkpoints import best_window, delete_superseded, pending_replays
from tests.runs.factories import empty_run
from tests.training.small_runs import small_plan, train_small

SCORES = (1.0, 9.0, 5.0, 2.0, 2.0, 2.0)


def run_of(root: Path, scores: tuple[float | None, ...] = SCORES) -> RunLayout:
    layout = empty_run(root)
    with layout.windows.open("a", encoding="utf-8") as file:
        for window_id, score in enumerate(scores):
            file.write(json.dumps({"window_id": window_id, "credits_mean": score}) + "\n")
    for window_id in range(len(scores)):
        header = RandomCheckpoint(
            run_id=layout.run_id,
            world="prospector",
            window_id=window_id,
            env_steps_total=10 * (window_id + 1),
            created_at="2031-05-06T07:08:09.000Z",
        )
        write_checkpoint(layout, header, {})
    return layout


def windows(layout: RunLayout) -> list[int]:
    return [read_checkpoint_header(path).window_id for path in checkpoint_paths(layout)]


def test_the_newest_two_and_the_best_are_kept(tmp_path: Path) -> None:
    layout = run_of(tmp_path)

    gone = delete_superseded(layout, keep_newest=2, metric="credits", needed=set())

    # Up to window 1 the mean is 5, and up to window 2 as well: the later of equals is the better trained.
    assert (gone, windows(layout)) == ([0, 1, 3], [2, 4, 5])
    assert delete_superseded(layout, keep_newest=2, metric="credits", needed=set()) == []


def test_a_checkpoint_waits_for_its_replay(tmp_path: Path) -> None:
    layout = run_of(tmp_path)

    unrecorded = {header.window_id for header, _ in pending_replays(layout, window_env_steps=10)}

    assert unrecorded == set(range(len(SCORES)))
    assert delete_superseded(layout, keep_newest=1, metric="credits", needed=unrecorded) == []
    assert pending_replays(layout, window_env_steps=11) == [], "an open window never gets a replay of its own"


def test_without_the_metric_only_the_newest_are_kept(tmp_path: Path) -> None:
    layout = run_of(tmp_path, (None, None, None))

    assert delete_superseded(layout, keep_newest=2, metric="credits", needed=set()) == [0]
    assert windows(layout) == [1, 2]


def test_the_best_checkpoint_is_chosen_by_the_mean_of_ten_windows() -> None:
    rows = [{"window_id": number, "credits_mean": 100.0 if number == 0 else 10.0 + number} for number in range(30)]

    assert best_window(rows, [0], "credits") == 0
    assert best_window(rows, [5, 12], "credits") == 5
    assert best_window(rows, [10, 12, 29], "credits") == 29
    assert best_window([], [3], "credits") is None


def test_checkpoints_are_written_at_the_first_update_after_their_window(tmp_path: Path) -> None:
    layout = train_small(tmp_path, "run-a", small_plan()).layout

    headers = [read_checkpoint_header(path) for path in checkpoint_paths(layout)]

    # Updates come every 256 env steps, checkpointed windows close at 2000 and 4000.
    assert [(header.window_id, header.env_steps_total) for header in headers] == [(1, 2048), (3, 4096)]


def test_a_run_keeps_its_newest_checkpoints_and_the_best(tmp_path: Path) -> None:
    plan = small_plan(
        backend="random", steps=1280, windows={"env_steps": 256}, checkpoints={"every_windows": 1, "keep_newest": 2}
    )

    layout = train_small(tmp_path, "run-a", plan).layout

    best = best_window(Run(layout).windows(), range(5), "net_profit")
    assert set(windows(layout)) == {3, 4} | ({best} if best is not None else set())
    assert Run(layout).metadata().checkpoints_written == 5


def test_a_checkpoint_is_deleted_once_its_replay_is_recorded(tmp_path: Path) -> None:
    plan = small_plan(
        backend="random",
        steps=768,
        windows={"env_steps": 256},
        checkpoints={"every_windows": 1, "keep_newest": 1},
        evaluation={"replays_per_window": 1},
    )

    layout = train_small(tmp_path, "run-a", plan).layout

    assert [entry.window_id for entry in Run(layout).replay_index().entries] == [0, 1, 2]
    assert len(windows(layout)) <= 2
