"""Windows of metrics: written as they close, published, and passed on to callbacks."""

import json
from collections.abc import Sequence
from pathlib import Path

from diorama.runs.run import open_run
from diorama.runs.windows.row import WindowRow
from diorama.training.callbacks.base import RunCallback
from tests.training.small_runs import small_plan, train_small


class Closed(RunCallback):
    """Keeps the ids of the windows that close, call by call."""

    def __init__(self) -> None:
        self.windows: list[list[object]] = []

    def on_window(self, rows: Sequence[WindowRow]) -> None:
        self.windows.append([row["window_id"] for row in rows])


def test_windows_that_close_in_one_vector_step_are_numbered_one_after_another(tmp_path: Path) -> None:
    plan = small_plan(backend="random", steps=32, windows={"env_steps": 5})
    closed = Closed()

    layout = train_small(tmp_path, "run-a", plan, callbacks=[closed]).layout

    # Steps of 16 copies: three windows of five steps close in each, and two steps stay open.
    assert closed.windows == [[0, 1, 2], [3, 4, 5]]
    lines = (layout.telemetry / "events.jsonl").read_text().splitlines()
    published = [event["data"] for event in map(json.loads, lines) if event["event_type"] == "WINDOW_CLOSED"]
    assert [event["window_id"] for event in published] == [0, 1, 2, 3, 4, 5]
    assert [event["env_steps_total"] for event in published] == [5, 10, 15, 20, 25, 30]
    assert [row["window_id"] for row in open_run(tmp_path, "run-a").windows()] == [0, 1, 2, 3, 4, 5]


def test_an_open_window_is_written_where_the_settings_ask_for_it(tmp_path: Path) -> None:
    closed = Closed()
    plan = small_plan(backend="random", steps=1500, windows={"flush_partial": True})

    train_small(tmp_path, "run-a", plan, callbacks=[closed])

    rows = open_run(tmp_path, "run-a").windows()
    assert [(row["window_complete"], row["env_steps_in_window"]) for row in rows] == [(True, 1000), (False, 504)]
    assert closed.windows == [[0], [1]]


def test_an_open_window_is_left_out_otherwise(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(backend="random", steps=1500))

    assert [row["window_complete"] for row in open_run(tmp_path, "run-a").windows()] == [True]
