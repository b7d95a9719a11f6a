"""Base class of settings models, and numbers that are scheduled over a run."""

import math
from enum import StrEnum
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat


class Settings(BaseModel):
    """Frozen, and strict about unknown keys and non-finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class RampShape(StrEnum):
    """Interpolation of a ramp."""

    LINEAR = "linear"
    COSINE = "cosine"


class Ramp(Settings):
    """A number that changes from `start` to `end` over `env_steps` and then stays there."""

    start: NonNegativeFloat = Field(description="value at the first env step")
    end: NonNegativeFloat = Field(description="value from `env_steps` on")
    env_steps: int = Field(gt=0, description="env steps of the run after which the end is reached")
    shape: RampShape = Field(RampShape.LINEAR, description="linear, or half a cosine")

    def at(self, env_steps: int) -> float:
        """Return the value after this many env steps of the run."""
        share = min(1.0, env_steps / self.env_steps)
        if self.shape is RampShape.COSINE:
            share = 0.5 - 0.5 * math.cos(math.pi * share)
        return self.start + (self.end - self.start) * share


class SignedRamp(Ramp):
    """A ramp that may go below 0."""

    start: float = Field(description="value at the first env step")
    end: float = Field(description="value from `env_steps` on")


Scheduled: TypeAlias = NonNegativeFloat | Ramp
SignedScheduled: TypeAlias = float | SignedRamp


def value_at(scheduled: float | Ramp, env_steps: int) -> float:
    """Return the value of a constant or scheduled number after this many env steps."""
    return scheduled.at(env_steps) if isinstance(scheduled, Ramp) else scheduled
