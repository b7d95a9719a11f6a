"""How an env tells what happened to it: payloads of the events of an epoch and of a decision."""

from dataclasses import dataclass

from diorama.worlds.morphogenesis.contracts.actions import (
    AlphaCurveAction,
    AlphaSpeedAction,
    GerminationStyle,
    LifecycleOp,
)
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.governor import GovernorReport
from diorama.worlds.morphogenesis.contracts.outcomes import EpisodeOutcome
from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    EpisodeOutcomePayload,
    HeadTelemetry,
    LastActionSnapshot,
    OpAlternative,
    OutcomeType,
)
from diorama.worlds.morphogenesis.contracts.payloads.health import GovernorRollbackPayload
from diorama.worlds.morphogenesis.contracts.payloads.training import (
    EpochCompletedPayload,
    HostStabilizedPayload,
    ObservationStatsTelemetry,
    SeedEpochSummary,
)
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contracts.units import EPISODE_SUCCESS_THRESHOLD
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionNotes:
    """What a policy says about one of its decisions; the defaults are those of rules, which are certain."""

    action_confidence: float = 1.0
    value_estimate: float = 0.0
    head_telemetry: HeadTelemetry | None = None
    alternatives: tuple[OpAlternative, ...] = ()
    decision_entropy: float = 0.0
    observation_stats: ObservationStatsTelemetry | None = None


NO_NOTES = DecisionNotes()


def tell_epoch(env: Env, *, round_index: int, epoch: int) -> EpochCompletedPayload:
    """Tell of an epoch."""
    reading = env.reading
    return EpochCompletedPayload(
        env_id=env.env_id,
        val_accuracy=reading.val_acc,
        val_loss=reading.val_loss,
        inner_epoch=epoch,
        episode_idx=round_index,
        train_loss=reading.train_loss,
        train_accuracy=reading.train_acc,
        host_grad_norm=reading.host_grad_norm,
        control_accuracy=reading.control_acc,
        seeds={state.slot_id: _summary(state) for state in env.growth.states()},
    )


def tell_stabilized(env: Env, *, round_index: int, epoch: int) -> HostStabilizedPayload:
    """Tell that a host has settled."""
    return HostStabilizedPayload(
        env_id=env.env_id,
        epoch=epoch,
        stable_count=env.tracker.stable_count,
        stabilization_epochs=env.tracker.stabilization_epochs,
        val_loss=env.reading.val_loss,
        episode_idx=round_index,
    )


def tell_last_action(env: Env, *, round_index: int, epoch: int, notes: DecisionNotes) -> LastActionSnapshot:
    """Tell what was decided and what came of it; indices are those that were sampled."""
    spec, outcome, flags = env.record.action_spec, env.record.action_outcome, env.record.mask_flags
    op = LifecycleOp(spec.op_idx)
    plants, has_slot = op is LifecycleOp.GERMINATE, op is not LifecycleOp.WAIT
    ramps = op in (LifecycleOp.SET_ALPHA_TARGET, LifecycleOp.PRUNE)
    parts = outcome.reward_components
    return LastActionSnapshot(
        env_id=env.env_id,
        episode_idx=round_index,
        inner_epoch=epoch,
        total_reward=outcome.reward_raw,
        action_name=outcome.action_name,
        action_confidence=notes.action_confidence,
        value_estimate=notes.value_estimate,
        slot_id=spec.target_slot if has_slot else None,
        blueprint_id=BlueprintAction(spec.blueprint_idx).blueprint_id if plants else None,
        style=GerminationStyle(spec.style_idx).name if plants else None,
        blend_id=spec.blend_algorithm_id if has_slot else None,
        tempo_idx=spec.tempo_idx if plants else None,
        alpha_target=spec.alpha_target if plants or op is LifecycleOp.SET_ALPHA_TARGET else None,
        alpha_speed=AlphaSpeedAction(spec.alpha_speed_idx).name if ramps else None,
        alpha_curve=AlphaCurveAction(spec.alpha_curve_idx).name if ramps else None,
        alpha_algorithm=spec.alpha_algorithm.name if has_slot else None,
        alpha_algorithm_selected=GerminationStyle(spec.style_idx).traits.operator.name if plants else None,
        action_success=outcome.action_success,
        op_masked=flags.op_masked,
        slot_masked=flags.slot_masked,
        blueprint_masked=flags.blueprint_masked,
        style_masked=flags.style_masked,
        tempo_masked=flags.tempo_masked,
        alpha_target_masked=flags.alpha_target_masked,
        alpha_speed_masked=flags.alpha_speed_masked,
        alpha_curve_masked=flags.alpha_curve_masked,
        head_telemetry=notes.head_telemetry,
        bounded_attribution=None if parts is None else parts.bounded_attribution,
        compute_rent=0.0 if parts is None else parts.compute_rent,
        stage_bonus=0.0 if parts is None else parts.pbrs_bonus,
        ratio_penalty=0.0 if parts is None else parts.ratio_penalty,
        alpha_shock=0.0 if parts is None else parts.alpha_shock,
        reward_components=parts,
        observation_stats=notes.observation_stats,
        slot_states={slot.slot_id: _slot_text(slot.state) for slot in env.growth.slots},
        alternatives=notes.alternatives,
        decision_entropy=notes.decision_entropy,
    )


def outcome_of(env: Env, *, round_index: int, reward_mode: str) -> EpisodeOutcome:
    """Return what an episode came to."""
    return EpisodeOutcome(
        env_id=env.env_id,
        episode_idx=round_index,
        final_accuracy=env.reading.val_acc,
        param_ratio=env.param_ratio,
        num_fossilized=env.count_stage(SeedStage.FOSSILIZED),
        num_contributing_fossilized=env.memory.num_contributing,
        episode_reward=env.episode_reward,
        stability_score=env.stability,
        reward_mode=reward_mode,
    )


def tell_outcome(env: Env, outcome: EpisodeOutcome, *, epochs: int, is_cut_short: bool) -> EpisodeOutcomePayload:
    """Tell the end of an episode."""
    reached: OutcomeType = "success" if outcome.final_accuracy >= EPISODE_SUCCESS_THRESHOLD else "timeout"
    return EpisodeOutcomePayload(
        env_id=outcome.env_id,
        episode_idx=outcome.episode_idx,
        final_accuracy=outcome.final_accuracy,
        param_ratio=outcome.param_ratio,
        num_fossilized=outcome.num_fossilized,
        num_contributing_fossilized=outcome.num_contributing_fossilized,
        episode_reward=outcome.episode_reward,
        stability_score=outcome.stability_score,
        reward_mode=outcome.reward_mode,
        outcome_type="early_termination" if is_cut_short else reached,
        episode_length=epochs,
        germinate_count=env.counts.germinated,
        prune_count=env.counts.pruned,
        fossilize_count=env.counts.fossilized,
        control_accuracy=env.reading.control_acc,
    )


def tell_rollback(
    env: Env, report: GovernorReport, *, round_index: int, device: str, raw_penalty: float
) -> GovernorRollbackPayload:
    """Tell of a rollback and what led to it."""
    return GovernorRollbackPayload(
        env_id=env.env_id,
        device=device,
        reason=report.reason,
        episode_idx=round_index,
        loss_at_panic=report.loss_at_panic,
        loss_threshold=report.loss_threshold,
        consecutive_panics=report.consecutive_panics,
        panic_reason=report.reason,
        raw_penalty=raw_penalty,
    )


def _summary(state: SeedState) -> SeedEpochSummary:
    metrics, telemetry = state.metrics, state.telemetry
    return SeedEpochSummary(
        stage=state.stage.name,
        blueprint_id=state.blueprint.blueprint_id,
        accuracy_delta=metrics.improvement_since_stage_start,
        epochs_in_stage=state.epochs_in_stage,
        alpha=state.alpha.alpha,
        grad_ratio=metrics.seed_gradient_norm_ratio,
        gradient_health=None if telemetry is None else telemetry.gradient_health,
        has_vanishing=None if telemetry is None else telemetry.has_vanishing,
        has_exploding=None if telemetry is None else telemetry.has_exploding,
        contribution=metrics.counterfactual_contribution,
        contribution_velocity=metrics.contribution_velocity,
        interaction_sum=metrics.interaction_sum,
        boost_received=metrics.boost_received,
        upstream_alpha_sum=metrics.upstream_alpha_sum,
        downstream_alpha_sum=metrics.downstream_alpha_sum,
    )


def _slot_text(state: SeedState | None) -> str:
    return "Empty" if state is None else f"{state.stage.name.capitalize()} {100.0 * state.alpha.alpha:.0f}%"
