"""Payloads of epochs, rounds, trends and the run itself."""

from dataclasses import dataclass

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStartedPayload(Payload):
    """A run began; `seed` is its root key."""

    n_envs: int
    max_epochs: int
    max_batches: int
    task: str
    host_params: int
    slot_ids: tuple[str, ...]
    seed: int
    n_episodes: int
    lr: float
    clip_ratio: float
    entropy_coef: float
    param_budget: int
    policy_device: str
    env_devices: tuple[str, ...]
    reward_mode: str
    episode_id: str = ""
    resume_path: str = ""
    start_episode: int = 0
    entropy_anneal: dict[str, float] | None = None
    world_size: int = 1
    rank: int = 0
    local_rank: int = 0
    amp_enabled: bool = False
    amp_dtype: str | None = None
    compile_enabled: bool = False
    compile_backend: str | None = None
    compile_mode: str | None = None
    proof_baseline_mode: str | None = None
    proof_baseline_pair_id: str | None = None
    proof_baseline_lifecycle_policy: str | None = None
    proof_baseline_schedule_id: str | None = None
    proof_baseline_schedule_hash: str | None = None
    proof_baseline_schedule_version: int | None = None
    proof_baseline_schedule_action_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointLoadedPayload(Payload):
    """A run goes on from a checkpoint."""

    path: str
    start_episode: int
    source: str | None = None
    avg_accuracy: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationStatsTelemetry(Payload):
    """How the normalized observations of a batch are distributed."""

    slot_features_mean: float
    slot_features_std: float
    host_features_mean: float
    host_features_std: float
    context_features_mean: float
    context_features_std: float
    outlier_pct: float
    near_clip_pct: float
    clip_pct: float
    nan_count: int
    inf_count: int
    nan_pct: float
    inf_pct: float
    normalization_drift: float
    batch_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedEpochSummary(Payload):
    """One slot in the report of an epoch."""

    stage: str
    blueprint_id: str
    accuracy_delta: float
    epochs_in_stage: int
    alpha: float
    grad_ratio: float | None
    gradient_health: float | None
    has_vanishing: bool | None
    has_exploding: bool | None
    contribution: float | None
    contribution_velocity: float
    interaction_sum: float
    boost_received: float
    upstream_alpha_sum: float
    downstream_alpha_sum: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochCompletedPayload(Payload):
    """One env finished an epoch."""

    env_id: int
    val_accuracy: float
    val_loss: float
    inner_epoch: int
    episode_idx: int | None = None
    train_loss: float | None = None
    train_accuracy: float | None = None
    host_grad_norm: float | None = None
    control_accuracy: float | None = None
    seeds: dict[str, SeedEpochSummary] | None = None
    observation_stats: ObservationStatsTelemetry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEpochCompletedPayload(Payload):
    """A round is over; consumers may finalize it now."""

    episodes_completed: int
    batch_idx: int
    avg_accuracy: float
    avg_reward: float
    total_episodes: int
    n_envs: int
    start_episode: int = 0
    requested_episodes: int = 0
    rolling_accuracy: float | None = None
    env_accuracies: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendDetectedPayload(Payload):
    """The rolling accuracy stands still, falls or rises."""

    batch_idx: int
    episodes_completed: int
    rolling_delta: float
    rolling_avg_accuracy: float
    prev_rolling_avg_accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HostStabilizedPayload(Payload):
    """A host's loss has settled."""

    env_id: int
    epoch: int
    stable_count: int
    stabilization_epochs: int
    val_loss: float
    episode_idx: int | None = None
