"""The parts of one step's reward; they add up to it."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload

RATIO_GUARD: Final = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardComponentsTelemetry(Payload):
    """The parts of one step's reward, with the inputs that explain them.

    `base_acc_delta` and `stage_bonus` are reserved and always 0. `attribution_sum` is in percentage points before
    the logarithm. Rent and shock are never positive.
    """

    base_acc_delta: float = 0.0
    seed_contribution: float | None = None
    bounded_attribution: float | None = None
    progress_since_germination: float | None = None
    stable_val_acc: float | None = None
    attribution_discount: float = 1.0
    attribution_sum: float | None = None
    attribution_cap: float = 1.0
    ratio_penalty: float = 0.0
    escrow_credit_prev: float = 0.0
    escrow_credit_target: float = 0.0
    escrow_delta: float = 0.0
    escrow_credit_next: float = 0.0
    escrow_forfeit: float = 0.0
    compute_rent: float = 0.0
    alpha_shock: float = 0.0
    blending_warning: float = 0.0
    holding_warning: float = 0.0
    stage_bonus: float = 0.0
    pbrs_bonus: float = 0.0
    synergy_bonus: float = 0.0
    action_shaping: float = 0.0
    terminal_bonus: float = 0.0
    fossilize_terminal_bonus: float = 0.0
    hindsight_credit: float = 0.0
    num_fossilized_seeds: int = 0
    num_contributing_fossilized: int = 0
    occupancy_rent: float = 0.0
    fossilized_rent: float = 0.0
    n_active_seeds: int = 0
    timing_discount: float = 1.0
    drip_this_epoch: float = 0.0
    drip_immediate_bonus: float = 0.0
    drip_deferred_total: float = 0.0
    num_drip_sources: int = 0
    action_name: str = ""
    action_success: bool | None = None
    seed_stage: int | None = None
    epoch: int = 0
    val_acc: float = 0.0
    acc_at_germination: float | None = None
    host_baseline_acc: float | None = None
    control_val_acc: float | None = None
    growth_ratio: float = 0.0
    total_reward: float = 0.0

    @property
    def shaped_reward_ratio(self) -> float:
        """Share of shaping in the reward, for the views."""
        shaping = self.pbrs_bonus + self.synergy_bonus + self.stage_bonus
        return abs(shaping) / (abs(self.total_reward) + RATIO_GUARD)
