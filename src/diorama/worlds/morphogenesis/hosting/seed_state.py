"""The state of a slot that is not empty: stage, clock, alpha and what was measured."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.seeds import SeedMetrics, SeedStateReport, SeedTelemetry
from diorama.worlds.morphogenesis.contracts.stages import SeedStage, is_attached, is_valid_transition
from diorama.worlds.morphogenesis.contracts.units import check_accuracy
from diorama.worlds.morphogenesis.hosting.alpha_controller import AlphaController
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading, smooth_ratio

VELOCITY_DECAY: Final = 0.7


@dataclass(slots=True, kw_only=True)
class SeedState:
    """One seed and its slot.

    Improvements are differences of *progress*: the gain over the control twin where there is one, else the accuracy.
    `stage_entered_at` is for display and decides nothing.
    """

    seed_id: str
    slot_id: str
    blueprint: BlueprintAction
    style: GerminationStyle
    blend_tempo_epochs: int
    chosen_alpha_target: float = 1.0
    germination_epoch: int = 0
    acc_at_germination: float | None = None
    gain_at_germination: float | None = None
    stage: SeedStage = SeedStage.DORMANT
    previous_stage: SeedStage = SeedStage.UNKNOWN
    previous_epochs_in_stage: int = 0
    stage_entered_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    alpha: AlphaController = field(default_factory=AlphaController)
    metrics: SeedMetrics = field(default_factory=SeedMetrics)
    telemetry: SeedTelemetry | None = None
    is_healthy: bool = True
    prune_reason: str | None = None
    _has_record: bool = False
    _is_freshly_measured: bool = False
    _progress: float = 0.0
    _initial_progress: float = 0.0
    _stage_start_progress: float = 0.0
    _blending_start_progress: float | None = None

    @property
    def epochs_in_stage(self) -> int:
        """Clock ticks since the stage was entered."""
        return self.metrics.epochs_in_current_stage

    @property
    def blending_delta(self) -> float:
        """Progress since blending began, in percentage points; 0 if it never did."""
        return 0.0 if self._blending_start_progress is None else self._progress - self._blending_start_progress

    def transition(self, target: SeedStage) -> bool:
        """Enter another stage and say so, or change nothing where the lifecycle has no such step."""
        if not is_valid_transition(self.stage, target):
            return False
        self.enter(target)
        return True

    def enter(self, target: SeedStage) -> None:
        """Enter a stage without asking; the governor alone removes permanent seeds this way."""
        self.previous_stage, self.previous_epochs_in_stage = self.stage, self.epochs_in_stage
        self.stage = target
        self.stage_entered_at = datetime.now(UTC)
        self.metrics.epochs_in_current_stage = 0
        self.metrics.accuracy_at_stage_start = self.metrics.current_val_accuracy
        self.metrics.improvement_since_stage_start = 0.0
        self._stage_start_progress = self._progress
        if target is SeedStage.BLENDING and self._blending_start_progress is None:
            self.metrics.accuracy_at_blending_start = self.metrics.current_val_accuracy
            self._blending_start_progress = self._progress

    def tick(self) -> None:
        """Let one epoch pass."""
        self.metrics.epochs_total += 1
        self.metrics.epochs_in_current_stage += 1
        # A contribution is measured before the clock of its epoch ticks, and is fresh until the next one does.
        if self.metrics.epochs_since_counterfactual is not None and not self._is_freshly_measured:
            self.metrics.epochs_since_counterfactual += 1
        self._is_freshly_measured = False

    def record_accuracy(self, accuracy_pct: float, gain_pp: float | None, *, has_twin: bool) -> None:
        """Note this epoch's accuracy; a twin that has failed leaves the improvements as they were."""
        check_accuracy(accuracy_pct)
        metrics = self.metrics
        if gain_pp is not None or not has_twin:
            self._progress = accuracy_pct if gain_pp is None else gain_pp
        if not self._has_record:
            self._has_record = True
            self._initial_progress = self._stage_start_progress = self._progress
            metrics.initial_val_accuracy = metrics.accuracy_at_stage_start = accuracy_pct
        metrics.current_val_accuracy = accuracy_pct
        metrics.best_val_accuracy = max(metrics.best_val_accuracy, accuracy_pct)
        metrics.total_improvement = self._progress - self._initial_progress
        metrics.improvement_since_stage_start = self._progress - self._stage_start_progress

    def record_contribution(self, contribution_pp: float, *, interaction_sum: float, boost_received: float) -> None:
        """Note a fresh measurement of what removing the seed would cost."""
        metrics = self.metrics
        metrics.prev_contribution = metrics.counterfactual_contribution
        if metrics.prev_contribution is not None:
            change = contribution_pp - metrics.prev_contribution
            metrics.contribution_velocity = (
                VELOCITY_DECAY * metrics.contribution_velocity + (1.0 - VELOCITY_DECAY) * change
            )
        metrics.counterfactual_contribution = contribution_pp
        metrics.interaction_sum = interaction_sum
        metrics.boost_received = boost_received
        metrics.epochs_since_counterfactual = 0
        self._is_freshly_measured = True

    def record_gradients(self, reading: GradientReading, *, epoch: int, max_epochs: int) -> None:
        """Note the gradients of an epoch and take the telemetry of it."""
        before = self.telemetry
        self.metrics.gradient_norm_avg = reading.gradient_norm
        self.metrics.seed_gradient_norm_ratio = smooth_ratio(
            self.metrics.seed_gradient_norm_ratio, reading.gradient_ratio
        )
        self.is_healthy = reading.parameters_finite and not reading.has_exploding
        self.telemetry = SeedTelemetry(
            seed_id=self.seed_id,
            blueprint_id=self.blueprint.blueprint_id,
            layer_id=self.slot_id,
            gradient_norm=reading.gradient_norm,
            gradient_health=reading.gradient_health,
            prev_gradient_health=None if before is None else before.gradient_health,
            has_vanishing=reading.has_vanishing,
            has_exploding=reading.has_exploding,
            accuracy=self.metrics.current_val_accuracy,
            accuracy_delta=self.metrics.improvement_since_stage_start,
            epochs_in_stage=self.epochs_in_stage,
            stage=int(self.stage),
            alpha=self.alpha.alpha,
            alpha_target=self.alpha.alpha_target,
            alpha_mode=int(self.alpha.alpha_mode),
            alpha_steps_total=self.alpha.alpha_steps_total,
            alpha_steps_done=self.alpha.alpha_steps_done,
            time_to_target=self.alpha.time_to_target,
            alpha_velocity=self.alpha.alpha_velocity,
            alpha_algorithm=int(self.style.traits.operator),
            epoch=epoch,
            max_epochs=max_epochs,
            blend_tempo_epochs=self.blend_tempo_epochs,
            blending_velocity=self.alpha.alpha_velocity,
            alpha_curve=self.alpha.alpha_curve.name,
        )

    def report(self) -> SeedStateReport:
        """Return a copy that shares nothing with this state."""
        metrics = replace(self.metrics, current_alpha=self.alpha.alpha, alpha_ramp_step=self.alpha.alpha_steps_done)
        contribution = metrics.counterfactual_contribution
        return SeedStateReport(
            seed_id=self.seed_id,
            slot_id=self.slot_id,
            blueprint_id=self.blueprint.blueprint_id,
            blueprint_index=int(self.blueprint) if is_attached(self.stage) else -1,
            stage=self.stage,
            previous_stage=self.previous_stage,
            previous_epochs_in_stage=self.previous_epochs_in_stage,
            stage_entered_at=self.stage_entered_at,
            alpha=self.alpha.alpha,
            alpha_target=self.alpha.alpha_target,
            alpha_mode=int(self.alpha.alpha_mode),
            alpha_steps_total=self.alpha.alpha_steps_total,
            alpha_steps_done=self.alpha.alpha_steps_done,
            time_to_target=self.alpha.time_to_target,
            alpha_velocity=self.alpha.alpha_velocity,
            alpha_algorithm=int(self.style.traits.operator),
            alpha_curve=self.alpha.alpha_curve.name,
            blend_tempo_epochs=self.blend_tempo_epochs,
            metrics=metrics,
            telemetry=None if self.telemetry is None else replace(self.telemetry),
            is_healthy=self.is_healthy,
            is_improving=metrics.improvement_since_stage_start > 0.0,
            needs_attention=not self.is_healthy or (contribution is not None and contribution < 0.0),
        )
