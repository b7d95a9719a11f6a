"""The alpha controller: how strongly a seed is mixed in, and the ramp it follows."""

import math
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.alpha import (
    DEFAULT_ALPHA_STEEPNESS,
    MIN_ALPHA_STEEPNESS,
    AlphaCurve,
    AlphaMode,
)

_EXP_LIMIT: Final = 700.0


@dataclass(slots=True, kw_only=True)
class AlphaController:
    """Moves alpha from where it is to a target, one step at a time. All alphas lie from 0 to 1."""

    alpha: float = 0.0
    alpha_start: float = 0.0
    alpha_target: float = 0.0
    alpha_mode: AlphaMode = AlphaMode.HOLD
    alpha_curve: AlphaCurve = AlphaCurve.LINEAR
    alpha_steepness: float = DEFAULT_ALPHA_STEEPNESS
    alpha_steps_total: int = 0
    alpha_steps_done: int = 0

    def retarget(
        self,
        target: float,
        steps: int,
        *,
        curve: AlphaCurve = AlphaCurve.LINEAR,
        steepness: float = DEFAULT_ALPHA_STEEPNESS,
    ) -> None:
        """Start a ramp from the present alpha; 0 steps jump at once.

        Raises:
            ValueError: A ramp is running, or an argument is out of range.
        """
        if self.alpha_mode is not AlphaMode.HOLD:
            raise ValueError(f"alpha moves {self.alpha_mode.name}; it can be retargeted in HOLD only")
        if not 0.0 <= target <= 1.0:
            raise ValueError(f"alpha target {target!r} is outside 0..1")
        if steps < 0:
            raise ValueError(f"{steps} alpha steps; give 0 or more")
        if not steepness >= MIN_ALPHA_STEEPNESS:
            raise ValueError(f"alpha steepness {steepness!r} is below {MIN_ALPHA_STEEPNESS}")
        self.alpha_start = self.alpha
        self.alpha_target = target
        self.alpha_curve = curve
        self.alpha_steepness = steepness
        self.alpha_steps_total = steps
        self.alpha_steps_done = 0
        if steps == 0:
            self.alpha = target
        elif target > self.alpha:
            self.alpha_mode = AlphaMode.UP
        elif target < self.alpha:
            self.alpha_mode = AlphaMode.DOWN

    def step(self) -> bool:
        """Take one step of the ramp, and say whether it has just reached the target."""
        if self.alpha_mode is AlphaMode.HOLD or self.alpha_steps_total == 0:
            return False
        self.alpha_steps_done += 1
        if self.alpha_steps_done >= self.alpha_steps_total:
            self.alpha = self.alpha_target
            self.alpha_mode = AlphaMode.HOLD
            return True
        share = curve_value(self.alpha_curve, self.alpha_steps_done / self.alpha_steps_total, self.alpha_steepness)
        raw = self.alpha_start + (self.alpha_target - self.alpha_start) * share
        low, high = sorted((self.alpha_start, self.alpha_target))
        self.alpha = min(high, max(low, raw))
        return False

    def settle(self, alpha: float) -> None:
        """Rest at an alpha, whatever was going on."""
        self.alpha = self.alpha_start = self.alpha_target = alpha
        self.alpha_mode = AlphaMode.HOLD
        self.alpha_steps_total = self.alpha_steps_done = 0

    @property
    def alpha_velocity(self) -> float:
        """Mean change of alpha in a step while it moves."""
        if self.alpha_mode is AlphaMode.HOLD or self.alpha_steps_total == 0:
            return 0.0
        return (self.alpha_target - self.alpha_start) / self.alpha_steps_total

    @property
    def time_to_target(self) -> int:
        """Steps that are left."""
        return max(self.alpha_steps_total - self.alpha_steps_done, 0)


def curve_value(curve: AlphaCurve, progress: float, steepness: float) -> float:
    """Return the share of the way, 0 to 1, that a ramp has made after a share of its time."""
    match curve:
        case AlphaCurve.LINEAR:
            return progress
        case AlphaCurve.COSINE:
            return 0.5 * (1.0 - math.cos(math.pi * progress))
        case AlphaCurve.SIGMOID:
            low, high = _sigmoid(-steepness / 2.0), _sigmoid(steepness / 2.0)
            if high == low:
                return progress
            return (_sigmoid(steepness * (progress - 0.5)) - low) / (high - low)


def _sigmoid(value: float) -> float:
    # Beyond the limit `exp` overflows, and the result is 0 or 1 to the last bit anyway.
    return 1.0 / (1.0 + math.exp(min(_EXP_LIMIT, -value)))
