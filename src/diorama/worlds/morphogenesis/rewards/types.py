"""Inputs of the rewards, built at one place per step."""

from dataclasses import dataclass
from typing import NamedTuple

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig, LossRewardConfig

__all__ = [
    "ContributionRewardConfig",
    "ContributionRewardInputs",
    "FossilizedSeedDripState",
    "LiveSeedInput",
    "LossRewardConfig",
    "LossRewardInputs",
    "SeedInfo",
]


class SeedInfo(NamedTuple):
    """What a reward knows of a seed. `counterfactual_total_improvement` is the reference improvement."""

    stage: int
    improvement_since_stage_start: float | None
    total_improvement: float | None
    epochs_in_stage: int
    seed_params: int = 0
    previous_stage: int = 0
    previous_epochs_in_stage: int = 0
    seed_age_epochs: int = 0
    interaction_sum: float = 0.0
    boost_received: float = 0.0
    counterfactual_total_improvement: float | None = None
    progress_since_germination: float | None = None
    germination_epoch: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSeedInput:
    """One attached seed at decision time, with its measured contribution and its escrow account.

    `is_fading` is a seed on its way out: a prune of it has been accepted and its alpha runs down.
    """

    slot_id: str
    seed_id: str
    seed_info: SeedInfo
    contribution: float | None
    escrow_credit_prev: float
    is_target: bool
    is_fading: bool = False


@dataclass(slots=True, kw_only=True)
class FossilizedSeedDripState:
    """What is still owed for a seed that became permanent."""

    seed_id: str
    slot_id: str
    fossilize_epoch: int
    max_epochs: int
    drip_total: float
    drip_scale: float
    drip_paid: float = 0.0


@dataclass(slots=True, kw_only=True)
class ContributionRewardInputs:
    """Everything the contribution family reads, as it stood when the decision was taken.

    Contribution and info are those of the target slot. `live_seeds` are all attached seeds, permanent ones too.
    Counts and parameters of permanent seeds do not yet include one this action makes permanent. `stable_val_acc` is
    the least of the last gains over control (accuracies in a run without twins). `total_seed_effect` is the accuracy
    with all seeds less that with none, `episode_acc_gain` what the episode brought: the last gain over control, else
    the last accuracy less the first. `committed_val_acc` must be measured at the last epoch.
    """

    action: LifecycleOp
    seed_contribution: float | None
    val_acc: float
    seed_info: SeedInfo | None
    epoch: int
    max_epochs: int
    total_params: int
    host_params: int
    acc_at_germination: float | None
    acc_delta: float
    committed_val_acc: float | None = None
    fossilized_seed_params: int = 0
    num_fossilized_seeds: int = 0
    num_contributing_fossilized: int = 0
    config: ContributionRewardConfig | None = None
    return_components: bool = False
    effective_seed_params: float | None = None
    alpha_delta_sq_sum: float = 0.0
    stable_val_acc: float | None = None
    escrow_credit_prev: float = 0.0
    slot_id: str | None = None
    seed_id: str | None = None
    n_active_seeds: int = 0
    fossilized_drip_states: tuple[FossilizedSeedDripState, ...] | None = None
    fossilized_contributions: dict[str, float] | None = None
    live_seeds: tuple[LiveSeedInput, ...] = ()
    potential_before: float = 0.0
    potential_after: float = 0.0
    control_val_acc: float | None = None
    episode_acc_gain: float | None = None
    pending_credit: float = 0.0
    total_seed_effect: float | None = None
    action_success: bool = True


@dataclass(slots=True, kw_only=True)
class LossRewardInputs:
    """Everything the loss family reads; a positive `loss_delta` is worse."""

    action: LifecycleOp
    loss_delta: float
    val_loss: float
    seed_info: SeedInfo | None
    epoch: int
    max_epochs: int
    total_params: int = 0
    host_params: int = 1
    config: LossRewardConfig | None = None
    potential_before: float = 0.0
    potential_after: float = 0.0
    youngest_seed_age: int | None = None
