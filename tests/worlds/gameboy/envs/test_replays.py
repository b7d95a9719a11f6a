"""Replays of consoles: their last frame shows how the episode ended, and the entry says why."""

from pathlib import Path

import pytest

from diorama.engine.venue import open_venue
from diorama.runs.replays.reader import open_replay
from tests.runs.factories import empty_run, recorded

STEPS = {"frames_per_step": 4, "release_after_frames": 2}
TASK = {**STEPS, "kind": "gb_tasks"}


@pytest.mark.parametrize(
    ("config", "bot", "reason", "success"),
    [
        pytest.param({**STEPS, "max_steps": 32}, "grid_goal_solver", "goal_reached", 1.0, id="goal"),
        pytest.param({**STEPS, "max_steps": 4}, "grid_goal_solver", "truncated", 0.0, id="cut off"),
        pytest.param({**TASK, "rom": "GRID_GOAL", "max_steps": 32}, "grid_goal_solver", "goal_reached", 1.0, id="task"),
        pytest.param({**TASK, "rom": "CATCH", "max_steps": 512}, "noop", "failed", 0.0, id="failed task"),
    ],
)
def test_the_last_frame_shows_the_end(
    config: dict[str, object], bot: str, reason: str, success: float, tmp_path: Path
) -> None:
    layout = empty_run(tmp_path)
    entry = recorded(layout, bot=bot, venue=open_venue("gameboy", config, threads=1), max_steps=512, include_info=True)

    *_, last = open_replay(layout, entry.replay_id).frames()

    assert entry.end_reason == reason
    assert entry.metrics["success"] == success
    assert last.render_state["headline"]["success"] == success
    assert last.render_state["time"] == last.t == entry.ticks
    assert isinstance(last.info, dict)
    assert last.info["end_reason"] == reason
