"""Payloads of measurement and of the snapshots the views live on."""

from dataclasses import dataclass
from typing import Literal

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.training import ObservationStatsTelemetry
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry

OutcomeType = Literal["success", "timeout", "early_termination"]
CounterfactualStrategy = Literal["full_factorial", "ablation_only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionResult(Payload):
    """Validation accuracy with some of the contributing slots switched on."""

    seed_mask: tuple[bool, ...]
    accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualMatrixPayload(Payload):
    """The coalitions of one env that were evaluated in an epoch."""

    env_id: int
    slot_ids: tuple[str, ...]
    configs: tuple[CoalitionResult, ...]
    strategy: CounterfactualStrategy
    episode_idx: int | None = None
    compute_time_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeOutcomePayload(Payload):
    """An env's episode is over."""

    env_id: int
    episode_idx: int
    final_accuracy: float
    param_ratio: float
    num_fossilized: int
    num_contributing_fossilized: int
    episode_reward: float
    stability_score: float
    reward_mode: str
    outcome_type: OutcomeType
    episode_length: int = 0
    germinate_count: int = 0
    prune_count: int = 0
    fossilize_count: int = 0
    control_accuracy: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadTelemetry(Payload):
    """Confidence and entropy of each head; an irrelevant head has confidence 1 and entropy 0."""

    op_confidence: float = 1.0
    op_entropy: float = 0.0
    slot_confidence: float = 1.0
    slot_entropy: float = 0.0
    blueprint_confidence: float = 1.0
    blueprint_entropy: float = 0.0
    style_confidence: float = 1.0
    style_entropy: float = 0.0
    tempo_confidence: float = 1.0
    tempo_entropy: float = 0.0
    alpha_target_confidence: float = 1.0
    alpha_target_entropy: float = 0.0
    alpha_speed_confidence: float = 1.0
    alpha_speed_entropy: float = 0.0
    curve_confidence: float = 1.0
    curve_entropy: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpAlternative(Payload):
    """An op that was not chosen, with its probability."""

    op: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LastActionSnapshot(Payload):
    """What one env decided in a step, why, and what it got for it."""

    kind: Literal["last_action"] = "last_action"
    env_id: int
    episode_idx: int
    inner_epoch: int
    total_reward: float
    action_name: str
    action_confidence: float
    value_estimate: float
    slot_id: str | None
    blueprint_id: str | None
    style: str | None
    blend_id: str | None
    tempo_idx: int | None
    alpha_target: float | None
    alpha_speed: str | None
    alpha_curve: str | None
    alpha_algorithm: str | None
    alpha_algorithm_selected: str | None
    action_success: bool
    op_masked: bool
    slot_masked: bool
    blueprint_masked: bool
    style_masked: bool
    tempo_masked: bool
    alpha_target_masked: bool
    alpha_speed_masked: bool
    alpha_curve_masked: bool
    head_telemetry: HeadTelemetry | None
    bounded_attribution: float | None
    compute_rent: float
    stage_bonus: float
    ratio_penalty: float
    alpha_shock: float
    reward_components: RewardComponentsTelemetry | None
    observation_stats: ObservationStatsTelemetry | None
    slot_states: dict[str, str]
    alternatives: tuple[OpAlternative, ...]
    decision_entropy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchStatsSnapshot(Payload):
    """A round in a dozen numbers; `host_accuracy` is the mean of the control twins."""

    kind: Literal["batch_stats"] = "batch_stats"
    batch: int
    episodes_completed: int
    inner_epoch: int
    accuracy: float
    host_accuracy: float | None
    entropy: float | None
    kl_divergence: float | None
    explained_variance: float | None
    value_estimate: float | None
    seeds_created: int
    seeds_fossilized: int
    skipped_update: bool
    rollback_attempt_count: int
    rollback_unattributed_count: int
    fps: float
    step_time_ms: float
    dataloader_wait_ms: float
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionDistributionSnapshot(Payload):
    """How often each op was chosen and each head was masked in a round."""

    kind: Literal["action_distribution"] = "action_distribution"
    batch: int
    action_counts: dict[str, int]
    mask_hits: dict[str, int]
    mask_total: dict[str, int]
    successes: dict[str, int]
    failures: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapleyEstimate(Payload):
    """Attributed percentage points of one slot."""

    mean: float
    std: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapleySnapshot(Payload):
    """Who brought how much by the end of an episode."""

    kind: Literal["shapley_computed"] = "shapley_computed"
    env_id: int
    episode_idx: int
    shapley_values: dict[str, ShapleyEstimate]
    num_slots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTableSnapshot(Payload):
    """A table about the whole run."""

    kind: Literal["summary_table"] = "summary_table"
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeuristicRunSnapshot(Payload):
    """The configuration of a rule-based run."""

    kind: Literal["heuristic_run"] = "heuristic_run"
    task: str
    controller: str
    n_envs: int
    max_epochs: int
    rounds: int
    root_key: int
    slot_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeuristicEpisodeSnapshot(Payload):
    """The result of one episode of a rule-based run."""

    kind: Literal["heuristic_episode"] = "heuristic_episode"
    env_id: int
    episode_idx: int
    final_accuracy: float
    control_accuracy: float | None
    param_ratio: float
    num_fossilized: int
    episode_reward: float


AnalyticsSnapshot = (
    LastActionSnapshot
    | BatchStatsSnapshot
    | ActionDistributionSnapshot
    | ShapleySnapshot
    | SummaryTableSnapshot
    | HeuristicRunSnapshot
    | HeuristicEpisodeSnapshot
)
