"""Telemetry events: their kinds in order, the envelope, and which payload belongs to which kind."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, Literal

from diorama.contracts.values import JsonValue
from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    ActionDistributionSnapshot,
    BatchStatsSnapshot,
    CounterfactualMatrixPayload,
    EpisodeOutcomePayload,
    HeuristicEpisodeSnapshot,
    HeuristicRunSnapshot,
    LastActionSnapshot,
    ShapleySnapshot,
    SummaryTableSnapshot,
)
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload, to_json
from diorama.worlds.morphogenesis.contracts.payloads.health import (
    AllocatorStatsPayload,
    AnomalyDetectedPayload,
    GovernorRollbackPayload,
    MemoryWarningPayload,
    MorphologyCausalLogPayload,
    PerformanceDegradationPayload,
    RewardHackingSuspectedPayload,
    TopologyManifestRecordedPayload,
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
    CheckpointLoadedPayload,
    EpochCompletedPayload,
    HostStabilizedPayload,
    TrainingStartedPayload,
    TrendDetectedPayload,
)
from diorama.worlds.morphogenesis.contracts.profiling import PhaseProfileReport


class TelemetryEventType(Enum):
    """Every kind of event, in the order of the world's event table."""

    SEED_GERMINATED = "SEED_GERMINATED"
    SEED_STAGE_CHANGED = "SEED_STAGE_CHANGED"
    SEED_GATE_EVALUATED = "SEED_GATE_EVALUATED"
    SEED_FOSSILIZED = "SEED_FOSSILIZED"
    SEED_PRUNED = "SEED_PRUNED"
    EPOCH_COMPLETED = "EPOCH_COMPLETED"
    BATCH_EPOCH_COMPLETED = "BATCH_EPOCH_COMPLETED"
    PHASE_PROFILE_COMPLETED = "PHASE_PROFILE_COMPLETED"
    PLATEAU_DETECTED = "PLATEAU_DETECTED"
    DEGRADATION_DETECTED = "DEGRADATION_DETECTED"
    IMPROVEMENT_DETECTED = "IMPROVEMENT_DETECTED"
    HOST_STABILIZED = "HOST_STABILIZED"
    GRADIENT_ANOMALY = "GRADIENT_ANOMALY"
    PERFORMANCE_DEGRADATION = "PERFORMANCE_DEGRADATION"
    MEMORY_WARNING = "MEMORY_WARNING"
    REWARD_HACKING_SUSPECTED = "REWARD_HACKING_SUSPECTED"
    PPO_UPDATE_COMPLETED = "PPO_UPDATE_COMPLETED"
    RATIO_EXPLOSION_DETECTED = "RATIO_EXPLOSION_DETECTED"
    RATIO_COLLAPSE_DETECTED = "RATIO_COLLAPSE_DETECTED"
    VALUE_COLLAPSE_DETECTED = "VALUE_COLLAPSE_DETECTED"
    GRADIENT_PATHOLOGY_DETECTED = "GRADIENT_PATHOLOGY_DETECTED"
    NUMERICAL_INSTABILITY_DETECTED = "NUMERICAL_INSTABILITY_DETECTED"
    GOVERNOR_ROLLBACK = "GOVERNOR_ROLLBACK"
    MORPHOLOGY_CAUSAL_LOG = "MORPHOLOGY_CAUSAL_LOG"
    TOPOLOGY_MANIFEST_RECORDED = "TOPOLOGY_MANIFEST_RECORDED"
    TRAINING_STARTED = "TRAINING_STARTED"
    CHECKPOINT_LOADED = "CHECKPOINT_LOADED"
    COUNTERFACTUAL_MATRIX_COMPUTED = "COUNTERFACTUAL_MATRIX_COMPUTED"
    ANALYTICS_SNAPSHOT = "ANALYTICS_SNAPSHOT"
    EPISODE_OUTCOME = "EPISODE_OUTCOME"
    ALLOCATOR_STATS = "ALLOCATOR_STATS"


Severity = Literal["debug", "info", "warning", "error", "critical"]

EVENT_PAYLOADS: Final[dict[TelemetryEventType, type[Payload]]] = {
    TelemetryEventType.SEED_GERMINATED: SeedGerminatedPayload,
    TelemetryEventType.SEED_STAGE_CHANGED: SeedStageChangedPayload,
    TelemetryEventType.SEED_GATE_EVALUATED: SeedGateEvaluatedPayload,
    TelemetryEventType.SEED_FOSSILIZED: SeedFossilizedPayload,
    TelemetryEventType.SEED_PRUNED: SeedPrunedPayload,
    TelemetryEventType.EPOCH_COMPLETED: EpochCompletedPayload,
    TelemetryEventType.BATCH_EPOCH_COMPLETED: BatchEpochCompletedPayload,
    TelemetryEventType.PHASE_PROFILE_COMPLETED: PhaseProfileReport,
    TelemetryEventType.PLATEAU_DETECTED: TrendDetectedPayload,
    TelemetryEventType.DEGRADATION_DETECTED: TrendDetectedPayload,
    TelemetryEventType.IMPROVEMENT_DETECTED: TrendDetectedPayload,
    TelemetryEventType.HOST_STABILIZED: HostStabilizedPayload,
    TelemetryEventType.GRADIENT_ANOMALY: AnomalyDetectedPayload,
    TelemetryEventType.PERFORMANCE_DEGRADATION: PerformanceDegradationPayload,
    TelemetryEventType.MEMORY_WARNING: MemoryWarningPayload,
    TelemetryEventType.REWARD_HACKING_SUSPECTED: RewardHackingSuspectedPayload,
    TelemetryEventType.PPO_UPDATE_COMPLETED: PPOMetrics,
    TelemetryEventType.RATIO_EXPLOSION_DETECTED: AnomalyDetectedPayload,
    TelemetryEventType.RATIO_COLLAPSE_DETECTED: AnomalyDetectedPayload,
    TelemetryEventType.VALUE_COLLAPSE_DETECTED: AnomalyDetectedPayload,
    TelemetryEventType.GRADIENT_PATHOLOGY_DETECTED: AnomalyDetectedPayload,
    TelemetryEventType.NUMERICAL_INSTABILITY_DETECTED: AnomalyDetectedPayload,
    TelemetryEventType.GOVERNOR_ROLLBACK: GovernorRollbackPayload,
    TelemetryEventType.MORPHOLOGY_CAUSAL_LOG: MorphologyCausalLogPayload,
    TelemetryEventType.TOPOLOGY_MANIFEST_RECORDED: TopologyManifestRecordedPayload,
    TelemetryEventType.TRAINING_STARTED: TrainingStartedPayload,
    TelemetryEventType.CHECKPOINT_LOADED: CheckpointLoadedPayload,
    TelemetryEventType.COUNTERFACTUAL_MATRIX_COMPUTED: CounterfactualMatrixPayload,
    TelemetryEventType.EPISODE_OUTCOME: EpisodeOutcomePayload,
    TelemetryEventType.ALLOCATOR_STATS: AllocatorStatsPayload,
}
"""The payload of each kind but ANALYTICS_SNAPSHOT, whose payload depends on its own kind."""

ANALYTICS_PAYLOADS: Final[dict[str, type[Payload]]] = {
    "last_action": LastActionSnapshot,
    "batch_stats": BatchStatsSnapshot,
    "action_distribution": ActionDistributionSnapshot,
    "shapley_computed": ShapleySnapshot,
    "summary_table": SummaryTableSnapshot,
    "heuristic_run": HeuristicRunSnapshot,
    "heuristic_episode": HeuristicEpisodeSnapshot,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryEvent:
    """One event. `event_id` is the run and a twelve-digit counter: ordered and reproducible."""

    event_id: str
    event_type: TelemetryEventType
    timestamp: datetime
    seed_id: str | None = None
    slot_id: str | None = None
    epoch: int | None = None
    group_id: str = "default"
    message: str = ""
    data: Payload | None = None
    severity: Severity = "info"

    def to_dict(self) -> dict[str, JsonValue]:
        """Return one line of an event file as an object."""
        return {
            "event_id": self.event_id,
            "event_type": self.event_type.name,
            "timestamp": to_json(self.timestamp),
            "seed_id": self.seed_id,
            "slot_id": self.slot_id,
            "epoch": self.epoch,
            "group_id": self.group_id,
            "message": self.message,
            "data": None if self.data is None else self.data.to_dict(),
            "severity": self.severity,
        }
