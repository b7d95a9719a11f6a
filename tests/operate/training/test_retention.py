"""Which checkpoints of a run stay."""

import json
from pathlib import Path

from diorama.operate.training.pending_replays import pending_replays
from diorama.operate.training.retention import best_window, retire_checkpoints
from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header, write_checkpoint
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.layout import RunLayout
from tests.runs.factories import empty_run

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


def test_the_last_two_and_the_best_stay(tmp_path: Path) -> None:
    layout = run_of(tmp_path)

    gone = retire_checkpoints(layout, newest=2, metric="credits", owed=set())

    # Up to window 1 the mean is 5, and up to window 2 as well: the later of equals is the better trained.
    assert (gone, windows(layout)) == ([0, 1, 3], [2, 4, 5])
    assert retire_checkpoints(layout, newest=2, metric="credits", owed=set()) == []


def test_a_checkpoint_waits_for_its_replay(tmp_path: Path) -> None:
    layout = run_of(tmp_path)

    owed = {header.window_id for header, _ in pending_replays(layout, window_env_steps=10)}

    assert owed == set(range(len(SCORES)))
    assert retire_checkpoints(layout, newest=1, metric="credits", owed=owed) == []
    assert pending_replays(layout, window_env_steps=11) == [], "an open window never gets a replay of its own"


def test_without_the_metric_only_the_newest_stay(tmp_path: Path) -> None:
    layout = run_of(tmp_path, (None, None, None))

    assert retire_checkpoints(layout, newest=2, metric="credits", owed=set()) == [0]
    assert windows(layout) == [1, 2]


def test_the_best_is_judged_by_ten_windows() -> None:
    rows = [{"window_id": place, "credits_mean": 100.0 if place == 0 else 10.0 + place} for place in range(30)]

    assert best_window(rows, [0], "credits") == 0
    assert best_window(rows, [5, 12], "credits") == 5
    assert best_window(rows, [10, 12, 29], "credits") == 29
    assert best_window([], [3], "credits") is None
