"""When the keys of an action go down and up within a step."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.gameboy.errors import ScheduleError

DEFAULT_FRAMES_PER_STEP: Final = 24
DEFAULT_RELEASE_AFTER_FRAMES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PressSchedule:
    """Frames of one step, numbered from 0, and the frame before which the keys go up.

    All keys are up when a step begins. They go down before frame 0, unless `release_after_frames` is 0, and up before
    frame `release_after_frames`, or after the last frame where the two are equal.
    """

    frames_per_step: int = DEFAULT_FRAMES_PER_STEP
    release_after_frames: int = DEFAULT_RELEASE_AFTER_FRAMES

    def __post_init__(self) -> None:
        """Refuse schedules that no step can keep."""
        if self.frames_per_step < 1:
            raise ScheduleError(f"frames_per_step is {self.frames_per_step}; it must be 1 or more")
        if not 0 <= self.release_after_frames <= self.frames_per_step:
            raise ScheduleError(
                f"release_after_frames is {self.release_after_frames}; it must be 0 to {self.frames_per_step}, "
                "the frames of a step"
            )

    def is_pressed(self, frame: int) -> bool:
        """Whether the keys of the step's action are down while this frame runs."""
        return frame < self.release_after_frames
