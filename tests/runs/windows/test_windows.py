import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.contracts.errors import ConfigError, ContractError, DocumentError
from diorama.contracts.training_reports import UpdateReport
from diorama.runs.windows import WindowAggregator, WindowRow
from diorama.runs.windows.row import PHASE_FIELDS
from tests.runs.factories import FakeClock
from tests.runs.windows.naive import NaiveWindows, Step, vector_step, window_spec

CLOCK_FIELDS = ("wall_seconds", "steps_per_sec", "created_at")


def aggregator(copies: int, size: int, agents: int = 1) -> WindowAggregator:
    return WindowAggregator(window_spec(agents), run_id="run", copies=copies, window_env_steps=size, clock=FakeClock())


def step(
    reward: float,
    *,
    dt: int = 1,
    ends: str = "",
    events: int = 0,
    profit: float = 0.0,
    alive: float = 1.0,
    speed: float = 0.0,
) -> Step:
    return Step(
        rewards=[reward],
        terminated=[ends == "terminated"],
        truncated=[ends == "truncated"],
        alive=[True],
        metrics=[[profit, alive, speed]],
        dt=dt,
        events=events,
    )


def without_clock(row: WindowRow) -> WindowRow:
    return {name: value for name, value in row.items() if name not in CLOCK_FIELDS}


def update(**changes: float) -> UpdateReport:
    values = dict.fromkeys(UpdateReport.__dataclass_fields__, 0)
    return UpdateReport(**{**values, **changes})  # type: ignore[arg-type]


def test_a_sequence_computed_by_hand() -> None:
    windows = aggregator(copies=2, size=3)

    # Window 0 holds copy 0 and 1 of the first vector step and copy 0 of the second.
    opened = windows.consume(vector_step([step(1.0, dt=2, speed=3.0), step(10.0, dt=5, events=1, speed=6.0)]))
    closed = windows.consume(
        vector_step(
            [
                step(2.0, dt=3, ends="terminated", events=0b100, profit=40.0, alive=0.0, speed=9.0),
                step(20.0, dt=7, speed=1.0),
            ]
        )
    )
    # Window 1: copy 1 of the second step, both of the third; both copies end there.
    last = windows.consume(
        vector_step(
            [
                step(4.0, ends="truncated", events=0b1000, profit=50.0, speed=2.0),
                step(-5.0, dt=9, ends="terminated", events=0b110, profit=70.0, alive=0.0, speed=3.0),
            ]
        )
    )

    assert opened == []
    assert len(closed) == len(last) == 1
    first, second = closed[0], last[0]
    assert (first["window_id"], first["env_steps_start"], first["env_steps_end"]) == (0, 0, 3)
    assert (first["ticks_in_window"], first["ticks_total"]) == (10, 10)
    assert (first["reward_sum"], first["reward_mean"]) == (13.0, 13.0 / 3)
    assert (first["episodes_completed"], first["terminated_episodes"], first["truncated_episodes"]) == (1, 1, 0)
    assert (first["return_mean"], first["return_median"], first["return_std"]) == (3.0, 3.0, 0.0)
    assert first["episode_length_mean"] == 2.0
    assert first["invalid_action_rate"] == 1 / 3
    assert (first["profit_mean"], first["profit_mean_alias"], first["alive_mean"]) == (40.0, 40.0, 0.0)
    assert first["speed_mean"] == 6.0
    assert first["end_reason_counts"] == {"victory": 1}
    assert first["window_complete"] is True
    assert (second["window_id"], second["env_steps_start"], second["env_steps_total"]) == (1, 3, 6)
    assert (second["ticks_in_window"], second["ticks_total"]) == (17, 27)
    assert second["reward_sum"] == 19.0
    assert (second["episodes_completed"], second["terminated_episodes"], second["truncated_episodes"]) == (2, 1, 1)
    assert (second["return_mean"], second["return_median"], second["return_std"]) == (14.5, 14.5, 10.5)
    assert second["episode_length_mean"] == 2.0  # one step, and three that began in the window before
    assert (second["profit_mean"], second["alive_mean"], second["speed_mean"]) == (60.0, 0.5, 2.0)
    assert second["end_reason_counts"] == {"defeat": 1, "time_up": 1}


def test_a_window_without_episodes_has_no_averages_of_them() -> None:
    (row,) = aggregator(copies=1, size=1).consume(vector_step([step(1.0, speed=4.0)]))

    empty = ("return_mean", "return_median", "return_std", "episode_length_mean", "profit_mean", "alive_mean")
    assert [row[name] for name in (*empty, "profit_mean_alias")] == [None] * 7
    assert row["speed_mean"] == 4.0
    assert row["end_reason_counts"] == {}


def test_one_vector_step_may_close_many_windows() -> None:
    rows = aggregator(copies=7, size=2).consume(vector_step([step(float(copy)) for copy in range(7)]))

    assert [row["window_id"] for row in rows] == [0, 1, 2]
    assert [row["reward_sum"] for row in rows] == [1.0, 5.0, 9.0]


def test_rows_are_json_in_the_order_of_the_specification() -> None:
    windows = aggregator(copies=1, size=1)
    windows.note_update(update(loss_policy=0.5, explained_variance=float("nan"), learning_rate=3e-4))

    (row,) = windows.consume(vector_step([step(1.0, ends="terminated")]))

    assert json.loads(json.dumps(row, allow_nan=False)) == row
    assert list(row)[:9] == [
        *("schema_version", "run_id", "world", "window_id", "window_complete"),
        *("env_steps_start", "env_steps_end", "env_steps_in_window", "env_steps_total"),
    ]
    assert list(row)[-14:] == [
        *CLOCK_FIELDS,
        *("loss_policy", "loss_value", "entropy", "approx_kl", "clip_fraction", "explained_variance"),
        *("learning_rate", "policy_updates"),
        *PHASE_FIELDS,
    ]
    assert (row["loss_policy"], row["explained_variance"], row["policy_updates"]) == (0.5, None, 1)


def test_a_window_says_where_the_time_of_its_updates_went() -> None:
    windows = aggregator(copies=1, size=2)
    windows.consume(vector_step([step(0.0)]))
    windows.note_update(update(seconds_env=1.0, seconds_policy=2.0, seconds_learn=4.0))
    windows.note_update(update(seconds_env=0.5, seconds_policy=0.25, seconds_learn=0.125))

    (timed,) = windows.consume(vector_step([step(0.0)]))
    windows.consume(vector_step([step(0.0)]))
    (untimed,) = windows.consume(vector_step([step(0.0)]))

    assert [timed[name] for name in PHASE_FIELDS] == [1.5, 2.25, 4.125]
    assert not any(name in untimed for name in PHASE_FIELDS)


def test_windows_before_the_first_update_say_nothing_about_it() -> None:
    (row,) = aggregator(copies=1, size=1).consume(vector_step([step(1.0)]))

    assert "loss_policy" not in row
    assert "policy_updates" not in row


def test_the_clock_measures_each_window() -> None:
    windows = aggregator(copies=1, size=1)  # every look at the clock takes a second

    (first,) = windows.consume(vector_step([step(0.0)]))
    (second,) = windows.consume(vector_step([step(0.0)]))

    assert (first["wall_seconds"], first["steps_per_sec"]) == (1.0, 1.0)
    assert (second["wall_seconds"], second["created_at"]) == (1.0, "2031-05-06T07:08:15.000Z")


def test_the_partial_window_is_there_when_asked_for() -> None:
    windows = aggregator(copies=1, size=3)
    assert windows.partial_row() is None

    windows.consume(vector_step([step(2.0, ends="terminated")]))
    partial = windows.partial_row()
    windows.consume(vector_step([step(1.0)]))
    (row,) = windows.consume(vector_step([step(1.0)]))

    assert partial is not None
    assert (partial["window_complete"], partial["env_steps_in_window"], partial["return_mean"]) == (False, 1, 2.0)
    assert (row["window_id"], row["env_steps_in_window"], row["reward_sum"]) == (0, 3, 4.0)


def test_seats_live_and_die_on_their_own() -> None:
    windows = aggregator(copies=1, size=2, agents=2)
    both = Step([1.0, 5.0], [False, True], [False, False], [True, True], [[0.0] * 3, [8.0, 1.0, 4.0]], 1, 0)
    one = Step([2.0, 0.0], [False, False], [True, False], [True, False], [[6.0, 1.0, 2.0], [0.0] * 3], 1, 0)

    windows.consume(vector_step([both]))
    (row,) = windows.consume(vector_step([one]))

    assert (row["env_steps_in_window"], row["agent_steps_in_window"]) == (2, 3)
    assert (row["episodes_completed"], row["return_mean"], row["episode_length_mean"]) == (2, 4.0, 1.5)
    assert (row["profit_mean"], row["speed_mean"]) == (7.0, 2.0)
    assert row["end_reason_counts"] == {"terminated": 1, "truncated": 1}


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, int, int, list[list[Step]]]:
    copies, agents, size = draw(st.integers(1, 6)), draw(st.integers(1, 3)), draw(st.integers(1, 9))
    number = st.floats(-1e3, 1e3, width=32)
    seats = st.lists(st.tuples(number, st.sampled_from("....tT"), st.booleans()), min_size=agents, max_size=agents)
    one = st.tuples(seats, st.integers(1, 500), st.integers(0, 15))
    history = [
        [
            Step(
                rewards=[seat[0] if seat[2] else 0.0 for seat in drawn],
                terminated=[seat[1] == "t" and seat[2] for seat in drawn],
                truncated=[seat[1] == "T" and seat[2] for seat in drawn],
                alive=[seat[2] for seat in drawn],
                metrics=[[seat[0] * 2, abs(seat[0]) / 1e3, seat[0] + 1] for seat in drawn],
                dt=dt,
                events=events,
            )
            for drawn, dt, events in draw(st.lists(one, min_size=copies, max_size=copies))
        ]
        for _ in range(draw(st.integers(1, 8)))
    ]
    return copies, agents, size, history


@settings(max_examples=60, deadline=None)
@given(histories(), st.data())
def test_batches_of_any_cut_count_like_single_steps(
    history: tuple[int, int, int, list[list[Step]]], data: st.DataObject
) -> None:
    copies, agents, size, steps = history
    naive = NaiveWindows(copies, agents, size)
    whole, single, cut = (aggregator(copies, size, agents) for _ in range(3))
    rows: list[list[WindowRow]] = [[], [], []]

    for vector in steps:
        cuts = sorted(data.draw(st.sets(st.integers(1, copies - 1)))) if copies > 1 else []
        rows[0] += whole.consume(vector_step(vector))
        for copy, one in enumerate(vector):
            naive.take(copy, one)
            rows[1] += single.consume(vector_step([one], copy))
        for start, stop in pairwise([0, *cuts, copies]):
            rows[2] += cut.consume(vector_step(vector[start:stop], start))

    assert [without_clock(row) for row in rows[0]] == [without_clock(row) for row in rows[1]]
    assert [without_clock(row) for row in rows[0]] == [without_clock(row) for row in rows[2]]
    assert len(naive.rows) == len(rows[0])
    for expected, row in zip(naive.rows, rows[0], strict=True):
        for name, value in expected.items():
            if name in ("reward_sum", "reward_mean", "speed_mean"):
                assert row[name] == value, name  # the very same additions in the very same order
            elif isinstance(value, float):
                assert row[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name
            else:
                assert row[name] == value, name


@settings(max_examples=40, deadline=None)
@given(histories(), st.data())
def test_a_saved_aggregator_continues_exactly(
    history: tuple[int, int, int, list[list[Step]]], data: st.DataObject
) -> None:
    copies, agents, size, steps = history
    pause = data.draw(st.integers(0, len(steps)))
    straight, first, second = (aggregator(copies, size, agents) for _ in range(3))
    report = update(loss_value=0.25)

    expected = [straight.consume(vector_step(vector)) for vector in steps[:pause]]
    straight.note_update(report)
    expected += [straight.consume(vector_step(vector)) for vector in steps[pause:]]
    got = [first.consume(vector_step(vector)) for vector in steps[:pause]]
    first.note_update(report)
    second.load_state(json.loads(json.dumps(first.state(), allow_nan=False)))
    got += [second.consume(vector_step(vector)) for vector in steps[pause:]]

    assert [[without_clock(row) for row in rows] for rows in got] == [
        [without_clock(row) for row in rows] for rows in expected
    ]
    assert second.totals == straight.totals
    assert {**second.state(), "wall_seconds": 0} == {**straight.state(), "wall_seconds": 0}


def test_episodes_from_stored_states_are_counted_apart() -> None:
    windows = aggregator(copies=2, size=4)

    def consume(*rewards: float, ends: str, stored: list[int]) -> list[WindowRow]:
        view = vector_step([step(reward, ends=ends, profit=reward) for reward in rewards])
        return windows.consume(replace(view, stored_starts=np.array(stored, np.uint8)))

    assert consume(1.0, 10.0, ends="", stored=[0, 1]) == []
    (first,) = consume(2.0, 20.0, ends="terminated", stored=[0, 1])
    assert consume(3.0, 30.0, ends="terminated", stored=[1, 0]) == []
    saved = json.loads(json.dumps(windows.state()))
    windows = aggregator(copies=2, size=4)
    windows.load_state(saved)
    (second,) = consume(4.0, 40.0, ends="truncated", stored=[1, 1])

    named = ("episodes_completed", "terminated_episodes", "return_mean", "episode_length_mean", "profit_mean")
    assert [first[name] for name in named] == [1, 1, 3.0, 2.0, 2.0]
    assert [second[name] for name in named] == [1, 1, 30.0, 1.0, 30.0]
    stored = ("stored_start_episodes", "stored_start_return_mean", "stored_start_length_mean")
    assert [first[name] for name in stored] == [1, 30.0, 2.0]
    assert [second[name] for name in stored] == [3, pytest.approx(47.0 / 3.0), 1.0]
    assert (first["reward_sum"], second["reward_sum"]) == (33.0, 77.0)
    assert windows.totals.episodes == 2


def test_one_vector_step_with_stored_states_may_close_a_window() -> None:
    windows = aggregator(copies=3, size=2)
    view = vector_step([step(reward, ends="terminated") for reward in (1.0, 2.0, 4.0)])
    (row,) = windows.consume(replace(view, stored_starts=np.array([0, 1, 1], np.uint8)))

    assert (row["return_mean"], row["stored_start_return_mean"]) == (1.0, 2.0)
    assert windows.partial_row() is not None
    assert windows.partial_row()["stored_start_return_mean"] == 4.0  # type: ignore[index]


def test_without_stored_states_nothing_about_them_is_written() -> None:
    windows = aggregator(copies=1, size=1)
    (row,) = windows.consume(vector_step([step(1.0, ends="terminated")]))

    assert not any(name.startswith("stored_start") for name in [*row, *windows.state()])


def test_a_saved_state_shares_nothing_with_the_aggregator() -> None:
    windows = aggregator(copies=1, size=5)
    windows.consume(vector_step([step(1.0, ends="terminated")]))
    saved = windows.state()
    before = json.dumps(saved)

    windows.consume(vector_step([step(1.0, ends="terminated")]))

    assert json.dumps(saved) == before


def test_a_state_of_another_run_is_refused() -> None:
    saved = aggregator(copies=2, size=5).state()

    with pytest.raises(DocumentError, match="5 env steps over 2 rows"):
        aggregator(copies=2, size=6).load_state(saved)
    with pytest.raises(DocumentError, match="over 2 rows"):
        aggregator(copies=3, size=5).load_state(saved)
    with pytest.raises(DocumentError, match="does not fit"):
        aggregator(copies=2, size=5).load_state({**saved, "tally": 3})


def test_steps_that_do_not_fit_the_run_are_refused() -> None:
    windows = aggregator(copies=2, size=5)

    with pytest.raises(ContractError, match=r"copies 2\.\.2"):
        windows.consume(vector_step([step(0.0)], first_copy=2))
    with pytest.raises(ConfigError, match="window_env_steps is 0"):
        aggregator(copies=1, size=0)


def test_the_views_of_a_trainer_are_left_alone() -> None:
    view = vector_step([step(1.0, ends="terminated"), step(2.0)])
    before = [np.array(array) for array in (view.rewards, view.terminated, view.metrics, view.dt, view.events)]

    aggregator(copies=2, size=1).consume(view)

    after = (view.rewards, view.terminated, view.metrics, view.dt, view.events)
    assert all((old == new).all() for old, new in zip(before, after, strict=True))
