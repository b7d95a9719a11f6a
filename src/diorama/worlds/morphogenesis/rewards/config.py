"""The constants of the rewards, one field each. Frozen, so that two groups can never change each other's."""

from dataclasses import dataclass
from typing import Literal

from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionRewardConfig:
    """Constants of the contribution family. `_pp` are percentage points; penalties are given as sizes."""

    reward_mode: RewardMode = RewardMode.SHAPED
    gamma: float = 0.995
    disable_pbrs: bool = False
    disable_terminal_reward: bool = False
    disable_anti_gaming: bool = False
    has_control_twin: bool = True

    pbrs_weight: float = 0.3

    attribution_formula: Literal["harmonic", "minimum"] = "harmonic"
    attribution_scale: Literal["log", "linear"] = "log"
    attribution_limit: float = 10.0
    unknown_progress_share: float = 0.5
    unmeasured_improvement_share: float = 0.3
    discount_steepness: float = 3.0
    timing_discount_floor: float = 0.4
    timing_discount_slope: float = 0.06
    timing_discount_epochs: int = 10

    ratio_min_contribution_pp: float = 1.0
    ratio_min_improvement_pp: float = 0.1
    ratio_threshold: float = 5.0
    ratio_penalty_slope: float = 0.1
    ratio_penalty_limit: float = 0.3
    ratio_full_contribution_pp: float = 10.0

    blending_warning_base: float = 0.1
    blending_warning_slope: float = 0.05
    blending_warning_limit: float = 0.3
    holding_warning_base: float = 0.1
    holding_warning_slope: float = 0.05
    holding_warning_limit: float = 0.3
    holding_warning_grace_epochs: int = 2
    synergy_weight: float = 0.1
    synergy_steepness: float = 0.5

    rent_weight: float = 0.5
    rent_limit: float = 1.5
    rent_base_share: float = 0.0039
    rent_host_params_floor: int = 200
    alpha_shock_weight: float = 0.1958
    alpha_shock_limit: float = 1.0
    occupancy_rent: float = 0.01
    free_seeds: int = 1
    fossilized_rent: float = 0.002

    germinate_cost: float = 0.15
    fossilize_cost: float = 0.01
    prune_cost: float = 0.005
    set_alpha_target_cost: float = 0.005
    advance_cost: float = 0.0

    min_holding_for_full_bonus: int = 5
    fossilize_unknown_penalty: float = 1.0
    fossilize_worse_base: float = 0.5
    fossilize_worse_slope: float = 0.2
    fossilize_worse_limit: float = 1.0
    ransomware_penalty: float = 0.3
    ransomware_contribution_pp: float = 0.1
    ransomware_degradation_pp: float = -0.2
    ransomware_critical_pp: float = 1.0
    fossilize_bonus_base: float = 0.5
    fossilize_bonus_slope: float = 0.1
    fossilize_bonus_limit_pp: float = 10.0
    fossilize_min_contribution_pp: float = 1.0
    fossilize_series_weight: float = 3.0
    fossilize_series_scale: float = 3.0
    fossilize_weak_penalty: float = 0.2

    prune_unmeasured_age: int = 5
    prune_unmeasured_penalty: float = 0.1
    prune_harmful_pp: float = -0.5
    prune_harmful_bonus: float = 0.15
    prune_harmful_min_age: int = 3
    prune_harmful_early_penalty: float = 0.1
    prune_slightly_harmful_bonus: float = 0.1
    prune_useful_base: float = 0.3
    prune_useful_slope: float = 0.05
    prune_useful_limit: float = 0.9

    terminal_weight: float = 0.05
    hindsight_weight: float = 0.1
    hindsight_steepness: float = 0.1
    hindsight_limit: float = 0.2
    suspicion_interval_epochs: int = 5

    escrow_delta_limit_pp: float = 2.0
    escrow_stable_window: int = 3

    param_budget: int = 500_000
    param_penalty_weight: float = 0.1
    basic_fossilize_base: float = 0.3
    basic_fossilize_slope: float = 0.5
    basic_fossilize_wrong_penalty: float = 0.5
    basic_fossilize_weak_penalty: float = 0.2
    basic_acc_delta_weight: float = 5.0
    drip_immediate_share: float = 0.3
    drip_min_epochs: int = 5
    drip_low: float = -0.05
    drip_high: float = 0.1

    sparse_reward_scale: float = 1.0
    minimal_prune_age: int = 5
    minimal_prune_penalty: float = 0.1
    simplified_op_cost: float = 0.01
    simplified_accuracy_weight: float = 3.0
    simplified_fossilized_weight: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRewardConfig:
    """Constants of the loss family; the losses and their spread come from the task."""

    gamma: float = 0.995
    pbrs_weight: float = 0.1
    disable_pbrs: bool = False
    disable_terminal_reward: bool = False
    typical_loss_delta_std: float = 0.10
    baseline_loss: float = 2.303
    target_loss: float = 0.1
    delta_limit: float = 5.0
    worse_share: float = 0.5
    loss_weight: float = 5.0
    rent_weight: float = 0.05
    rent_limit: float = 5.0
    rent_host_params_floor: int = 200
    rent_grace_epochs: int = 3
