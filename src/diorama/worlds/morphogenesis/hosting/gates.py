"""The gates between stages: structure and safety always, quality too where the run is strict."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.morphogenesis.contracts.alpha import ALPHA_TOLERANCE, AlphaMode
from diorama.worlds.morphogenesis.contracts.gates import (
    FULL_SCORE_CONTRIBUTION_PP,
    FULL_SCORE_IMPROVEMENT_PP,
    MIN_FOSSILIZE_CONTRIBUTION_PP,
    MIN_GRADIENT_HEALTH,
    MIN_GRADIENT_RATIO,
    MIN_TRAINING_IMPROVEMENT_PP,
    GateLevel,
    GateResult,
)
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contracts.timings import LifecycleTimings
from diorama.worlds.morphogenesis.contracts.units import clamp01
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState

GATE_OF_STAGE: Final[dict[SeedStage, GateLevel]] = {
    SeedStage.DORMANT: GateLevel.G0,
    SeedStage.GERMINATED: GateLevel.G1,
    SeedStage.TRAINING: GateLevel.G2,
    SeedStage.BLENDING: GateLevel.G3,
    SeedStage.HOLDING: GateLevel.G5,
}
"""The gate that guards the way out of a stage."""

ADVANCE_TARGETS: Final[dict[SeedStage, SeedStage]] = {
    SeedStage.GERMINATED: SeedStage.TRAINING,
    SeedStage.TRAINING: SeedStage.BLENDING,
    SeedStage.BLENDING: SeedStage.HOLDING,
}
"""Where ADVANCE leads; it never makes a seed permanent."""


@dataclass(slots=True)
class _Checks:
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def note(self, holds: bool, yes: str, no: str) -> None:
        (self.passed if holds else self.failed).append(yes if holds else no)

    def result(self, gate: GateLevel, score: float) -> GateResult:
        return GateResult(
            gate=gate,
            passed=not self.failed,
            score=score,
            checks_passed=self.passed,
            checks_failed=self.failed,
            message=", ".join(self.failed),
        )


def refuse(gate: GateLevel, label: str) -> GateResult:
    """Return the result of a gate that was never reached."""
    return GateResult(gate=gate, passed=False, checks_failed=[label], message=label)


def evaluate_gate(gate: GateLevel, state: SeedState, timings: LifecycleTimings, *, permissive: bool) -> GateResult:
    """Ask a gate about a seed; changes nothing and emits nothing."""
    match gate:
        case GateLevel.G0:
            return _birth(state)
        case GateLevel.G1:
            return _training(state)
        case GateLevel.G2:
            return _blending(state, timings, permissive)
        case GateLevel.G3:
            return _holding(state, timings, permissive)
        case GateLevel.G5:
            return _permanence(state, permissive)


def _birth(state: SeedState) -> GateResult:
    checks = _Checks()
    checks.note(bool(state.seed_id), "seed_id_present", "seed_id_missing")
    checks.note(bool(state.blueprint.blueprint_id), "blueprint_id_present", "blueprint_id_missing")
    return checks.result(GateLevel.G0, float(not checks.failed))


def _training(state: SeedState) -> GateResult:
    checks = _Checks()
    checks.note(state.stage is SeedStage.GERMINATED, "germinated", "not_germinated")
    return checks.result(GateLevel.G1, float(not checks.failed))


def _blending(state: SeedState, timings: LifecycleTimings, permissive: bool) -> GateResult:
    checks = _Checks()
    dwell, least = state.epochs_in_stage, timings.min_training_dwell
    checks.note(dwell >= least, f"trained_{dwell}_epochs", f"insufficient_training_{dwell}_of_{least}")
    telemetry = state.telemetry
    if telemetry is None or telemetry.gradient_health is None:
        checks.failed.append("gradient_health_not_measured")
    else:
        health = telemetry.gradient_health
        checks.note(not telemetry.has_exploding, "no_exploding_gradients", "exploding_gradients")
        checks.note(health >= MIN_GRADIENT_HEALTH, f"gradient_health_{health:.2f}", f"gradient_health_low_{health:.2f}")
    gained = state.metrics.improvement_since_stage_start
    if not permissive:
        checks.note(
            gained >= MIN_TRAINING_IMPROVEMENT_PP, f"improvement_{gained:.2f}", f"improvement_insufficient_{gained:.2f}"
        )
        ratio = state.metrics.seed_gradient_norm_ratio
        shown = "unmeasured" if ratio is None else f"{ratio:.2f}"
        is_active = ratio is not None and ratio >= MIN_GRADIENT_RATIO
        checks.note(is_active, f"seed_gradient_active_{shown}", f"seed_gradient_low_{shown}")
    return checks.result(GateLevel.G2, clamp01(gained / FULL_SCORE_IMPROVEMENT_PP))


def _holding(state: SeedState, timings: LifecycleTimings, permissive: bool) -> GateResult:
    checks = _Checks()
    alpha = state.alpha
    is_full = alpha.alpha_target >= 1.0 - ALPHA_TOLERANCE
    checks.note(is_full, "alpha_target_full", f"alpha_target_not_full_{alpha.alpha_target:.2f}")
    rests = alpha.alpha_mode is AlphaMode.HOLD and abs(alpha.alpha - alpha.alpha_target) <= ALPHA_TOLERANCE
    checks.note(rests, "alpha_target_reached", "alpha_not_at_target")
    if not permissive:
        dwell, least = state.epochs_in_stage, timings.min_blending_dwell
        checks.note(dwell >= least, f"blended_{dwell}_epochs", f"insufficient_blending_{dwell}_of_{least}")
    return checks.result(GateLevel.G3, alpha.alpha)


def _permanence(state: SeedState, permissive: bool) -> GateResult:
    checks = _Checks()
    contribution = state.metrics.counterfactual_contribution
    if contribution is None:
        checks.failed.append("counterfactual_not_available")
    else:
        checks.passed.append(f"counterfactual_available_{contribution:.2f}")
        if not permissive:
            checks.note(
                contribution >= MIN_FOSSILIZE_CONTRIBUTION_PP,
                f"sufficient_contribution_{contribution:.2f}",
                f"insufficient_contribution_{contribution:.2f}",
            )
    checks.note(state.is_healthy, "healthy", "unhealthy")
    score = 0.0 if contribution is None else clamp01(contribution / FULL_SCORE_CONTRIBUTION_PP)
    return checks.result(GateLevel.G5, score)
