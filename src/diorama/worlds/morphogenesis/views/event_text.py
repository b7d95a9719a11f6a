"""One event in one line, for the log."""

from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    BatchStatsSnapshot,
    EpisodeOutcomePayload,
    LastActionSnapshot,
    ShapleySnapshot,
)
from diorama.worlds.morphogenesis.contracts.payloads.health import (
    AllocatorStatsPayload,
    AnomalyDetectedPayload,
    GovernorRollbackPayload,
    MorphologyCausalLogPayload,
    RewardHackingSuspectedPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    SeedFossilizedPayload,
    SeedGateEvaluatedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
    SeedStageChangedPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.payloads.training import (
    BatchEpochCompletedPayload,
    HostStabilizedPayload,
    TrainingStartedPayload,
    TrendDetectedPayload,
)


def event_text(event: TelemetryEvent) -> str:
    """Say what happened; an event without words of its own is its kind."""
    match event.data:
        case SeedGerminatedPayload() as seed:
            return f"{seed.slot_id}: {seed.blueprint_id} planted, {seed.params} parameters"
        case SeedStageChangedPayload() as change:
            return f"{change.slot_id}: {change.from_stage} to {change.to_stage}"
        case SeedGateEvaluatedPayload() as gate:
            said = "passed" if gate.passed else f"refused: {', '.join(gate.checks_failed)}"
            return f"{gate.slot_id}: {gate.gate} {said}"
        case SeedFossilizedPayload() as seed:
            return f"{seed.slot_id}: {seed.blueprint_id} is permanent"
        case SeedPrunedPayload() as seed:
            return f"{seed.slot_id}: {seed.blueprint_id or 'a seed'} removed by {seed.initiator}, {seed.reason}"
        case LastActionSnapshot() as done:
            where = "" if done.slot_id is None else f" {done.slot_id}"
            return (
                f"{done.action_name}{where}{'' if done.action_success else ' failed'}, reward {done.total_reward:+.2f}"
            )
        case ShapleySnapshot() as found:
            return ", ".join(f"{slot_id} {one.mean:+.1f}" for slot_id, one in found.shapley_values.items())
        case EpisodeOutcomePayload() as end:
            return f"episode {end.episode_idx} ends at {end.final_accuracy:.1f}%: {end.outcome_type}"
        case GovernorRollbackPayload() as panic:
            return f"put back: {panic.reason}"
        case RewardHackingSuspectedPayload() as found:
            return f"{found.slot_id}: {found.pattern} suspected"
        case AnomalyDetectedPayload() as found:
            return found.detail or found.anomaly_type
        case HostStabilizedPayload() as host:
            return f"settled at loss {host.val_loss:.3f}"
        case TrendDetectedPayload() as trend:
            return f"rolling accuracy {trend.rolling_avg_accuracy:.1f}%, {trend.rolling_delta:+.2f}"
        case BatchEpochCompletedPayload() as batch:
            return f"round {batch.batch_idx} is over: {batch.avg_accuracy:.1f}%"
        case BatchStatsSnapshot() as stats:
            return stats.summary
        case PPOMetrics() as update:
            return f"update {update.ppo_updates_count}: KL {update.kl_divergence:.4f}, entropy {update.entropy:.3f}"
        case TrainingStartedPayload() as start:
            return f"{start.task}, {start.n_envs} envs, {start.max_epochs} epochs"
        case MorphologyCausalLogPayload() as link:
            return f"{link.slot_id}: {link.phase} of {link.operation}"
        case AllocatorStatsPayload() as memory:
            return f"{memory.device}: {memory.allocated_bytes} bytes allocated, {memory.reserved_bytes} reserved"
        case _:
            return event.message or event.event_type.name.replace("_", " ").lower()
