"""Windows of metrics: written as they close, published, and passed on to callbacks."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from diorama.runs.run import open_run
from diorama.runs.windows.row import WindowRow
from diorama.training.callbacks.base import RunCallback
from tests.training.small_runs import StopAfter, resume_small, rows_without_wall_clock, small_plan, train_small


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


def test_a_run_that_closes_no_window_writes_its_only_one_at_the_end(tmp_path: Path) -> None:
    closed = Closed()

    train_small(tmp_path, "run-a", small_plan(backend="random", steps=160), callbacks=[closed])

    run = open_run(tmp_path, "run-a")
    assert [(row["window_complete"], row["env_steps_total"]) for row in run.windows()] == [(False, 160)]
    assert closed.windows == [[0]]
    assert run.metadata().windows_emitted == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError], ids=["interrupt", "failure"])
def test_a_run_that_breaks_off_in_its_first_window_writes_it(tmp_path: Path, error: type[BaseException]) -> None:
    class Breaking(RunCallback):
        def on_advance(self, env_steps_total: int) -> None:
            if env_steps_total >= 320:
                raise error

    with pytest.raises(error):
        train_small(tmp_path, "run-a", small_plan(backend="random", steps=640), callbacks=[Breaking()])

    rows = open_run(tmp_path, "run-a").windows()
    assert [(row["window_complete"], row["env_steps_total"]) for row in rows] == [(False, 320)]


def test_a_failure_after_the_only_window_does_not_write_it_twice(tmp_path: Path) -> None:
    class Breaking(RunCallback):
        def on_run_end(self, *, is_complete: bool) -> None:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        train_small(tmp_path, "run-a", small_plan(backend="random", steps=160), callbacks=[Breaking()])

    assert len(open_run(tmp_path, "run-a").windows()) == 1


def test_a_resumed_run_drops_the_open_window_and_closes_it_itself(tmp_path: Path) -> None:
    whole = train_small(tmp_path, "whole", small_plan(steps=2048)).layout
    stop_early = StopAfter(256)
    parts = train_small(tmp_path, "parts", small_plan(steps=2048), progress=stop_early, stop=stop_early.stop).layout
    assert [row["window_complete"] for row in open_run(tmp_path, "parts").windows()] == [False]

    resume_small(tmp_path, "parts", small_plan(steps=2048))

    assert rows_without_wall_clock(parts) == rows_without_wall_clock(whole)
    assert open_run(tmp_path, "parts").metadata().windows_emitted == 2


def test_an_open_window_is_left_out_otherwise(tmp_path: Path) -> None:
    train_small(tmp_path, "run-a", small_plan(backend="random", steps=1500))

    assert [row["window_complete"] for row in open_run(tmp_path, "run-a").windows()] == [True]
