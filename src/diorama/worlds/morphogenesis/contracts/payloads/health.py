"""Payloads of health, safety and audit."""

from dataclasses import dataclass
from typing import Literal

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class AnomalyDetectedPayload(Payload):
    """Something in the policy's learning looks wrong."""

    anomaly_type: str
    episode: int
    batch: int
    inner_epoch: int
    total_episodes: int
    detail: str = ""
    gradient_stats: dict[str, float] | None = None
    stability: dict[str, float] | None = None
    ratio_diagnostic: dict[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardHackingSuspectedPayload(Payload):
    """A seed earns more than it can have brought."""

    pattern: Literal["attribution_ratio", "ransomware"]
    slot_id: str
    seed_id: str
    seed_contribution: float
    total_improvement: float
    ratio: float | None = None
    threshold: float | None = None
    contribution_threshold: float | None = None
    degradation_threshold: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceDegradationPayload(Payload):
    """An env fell well below its own rolling average."""

    env_id: int
    current_acc: float
    rolling_avg_acc: float
    drop_percent: float
    threshold_percent: float
    episode_idx: int | None = None
    training_progress: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWarningPayload(Payload):
    """An accelerator's memory runs short."""

    gpu_utilization: float
    gpu_allocated_gb: float
    gpu_total_gb: float
    threshold: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocatorStatsPayload(Payload):
    """State of an accelerator's allocator after a round."""

    batch_idx: int
    device: str
    allocated_bytes: int
    reserved_bytes: int
    fragmentation_bytes: int
    num_alloc_retries: int
    num_ooms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GovernorRollbackPayload(Payload):
    """The governor put a host back to its last snapshot."""

    env_id: int
    device: str
    reason: str
    episode_idx: int | None = None
    loss_at_panic: float | None = None
    loss_threshold: float | None = None
    consecutive_panics: int | None = None
    panic_reason: str | None = None
    triggering_action_id: str | None = None
    raw_penalty: float | None = None
    normalized_penalty: float | None = None
    rollback_severity: str | None = None
    watch_window_evidence: tuple[float, ...] | None = None
    missing_keys: tuple[str, ...] | None = None
    unexpected_keys: tuple[str, ...] | None = None


CausalPhase = Literal[
    "proposal", "verdict", "mutation", "dispatch", "commit", "rollback", "fossilization", "cooldown", "audit"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MorphologyCausalLogPayload(Payload):
    """One link of the chain from an observation to a change of the network."""

    phase: CausalPhase
    env_id: int
    slot_id: str
    operation: str
    action_id: str
    proposal_id: str
    verdict_id: str
    mutation_id: str
    observation_hash: str
    rng_stream: str
    rng_seed: int
    topology: str
    blueprint_id: str | None
    governor_approved: bool | None = None
    governor_reason: str | None = None
    governor_blocked_factor: str | None = None
    watch_window_evidence: tuple[float, ...] | None = None
    linked_event_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyManifestRecordedPayload(Payload):
    """What a control cohort grew, or replayed."""

    manifest_role: Literal["source_final", "static_final_replay"]
    proof_baseline_pair_id: str
    topology_manifest_version: int
    topology_manifest_hash: str
    topology_manifest_json: str
    task: str
    host_topology: str
    slot_config_hash: str
    slot_count: int
    fossilized_seed_count: int
    topology_delta_count: int
    source_group_id: str | None = None
    source_episode_idx: int | None = None
    source_env_id: int | None = None
    source_manifest_hash: str | None = None
    replay_group_id: str | None = None
    replay_episode_idx: int | None = None
    replay_env_id: int | None = None
    replay_manifest_hash: str | None = None
    manifest_match: bool | None = None
