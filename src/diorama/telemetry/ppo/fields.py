"""The fields of a PPO telemetry record, version by version, in the order in which they are written."""

from enum import Enum
from typing import Final

PPO_LOG_FILE: Final = "ppo.ndjson"


class PpoVersion(Enum):
    """Forms of the record; the value is what stands in `telemetry_version`."""

    V1_0 = 1.0
    V1_1 = 1.1


VERSION_FIELD: Final = "telemetry_version"
OFFSET_FIELD: Final = "log_stream_offset"
STEPS_FIELD: Final = "steps"

UPDATE_FIELDS: Final = (
    "loss_policy",
    "loss_value",
    "loss_entropy",
    "loss_total",
    "clip_fraction",
    "adv_mean",
    "adv_std",
    "grad_norm",
    "kl_divergence",
    "lr",
)
COMMON_FIELDS: Final = (
    VERSION_FIELD,
    "epoch",
    "updates",
    "transitions",
    STEPS_FIELD,
    *UPDATE_FIELDS,
)
ADDED_FIELDS: Final = (
    "epoch_duration_sec",
    "data_mode",
    "cycle_id",
    "batch_entropy_mean",
    "batch_entropy_std",
    "grad_norm_max",
    "kl_divergence_max",
    "reward_advantage_corr",
    "rollout_ticks",
    OFFSET_FIELD,
)
BASELINE_FIELDS: Final = (
    "baseline_sample_count",
    "baseline_reward_mean",
    "baseline_reward_sum",
    "baseline_reward_sum_mean",
)
BASELINE_OPTIONAL_FIELDS: Final = ("baseline_log_prob_mean",)
CONFLICT_FIELDS: Final = (
    "conflict.rivalry_max_mean_avg",
    "conflict.rivalry_max_max_avg",
    "conflict.rivalry_avoid_count_mean_avg",
    "conflict.rivalry_avoid_count_max_avg",
)
EXTENSION_FIELDS: Final = (
    "clip_fraction_max",
    "clip_triggered_minibatches",
    "adv_zero_std_batches",
    "adv_min_std",
    "queue_conflict_events",
    "queue_conflict_intensity_sum",
    "shared_meal_events",
    "late_help_events",
    "shift_takeover_events",
    "chat_success_events",
    "chat_failure_events",
    "chat_quality_mean",
    "loss_kickstarting",
    "teacher_agreement",
    "kickstarting_weight",
)
ANNEAL_PREFIX: Final = "anneal_"  # the names after it are those of the schedule that is run

WRITING_ORDER: Final = (
    *COMMON_FIELDS,
    *ADDED_FIELDS,
    *BASELINE_FIELDS,
    *BASELINE_OPTIONAL_FIELDS,
    *CONFLICT_FIELDS,
    *EXTENSION_FIELDS,
)

REQUIRED_FIELDS: Final = {
    PpoVersion.V1_0: (*COMMON_FIELDS, *CONFLICT_FIELDS),
    PpoVersion.V1_1: (*COMMON_FIELDS, *ADDED_FIELDS, *CONFLICT_FIELDS),
}
DATA_MODES: Final = ("replay", "rollout", "mixed")
WHOLE_NUMBER_FIELDS: Final = frozenset(
    {
        "epoch",
        "updates",
        "transitions",
        STEPS_FIELD,
        "cycle_id",
        "rollout_ticks",
        OFFSET_FIELD,
        "baseline_sample_count",
        "clip_triggered_minibatches",
        "adv_zero_std_batches",
    }
)


def is_extension(field: str) -> bool:
    """Whether a field may stand in a record of version 1.1 and never has to."""
    return field in EXTENSION_FIELDS or field.startswith(ANNEAL_PREFIX)


def is_added(field: str) -> bool:
    """Whether version 1.0 does not know the field and version 1.1 does."""
    return field in ADDED_FIELDS or is_extension(field)


def is_known(field: str) -> bool:
    """Whether any version knows the field."""
    return field in WRITING_ORDER or field.startswith(ANNEAL_PREFIX)
