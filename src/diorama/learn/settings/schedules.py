"""The base of every settings model, and numbers that change over a run."""

import math
from enum import StrEnum
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat


class Settings(BaseModel):
    """Frozen, and strict about unknown keys and non-finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class RampShape(StrEnum):
    """How a ramp runs from its start to its end."""

    LINEAR = "linear"
    COSINE = "cosine"


class Ramp(Settings):
    """A number that runs from `start` to `end` over a number of env steps and stays there."""

    start: NonNegativeFloat = Field(description="value at the first env step")
    end: NonNegativeFloat = Field(description="value from `env_steps` on")
    env_steps: int = Field(gt=0, description="env steps of the whole run after which the end is reached")
    shape: RampShape = Field(RampShape.LINEAR, description="linear, or half a cosine")

    def at(self, env_steps: int) -> float:
        """Return the value after this many env steps of the run."""
        share = min(1.0, env_steps / self.env_steps)
        if self.shape is RampShape.COSINE:
            share = 0.5 - 0.5 * math.cos(math.pi * share)
        return self.start + (self.end - self.start) * share


Scheduled: TypeAlias = NonNegativeFloat | Ramp


def value_at(scheduled: float | Ramp, env_steps: int) -> float:
    """Return the value of a number that may be scheduled."""
    return scheduled.at(env_steps) if isinstance(scheduled, Ramp) else scheduled
