"""Containers of a step and of a round: allocated once a round, mutated in place, plain values only."""

from dataclasses import dataclass, field

from diorama.contracts.values import JsonValue
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.outcomes import EpisodeOutcome, TopologyManifest
from diorama.worlds.morphogenesis.contracts.payloads.base import to_json
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LossRewardInputs

__all__ = [
    "ActionMaskFlags",
    "ActionOutcome",
    "ActionSpec",
    "BatchSummary",
    "EnvStepRecord",
    "EpisodeRecord",
    "PPOMetrics",
    "RewardSummaryAccumulator",
]


@dataclass(slots=True, kw_only=True)
class ActionSpec:
    """One env's decoded action; the decoder owns it for one step."""

    slot_idx: int = 0
    blueprint_idx: int = 0
    style_idx: int = 0
    tempo_idx: int = 0
    alpha_target_idx: int = 0
    alpha_speed_idx: int = 0
    alpha_curve_idx: int = 0
    op_idx: int = 0
    target_slot: str = ""
    slot_is_enabled: bool = False
    action_valid_for_reward: bool = False
    action_for_reward: LifecycleOp = LifecycleOp.WAIT
    blend_algorithm_id: str = ""
    alpha_algorithm: AlphaAlgorithm = AlphaAlgorithm.ADD
    alpha_target: float = 0.0

    def reset(self) -> None:
        """Put every field back to its default."""
        self.slot_idx = self.blueprint_idx = self.style_idx = self.tempo_idx = 0
        self.alpha_target_idx = self.alpha_speed_idx = self.alpha_curve_idx = self.op_idx = 0
        self.target_slot = self.blend_algorithm_id = ""
        self.slot_is_enabled = self.action_valid_for_reward = False
        self.action_for_reward = LifecycleOp.WAIT
        self.alpha_algorithm = AlphaAlgorithm.ADD
        self.alpha_target = 0.0


@dataclass(slots=True, kw_only=True)
class ActionMaskFlags:
    """Whether each head had fewer than all its options, or was irrelevant."""

    op_masked: bool = False
    slot_masked: bool = False
    blueprint_masked: bool = False
    style_masked: bool = False
    tempo_masked: bool = False
    alpha_target_masked: bool = False
    alpha_speed_masked: bool = False
    alpha_curve_masked: bool = False

    def reset(self) -> None:
        """Put every flag back to false."""
        self.op_masked = self.slot_masked = self.blueprint_masked = self.style_masked = False
        self.tempo_masked = self.alpha_target_masked = self.alpha_speed_masked = self.alpha_curve_masked = False


@dataclass(slots=True, kw_only=True)
class ActionOutcome:
    """What came of one env's action. The episode fields are set at the last epoch only."""

    action_success: bool = False
    action_name: str = ""
    reward_raw: float = 0.0
    reward_normalized: float = 0.0
    reward_components: RewardComponentsTelemetry | None = None
    rollback_occurred: bool = False
    truncated: bool = False
    episode_reward: float | None = None
    final_accuracy: float | None = None
    episode_outcome: EpisodeOutcome | None = None

    def reset(self) -> None:
        """Put every field back to its default."""
        self.action_success = self.rollback_occurred = self.truncated = False
        self.action_name = ""
        self.reward_raw = self.reward_normalized = 0.0
        self.reward_components = None
        self.episode_reward = self.final_accuracy = None
        self.episode_outcome = None


@dataclass(slots=True, kw_only=True)
class RewardSummaryAccumulator:
    """Sums of reward components of one env over a round."""

    bounded_attribution: float = 0.0
    compute_rent: float = 0.0
    alpha_shock: float = 0.0
    hindsight_credit: float = 0.0
    total_reward: float = 0.0
    count: int = 0
    scaffold_count: int = 0
    scaffold_delay_total: float = 0.0

    def add(self, components: RewardComponentsTelemetry) -> None:
        """Add one step; an attribution that was not measured adds nothing."""
        if components.bounded_attribution is not None:
            self.bounded_attribution += components.bounded_attribution
        self.compute_rent += components.compute_rent
        self.alpha_shock += components.alpha_shock
        self.hindsight_credit += components.hindsight_credit
        self.total_reward += components.total_reward
        self.count += 1

    def to_dict(self) -> dict[str, float | int]:
        """Return the sums under their field names."""
        return {
            "bounded_attribution": self.bounded_attribution,
            "compute_rent": self.compute_rent,
            "alpha_shock": self.alpha_shock,
            "hindsight_credit": self.hindsight_credit,
            "total_reward": self.total_reward,
            "count": self.count,
            "scaffold_count": self.scaffold_count,
            "scaffold_delay_total": self.scaffold_delay_total,
        }


@dataclass(slots=True, kw_only=True)
class EnvStepRecord:
    """Everything one env does in a step, by reference. `rollback_occurred` sticks for the episode."""

    env_idx: int
    action_spec: ActionSpec = field(default_factory=ActionSpec)
    action_outcome: ActionOutcome = field(default_factory=ActionOutcome)
    mask_flags: ActionMaskFlags = field(default_factory=ActionMaskFlags)
    reward_summary: RewardSummaryAccumulator = field(default_factory=RewardSummaryAccumulator)
    contribution_reward_inputs: ContributionRewardInputs | None = None
    loss_reward_inputs: LossRewardInputs | None = None
    rollback_occurred: bool = False
    env_final_acc: float = 0.0
    env_total_reward: float = 0.0

    def reset_step(self) -> None:
        """Forget the last step and keep what belongs to the episode."""
        self.action_spec.reset()
        self.action_outcome.reset()
        self.mask_flags.reset()
        self.contribution_reward_inputs = None
        self.loss_reward_inputs = None

    def reset_episode(self) -> None:
        """Forget the episode, too."""
        self.reset_step()
        self.reward_summary = RewardSummaryAccumulator()
        self.rollback_occurred = False
        self.env_final_acc = 0.0
        self.env_total_reward = 0.0


@dataclass(slots=True, kw_only=True)
class EpisodeRecord:
    """One finished episode in the history of a round."""

    env_id: int
    episode_reward: float
    final_accuracy: float

    def to_dict(self) -> dict[str, float | int]:
        """Return the record under its field names."""
        return {
            "env_id": self.env_id,
            "episode_reward": self.episode_reward,
            "final_accuracy": self.final_accuracy,
        }


@dataclass(slots=True, kw_only=True)
class BatchSummary:
    """One round. `episodes` counts env-episodes of the whole run; the rolling average is over ten rounds."""

    batch: int
    episodes: int
    avg_accuracy: float
    rolling_avg_accuracy: float
    ppo_metrics: PPOMetrics | None
    reward_summary: list[RewardSummaryAccumulator]
    episode_history: list[EpisodeRecord]
    topology_manifests: list[TopologyManifest]

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the line of the history; called where the history is appended and nowhere else."""
        return {
            "batch": self.batch,
            "episodes": self.episodes,
            "avg_accuracy": self.avg_accuracy,
            "rolling_avg_accuracy": self.rolling_avg_accuracy,
            "ppo_metrics": None if self.ppo_metrics is None else self.ppo_metrics.to_dict(),
            "reward_summary": [summary.to_dict() for summary in self.reward_summary],
            "episode_history": [record.to_dict() for record in self.episode_history],
            "topology_manifests": [to_json(manifest) for manifest in self.topology_manifests],
        }
