"""How a slot tells what happened to it: payloads of lifecycle events from the state of a seed."""

from diorama.worlds.morphogenesis.contracts.gates import GateResult
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    UNKNOWN_ENV,
    Initiator,
    SeedFossilizedPayload,
    SeedGateEvaluatedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
    SeedStageChangedPayload,
)
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState


def tell_germinated(state: SeedState) -> SeedGerminatedPayload:
    """Tell of a new seed."""
    return SeedGerminatedPayload(
        slot_id=state.slot_id,
        env_id=UNKNOWN_ENV,
        blueprint_id=state.blueprint.blueprint_id,
        params=state.metrics.seed_param_count,
        blend_tempo_epochs=state.blend_tempo_epochs,
        alpha_curve=state.style.traits.curve.name,
    )


def tell_gate(state: SeedState, result: GateResult, target: SeedStage) -> SeedGateEvaluatedPayload:
    """Tell what a gate said to an operation."""
    return SeedGateEvaluatedPayload(
        slot_id=state.slot_id,
        env_id=UNKNOWN_ENV,
        gate=result.gate.name,
        passed=result.passed,
        target_stage=target.name,
        checks_passed=tuple(result.checks_passed),
        checks_failed=tuple(result.checks_failed),
        message=result.message or None,
    )


def tell_stage(state: SeedState, accuracy_delta: float) -> SeedStageChangedPayload:
    """Tell of the stage just entered; the delta is what the stage before it brought."""
    telemetry = state.telemetry
    return SeedStageChangedPayload(
        slot_id=state.slot_id,
        env_id=UNKNOWN_ENV,
        from_stage=state.previous_stage.name,
        to_stage=state.stage.name,
        alpha=state.alpha.alpha,
        accuracy_delta=accuracy_delta,
        epochs_in_stage=state.previous_epochs_in_stage,
        grad_ratio=state.metrics.seed_gradient_norm_ratio or 0.0,
        has_vanishing=telemetry is not None and telemetry.has_vanishing is True,
        has_exploding=telemetry is not None and telemetry.has_exploding is True,
        alpha_curve=state.alpha.alpha_curve.name,
    )


def tell_fossilized(state: SeedState, improvement_pp: float) -> SeedFossilizedPayload:
    """Tell of a seed that became permanent."""
    return SeedFossilizedPayload(
        slot_id=state.slot_id,
        env_id=UNKNOWN_ENV,
        blueprint_id=state.blueprint.blueprint_id,
        improvement=improvement_pp,
        params_added=state.metrics.seed_param_count,
        epochs_total=state.metrics.epochs_total,
        counterfactual=state.metrics.counterfactual_contribution,
        blending_delta=state.blending_delta,
    )


def tell_pruned(
    state: SeedState, reason: str, initiator: Initiator, improvement_pp: float, blending_delta_pp: float
) -> SeedPrunedPayload:
    """Tell of a seed that is gone."""
    return SeedPrunedPayload(
        slot_id=state.slot_id,
        env_id=UNKNOWN_ENV,
        reason=reason,
        blueprint_id=state.blueprint.blueprint_id,
        improvement=improvement_pp,
        auto_pruned=initiator == "governor",
        epochs_total=state.metrics.epochs_total,
        counterfactual=state.metrics.counterfactual_contribution,
        blending_delta=blending_delta_pp,
        initiator=initiator,
    )
