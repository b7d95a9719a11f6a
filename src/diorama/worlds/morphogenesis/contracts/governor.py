"""Records of the safety governor: panics, and the pre-flight check of a mutation."""

from dataclasses import dataclass
from typing import Literal

PanicReason = Literal["governor_nan", "governor_lobotomy", "governor_divergence", "governor_rollback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GovernorReport:
    """Why a host was rolled back. Losses are nats per sample."""

    reason: PanicReason
    loss_at_panic: float
    loss_threshold: float
    consecutive_panics: int
    rollback_occurred: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleMutationHealthSnapshot:
    """What the governor sees before an operation."""

    operation: str
    slot_id: str
    blueprint_id: str | None
    alpha_target: float | None
    alpha_speed_steps: int | None
    alpha_curve: str | None
    val_loss: float
    val_accuracy: float
    seed_stage: str | None
    total_params: int
    effective_seed_params: float
    max_seeds: int
    active_seed_count: int
    cooldown_epochs_remaining: int
    event_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleMutationVerdict:
    """Whether the operation may run, and the first factor that spoke against it."""

    approved: bool
    reason: str
    blocked_factor: str | None = None
    health_snapshot: LifecycleMutationHealthSnapshot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleMutationCausalContext:
    """The chain of ids that leads from an observation to a mutation."""

    action_id: str
    proposal_id: str
    verdict_id: str
    mutation_id: str
    observation_hash: str
    rng_stream: str
    rng_seed: int
    topology: str
    slot_id: str
    operation: str
