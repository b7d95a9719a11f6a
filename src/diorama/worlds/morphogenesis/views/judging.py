"""When a number is a warning: the limits of the views, and the status of an env."""

from collections.abc import Callable
from typing import Final, Literal

Level = Literal["good", "warning", "critical", "unknown"]
Limits = tuple[float, float | None]

ABOVE: Final[dict[str, Limits]] = {
    "clip_fraction": (0.25, 0.30),
    "kl": (0.015, 0.03),
    "grad_norm": (5.0, 10.0),
    "ratio_max": (1.5, 2.0),
    "advantage_std_high": (2.0, 3.0),
    "wait_share": (0.7, None),
    "observation_outliers_pct": (5.0, 10.0),
    "observation_near_clip_pct": (1.0, 5.0),
    "observation_clipped_pct": (0.1, 1.0),
    "growth": (2.0, 5.0),
    "stale_epochs": (10.0, 20.0),
    "loss_spike": (2.0, 3.0),
    "shaping_high": (0.4, None),
    "anti_gaming_share": (0.05, None),
    "snapshot_age_s": (2.0, 5.0),
    "memory_share": (0.85, 0.90),
}
"""Warning and critical limits of numbers that should stay low."""
BELOW: Final[dict[str, Limits]] = {
    "explained_variance": (0.3, 0.0),
    "entropy": (0.3, 0.1),
    "ratio_min": (0.5, 0.3),
    "advantage_std_low": (0.5, 0.1),
    "value_correlation": (0.6, 0.3),
    "healthy_layers": (0.8, 0.5),
    "shaping_low": (0.1, None),
    "blueprint_success": (0.5, 0.25),
}
"""Warning and critical limits of numbers that should stay high."""

EXCELLENT_PCT: Final = 80.0
DEGRADED_PP: Final = 1.0
STEADY_EPOCHS: Final = 3
"""Epochs that must agree before a status changes, and that an env must be down before it counts as degraded."""


def judge(signal: str, value: float | None) -> Level:
    """Judge a number by the limits of its signal; nothing is known of what was not measured.

    Raises:
        KeyError: There is no such signal.
    """
    is_bad: Callable[[float, float], bool]
    if signal in ABOVE:
        (warning, critical), is_bad = ABOVE[signal], float.__gt__
    else:
        (warning, critical), is_bad = BELOW[signal], float.__lt__
    if value is None:
        return "unknown"
    if critical is not None and is_bad(float(value), critical):
        return "critical"
    return "warning" if is_bad(float(value), warning) else "good"


def worst(levels: tuple[Level, ...]) -> Level:
    """Return the worst of several."""
    order: tuple[Level, ...] = ("unknown", "good", "warning", "critical")
    return max(levels, key=order.index, default="good")


def raw_status(accuracies: tuple[float, ...], *, stale_epochs: int, has_rolled_back: bool) -> str:
    """Say in a word how an env does by its last epoch alone."""
    if not accuracies:
        return "initializing"
    if has_rolled_back:
        return "rolled back"
    recent = accuracies[-STEADY_EPOCHS:]
    if len(recent) == STEADY_EPOCHS and max(recent) < max(accuracies) - DEGRADED_PP:
        return "degraded"
    if stale_epochs > ABOVE["stale_epochs"][0]:
        return "stalled"
    return "excellent" if accuracies[-1] > EXCELLENT_PCT else "healthy"
