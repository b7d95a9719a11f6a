"""Records of a seed: measurements, gradient telemetry, and the report a slot hands out."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm, AlphaMode
from diorama.worlds.morphogenesis.contracts.stages import SeedStage


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True, kw_only=True)
class SeedMetrics:
    """What was measured on a seed. Accuracies are percent, improvements percentage points.

    `upstream_alpha_sum` adds the alphas of slots earlier in execution order, `downstream_alpha_sum` of later ones.
    """

    epochs_total: int = 0
    epochs_in_current_stage: int = 0
    initial_val_accuracy: float = 0.0
    current_val_accuracy: float = 0.0
    best_val_accuracy: float = 0.0
    accuracy_at_stage_start: float = 0.0
    accuracy_at_blending_start: float | None = None
    total_improvement: float = 0.0
    improvement_since_stage_start: float = 0.0
    counterfactual_contribution: float | None = None
    contribution_velocity: float = 0.0
    prev_contribution: float | None = None
    epochs_since_counterfactual: int | None = None
    interaction_sum: float = 0.0
    boost_received: float = 0.0
    upstream_alpha_sum: float = 0.0
    downstream_alpha_sum: float = 0.0
    seed_gradient_norm_ratio: float | None = None
    seed_param_count: int = 0
    host_param_count: int = 0
    gradient_norm_avg: float | None = None
    current_alpha: float = 0.0
    alpha_ramp_step: int = 0


@dataclass(slots=True, kw_only=True)
class SeedTelemetry:
    """What the views and the observation show of a seed, taken once an epoch."""

    seed_id: str
    blueprint_id: str = ""
    layer_id: str = ""
    gradient_norm: float | None = None
    gradient_health: float | None = None
    prev_gradient_health: float | None = None
    has_vanishing: bool | None = None
    has_exploding: bool | None = None
    accuracy: float = 0.0
    accuracy_delta: float = 0.0
    epochs_in_stage: int = 0
    stage: int = int(SeedStage.DORMANT)
    alpha: float = 0.0
    alpha_target: float = 0.0
    alpha_mode: int = int(AlphaMode.HOLD)
    alpha_steps_total: int = 0
    alpha_steps_done: int = 0
    time_to_target: int = 0
    alpha_velocity: float = 0.0
    alpha_algorithm: int = int(AlphaAlgorithm.ADD)
    epoch: int = 0
    max_epochs: int = 0
    captured_at: datetime = field(default_factory=_now)
    blend_tempo_epochs: int = 0
    blending_velocity: float = 0.0
    alpha_curve: str = "LINEAR"


@dataclass(slots=True, kw_only=True)
class SeedStateReport:
    """A copy of a slot's state; writing to it never changes the slot."""

    seed_id: str
    slot_id: str
    blueprint_id: str
    blueprint_index: int = -1
    stage: SeedStage = SeedStage.DORMANT
    previous_stage: SeedStage = SeedStage.UNKNOWN
    previous_epochs_in_stage: int = 0
    stage_entered_at: datetime = field(default_factory=_now)
    alpha: float = 0.0
    alpha_target: float = 0.0
    alpha_mode: int = int(AlphaMode.HOLD)
    alpha_steps_total: int = 0
    alpha_steps_done: int = 0
    time_to_target: int = 0
    alpha_velocity: float = 0.0
    alpha_algorithm: int = int(AlphaAlgorithm.ADD)
    alpha_curve: str = "LINEAR"
    blend_tempo_epochs: int = 0
    metrics: SeedMetrics = field(default_factory=SeedMetrics)
    telemetry: SeedTelemetry | None = None
    is_healthy: bool = True
    is_improving: bool = False
    needs_attention: bool = False
    reported_at: datetime = field(default_factory=_now)
