"""`TrainingDisplay`, on a terminal and on a pipe, and `Pace`."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from diorama.engine.venue import open_venue
from diorama.runs.layout import RunLayout
from diorama.runs.windows.row import WindowRow
from diorama.training.callbacks.progress import Pace, RunSummary, TrainingDisplay
from tests.runs.factories import FakeClock
from tests.telemetry.factories import update_report

ROW: WindowRow = {
    "window_id": 3,
    "episodes_completed": 2,
    "return_mean": 1.25,
    "net_profit_mean": 12345.6,
    "survival_mean": 1.0,
}


def shown(*, is_terminal: bool, advanced: tuple[int, ...] = (500_000, 1_000_000), target: int = 2_000_000) -> str:
    stream = StringIO()
    console = Console(file=stream, force_terminal=is_terminal, width=140)
    summary = RunSummary(
        layout=RunLayout(Path("runs/run-a")),
        spec=open_venue("prospector").spec,
        env_steps=0,
        target_env_steps=target,
        facts=(("copies", "512"),),
    )
    with TrainingDisplay(console, FakeClock()) as display:
        display.begin(summary)
        display.stage("learning from a bot")
        display.stage(None)
        display.windows([ROW])
        for steps in advanced:
            display.advance(steps)
        display.stage("recording")
    return stream.getvalue()


def test_a_pipe_gets_plain_lines() -> None:
    text = shown(is_terminal=False)

    assert "run run-a in runs: copies 512" in text
    assert "learning from a bot" in text
    assert "500k/2M steps" in text
    assert "window 3: return 1.25, net_profit 12,346, survival 1" in text
    assert "\x1b" not in text


def test_a_terminal_gets_a_bar_and_the_current_stage() -> None:
    text = shown(is_terminal=True)

    assert "50%" in text
    assert "1M/2M steps" in text
    assert "recording" in text


@pytest.mark.parametrize(
    ("done", "target", "text"),
    [
        pytest.param(998, 1_000, "998/1k steps", id="small"),
        pytest.param(999_400, 999_999, "999k/1M steps", id="rounded-up-into-the-next-unit"),
        pytest.param(12_345_678, 10**12, "12.3M/1T steps", id="large"),
        pytest.param(10**9, 2 * 10**15, "1B/2,000T steps", id="beyond-every-unit"),
    ],
)
def test_steps_are_shown_with_three_digits_and_a_unit(done: int, target: int, text: str) -> None:
    assert text in shown(is_terminal=False, advanced=(done,), target=target)


def test_the_pace_says_where_the_time_goes() -> None:
    pace = Pace(FakeClock())
    assert str(pace) == "-"

    pace.advance(0)
    pace.record(replace(update_report(), seconds_env=1.0, seconds_policy=1.0, seconds_learn=2.0))
    pace.advance(1000)

    assert str(pace) == "500 steps/s (env 25%, policy 25%, learn 50%)"
