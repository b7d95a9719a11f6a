"""The constants of the rewards, one field each. Frozen, so that two groups can never change each other's."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode

LARGEST: Final = 1e9  # rewards are stored as float32, and stay far from its end

Size = Annotated[float, Field(ge=0.0, le=LARGEST)]
Bound = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Divisor = Annotated[float, Field(gt=1e-6, le=LARGEST)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Divided = Annotated[int, Field(ge=1, le=2**53)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionRewardConfig:
    """Constants of the contribution family. `_pp` are percentage points; penalties are given as sizes.

    `growing_credit_share` is how much of what the credits of seeds add is paid before the seed is permanent. The ranges
    are those of values from a configuration.
    """

    reward_mode: RewardMode = RewardMode.SHAPED
    gamma: float = 0.995
    disable_pbrs: bool = False
    disable_terminal_reward: bool = False
    disable_anti_gaming: bool = False
    has_control_twin: bool = True

    pbrs_weight: Size = 0.3

    attribution_formula: Literal["harmonic", "minimum"] = "harmonic"
    attribution_scale: Literal["log", "linear"] = "log"
    attribution_limit: Size = 10.0
    growing_credit_share: Share = 1.0
    unknown_progress_share: Share = 0.5
    unmeasured_improvement_share: Share = 0.3
    discount_steepness: Size = 3.0
    timing_discount_floor: Share = 0.4
    timing_discount_slope: Size = 0.06
    timing_discount_epochs: Count = 10

    ratio_min_contribution_pp: Size = 1.0
    ratio_min_improvement_pp: Size = 0.1
    ratio_threshold: Divisor = 5.0
    ratio_penalty_slope: Size = 0.1
    ratio_penalty_limit: Size = 0.3
    ratio_full_contribution_pp: Divisor = 10.0

    blending_warning_base: Size = 0.1
    blending_warning_slope: Size = 0.05
    blending_warning_limit: Size = 0.3
    holding_warning_base: Size = 0.1
    holding_warning_slope: Size = 0.05
    holding_warning_limit: Size = 0.3
    holding_warning_grace_epochs: Count = 2
    synergy_weight: Size = 0.1
    synergy_steepness: Size = 0.5

    rent_weight: Size = 0.5
    rent_limit: Size = 1.5
    rent_base_share: Size = 0.0039
    rent_host_params_floor: Divided = 200
    alpha_shock_weight: Size = 0.1958
    alpha_shock_limit: Size = 1.0
    occupancy_rent: Size = 0.01
    free_seeds: Count = 1
    fossilized_rent: Size = 0.002

    germinate_cost: Size = 0.15
    fossilize_cost: Size = 0.01
    prune_cost: Size = 0.005
    set_alpha_target_cost: Size = 0.005
    advance_cost: Size = 0.0

    min_holding_for_full_bonus: Divided = 5
    fossilize_unknown_penalty: Size = 1.0
    fossilize_worse_base: Size = 0.5
    fossilize_worse_slope: Size = 0.2
    fossilize_worse_limit: Size = 1.0
    ransomware_penalty: Size = 0.3
    ransomware_contribution_pp: Size = 0.1
    ransomware_degradation_pp: Bound = -0.2
    ransomware_critical_pp: Size = 1.0
    fossilize_bonus_base: Size = 0.5
    fossilize_bonus_slope: Size = 0.1
    fossilize_bonus_limit_pp: Size = 10.0
    fossilize_min_contribution_pp: Size = 1.0
    fossilize_series_weight: Size = 3.0
    fossilize_series_scale: Divisor = 3.0
    fossilize_weak_penalty: Size = 0.2

    prune_unmeasured_age: Count = 5
    prune_unmeasured_penalty: Size = 0.1
    prune_harmful_pp: Bound = -0.5
    prune_harmful_bonus: Size = 0.15
    prune_harmful_min_age: Count = 3
    prune_harmful_early_penalty: Size = 0.1
    prune_slightly_harmful_bonus: Size = 0.1
    prune_useful_base: Size = 0.3
    prune_useful_slope: Size = 0.05
    prune_useful_limit: Size = 0.9

    terminal_weight: Size = 0.05
    hindsight_weight: Size = 0.1
    hindsight_steepness: Size = 0.1
    hindsight_limit: Size = 0.2
    suspicion_interval_epochs: Count = 5

    escrow_delta_limit_pp: Size = 2.0
    escrow_stable_window: Divided = 3

    param_budget: Divided = 500_000
    param_penalty_weight: Size = 0.1
    basic_fossilize_base: Size = 0.3
    basic_fossilize_slope: Size = 0.5
    basic_fossilize_wrong_penalty: Size = 0.5
    basic_fossilize_weak_penalty: Size = 0.2
    basic_acc_delta_weight: Size = 5.0
    drip_immediate_share: Share = 0.3
    drip_min_epochs: Divided = 5
    drip_low: Bound = -0.05
    drip_high: Size = 0.1

    sparse_reward_scale: Size = 1.0
    minimal_prune_age: Count = 5
    minimal_prune_penalty: Size = 0.1
    simplified_op_cost: Size = 0.01
    simplified_accuracy_weight: Size = 3.0
    simplified_fossilized_weight: Size = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRewardConfig:
    """Constants of the loss family; the losses and their spread come from the task."""

    gamma: float = 0.995
    pbrs_weight: Size = 0.1
    disable_pbrs: bool = False
    disable_terminal_reward: bool = False
    typical_loss_delta_std: Divisor = 0.10
    baseline_loss: Bound = 2.303
    target_loss: Bound = 0.1
    delta_limit: Size = 5.0
    worse_share: Share = 0.5
    loss_weight: Size = 5.0
    rent_weight: Size = 0.05
    rent_limit: Size = 5.0
    rent_host_params_floor: Divided = 200
    rent_grace_epochs: Count = 3
