"""How long things take: the two presets of dwell times and ramp lengths, in epochs."""

from dataclasses import dataclass
from typing import Final, Literal

from diorama.worlds.morphogenesis.contracts.actions import AlphaSpeedAction, TempoAction

TimingPreset = Literal["standard", "quick"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleTimings:
    """Dwell times in epochs and ramp lengths in steps.

    `blend_steps` is indexed by `TempoAction`, `alpha_speed_steps` by `AlphaSpeedAction`.
    """

    min_training_dwell: int
    min_blending_dwell: int
    min_prune_age: int
    min_holding_for_full_bonus: int
    full_evaluation_age: int
    embargo_epochs: int
    resetting_epochs: int
    blend_steps: tuple[int, int, int]
    alpha_speed_steps: tuple[int, int, int, int]

    def tempo_epochs(self, tempo: TempoAction) -> int:
        """Return the length of a first ramp."""
        return self.blend_steps[tempo]

    def speed_steps(self, speed: AlphaSpeedAction) -> int:
        """Return the length of a later ramp; 0 jumps."""
        return self.alpha_speed_steps[speed]


STANDARD_TIMINGS: Final = LifecycleTimings(
    min_training_dwell=10,
    min_blending_dwell=10,
    min_prune_age=5,
    min_holding_for_full_bonus=5,
    full_evaluation_age=10,
    embargo_epochs=5,
    resetting_epochs=1,
    blend_steps=(3, 5, 8),
    alpha_speed_steps=(0, 3, 5, 8),
)
QUICK_TIMINGS: Final = LifecycleTimings(
    min_training_dwell=4,
    min_blending_dwell=4,
    min_prune_age=3,
    min_holding_for_full_bonus=2,
    full_evaluation_age=6,
    embargo_epochs=3,
    resetting_epochs=1,
    blend_steps=(2, 3, 5),
    alpha_speed_steps=(0, 2, 3, 5),
)
TIMING_PRESETS: Final[dict[TimingPreset, LifecycleTimings]] = {
    "standard": STANDARD_TIMINGS,
    "quick": QUICK_TIMINGS,
}
