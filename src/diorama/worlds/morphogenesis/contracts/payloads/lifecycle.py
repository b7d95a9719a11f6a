"""Payloads of a seed's life. A slot does not know its env: it writes -1, and the env fills itself in."""

from dataclasses import dataclass
from typing import Final, Literal

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload

UNKNOWN_ENV: Final = -1

Initiator = Literal["policy", "governor", "operator", "schedule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage(Payload):
    """The ids that lead from an observation to this change, where they are kept."""

    morphology_proposal_id: str | None = None
    morphology_verdict_id: str | None = None
    morphology_mutation_id: str | None = None
    rng_stream: str | None = None
    rng_seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedGerminatedPayload(Lineage):
    """A seed was planted."""

    slot_id: str
    env_id: int
    blueprint_id: str
    params: int
    episode_idx: int | None = None
    alpha: float = 0.0
    grad_ratio: float = 0.0
    has_vanishing: bool = False
    has_exploding: bool = False
    epochs_in_stage: int = 0
    blend_tempo_epochs: int = 5
    alpha_curve: str = "LINEAR"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedStageChangedPayload(Lineage):
    """A slot went from one stage to another; `epochs_in_stage` was spent in the first."""

    slot_id: str
    env_id: int
    from_stage: str
    to_stage: str
    episode_idx: int | None = None
    alpha: float | None = None
    accuracy_delta: float = 0.0
    epochs_in_stage: int = 0
    grad_ratio: float = 0.0
    has_vanishing: bool = False
    has_exploding: bool = False
    alpha_curve: str = "LINEAR"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedGateEvaluatedPayload(Payload):
    """An operation asked a gate."""

    slot_id: str
    env_id: int
    gate: str
    passed: bool
    target_stage: str
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    episode_idx: int | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFossilizedPayload(Lineage):
    """A seed became permanent."""

    slot_id: str
    env_id: int
    blueprint_id: str
    improvement: float
    params_added: int
    episode_idx: int | None = None
    alpha: float = 1.0
    epochs_total: int = 0
    counterfactual: float | None = None
    blending_delta: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedPrunedPayload(Lineage):
    """A seed was removed."""

    slot_id: str
    env_id: int
    reason: str
    episode_idx: int | None = None
    blueprint_id: str | None = None
    improvement: float = 0.0
    auto_pruned: bool = False
    epochs_total: int = 0
    counterfactual: float | None = None
    blending_delta: float | None = None
    initiator: Initiator = "policy"


LifecyclePayload = (
    SeedGerminatedPayload
    | SeedStageChangedPayload
    | SeedGateEvaluatedPayload
    | SeedFossilizedPayload
    | SeedPrunedPayload
)
