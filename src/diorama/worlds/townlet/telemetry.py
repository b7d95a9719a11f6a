"""What the town adds to the telemetry of policy updates: rivalry as citizens see it, and how they get on."""

from typing import Final

from diorama.contracts.plans import TelemetryPlan

TELEMETRY: Final = TelemetryPlan(
    gauges={
        "conflict.rivalry_max": "rivalry_max",
        "conflict.rivalry_avoid_count": "rivalry_avoid_count",
    },
    counters={
        "queue_conflict_events": "queue_conflict",
        "shared_meal_events": "shared_meal",
        "late_help_events": "employment_helped_when_late",
        "shift_takeover_events": "employment_took_my_shift",
        "chat_success_events": "chat_success",
        "chat_failure_events": "chat_failure",
    },
    sums={"queue_conflict_intensity_sum": ("queue_conflict", "intensity")},
    means={"chat_quality_mean": ("chat_success", "quality")},
)
