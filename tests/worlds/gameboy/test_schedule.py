"""The press-and-release schedule of a step."""

import pytest

from diorama.worlds.gameboy.errors import ScheduleError
from diorama.worlds.gameboy.schedule import PressSchedule


def test_keys_are_down_for_the_first_frames_of_a_step() -> None:
    schedule = PressSchedule()

    assert (schedule.frames_per_step, schedule.release_after_frames) == (24, 8)
    assert [schedule.is_pressed(frame) for frame in range(24)] == [True] * 8 + [False] * 16


@pytest.mark.parametrize(("frames", "release"), [(1, 0), (1, 1), (24, 24)])
def test_the_edges_of_a_schedule_are_allowed(frames: int, release: int) -> None:
    assert (
        sum(PressSchedule(frames_per_step=frames, release_after_frames=release).is_pressed(k) for k in range(frames))
        == release
    )


@pytest.mark.parametrize(("frames", "release"), [(0, 0), (-1, 0), (4, 5), (4, -1)])
def test_impossible_schedules_are_refused(frames: int, release: int) -> None:
    with pytest.raises(ScheduleError) as refusal:
        PressSchedule(frames_per_step=frames, release_after_frames=release)

    assert isinstance(refusal.value, ValueError)
