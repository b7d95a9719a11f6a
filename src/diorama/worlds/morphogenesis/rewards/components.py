"""The parts of a reward while they are put together, and what is told of them."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.potential import shaping
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, FossilizedSeedDripState

PERCENT: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardOutcome:
    """A reward with its parts, and the accounts as they stand after the step.

    `components` is none unless the inputs ask for it. `escrow_credits` are the open accounts by seed id;
    `drip_states` are new objects, those of the inputs stay as they were.
    """

    reward: float
    components: RewardComponentsTelemetry | None
    escrow_credits: dict[str, float] = field(default_factory=dict)
    drip_states: tuple[FossilizedSeedDripState, ...] = ()


@dataclass(slots=True, kw_only=True)
class RewardParts:
    """What a step pays, part by part, and the figures that explain it; the names are those of the telemetry."""

    bounded_attribution: float | None = None
    ratio_penalty: float = 0.0
    escrow_delta: float = 0.0
    escrow_forfeit: float = 0.0
    compute_rent: float = 0.0
    alpha_shock: float = 0.0
    blending_warning: float = 0.0
    holding_warning: float = 0.0
    pbrs_bonus: float = 0.0
    synergy_bonus: float = 0.0
    action_shaping: float = 0.0
    terminal_bonus: float = 0.0
    fossilize_terminal_bonus: float = 0.0
    hindsight_credit: float = 0.0
    occupancy_rent: float = 0.0
    fossilized_rent: float = 0.0
    drip_this_epoch: float = 0.0
    drip_immediate_bonus: float = 0.0
    attribution_sum: float | None = None
    attribution_cap: float = 1.0
    attribution_discount: float = 1.0
    timing_discount: float = 1.0
    escrow_credit_prev: float = 0.0
    escrow_credit_target: float = 0.0
    escrow_credit_next: float = 0.0
    drip_deferred_total: float = 0.0
    num_drip_sources: int = 0

    def total(self) -> float:
        """Return the reward: the sum of everything that is paid."""
        return (
            (self.bounded_attribution or 0.0)
            + self.ratio_penalty
            + self.escrow_delta
            + self.escrow_forfeit
            + self.compute_rent
            + self.alpha_shock
            + self.blending_warning
            + self.holding_warning
            + self.pbrs_bonus
            + self.synergy_bonus
            + self.action_shaping
            + self.terminal_bonus
            + self.fossilize_terminal_bonus
            + self.hindsight_credit
            + self.occupancy_rent
            + self.fossilized_rent
            + self.drip_this_epoch
            + self.drip_immediate_bonus
        )


def is_last(inputs: ContributionRewardInputs) -> bool:
    """Say whether the episode ends with this step."""
    return inputs.epoch >= inputs.max_epochs


def stage_shaping(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return what the change of the stage potential pays."""
    if config.disable_pbrs:
        return 0.0
    return shaping(inputs.potential_before, inputs.potential_after, weight=config.pbrs_weight, gamma=config.gamma)


def tell(inputs: ContributionRewardInputs, parts: RewardParts) -> RewardComponentsTelemetry:
    """Return the parts as telemetry, with the inputs that explain them."""
    info, effect = inputs.seed_info, inputs.total_seed_effect
    return RewardComponentsTelemetry(
        seed_contribution=inputs.seed_contribution,
        bounded_attribution=parts.bounded_attribution,
        progress_since_germination=None if info is None else info.progress_since_germination,
        stable_val_acc=inputs.stable_val_acc,
        attribution_discount=parts.attribution_discount,
        attribution_sum=parts.attribution_sum,
        attribution_cap=parts.attribution_cap,
        ratio_penalty=parts.ratio_penalty,
        escrow_credit_prev=parts.escrow_credit_prev,
        escrow_credit_target=parts.escrow_credit_target,
        escrow_delta=parts.escrow_delta,
        escrow_credit_next=parts.escrow_credit_next,
        escrow_forfeit=parts.escrow_forfeit,
        compute_rent=parts.compute_rent,
        alpha_shock=parts.alpha_shock,
        blending_warning=parts.blending_warning,
        holding_warning=parts.holding_warning,
        pbrs_bonus=parts.pbrs_bonus,
        synergy_bonus=parts.synergy_bonus,
        action_shaping=parts.action_shaping,
        terminal_bonus=parts.terminal_bonus,
        fossilize_terminal_bonus=parts.fossilize_terminal_bonus,
        hindsight_credit=parts.hindsight_credit,
        num_fossilized_seeds=inputs.num_fossilized_seeds,
        num_contributing_fossilized=inputs.num_contributing_fossilized,
        occupancy_rent=parts.occupancy_rent,
        fossilized_rent=parts.fossilized_rent,
        n_active_seeds=inputs.n_active_seeds,
        timing_discount=parts.timing_discount,
        drip_this_epoch=parts.drip_this_epoch,
        drip_immediate_bonus=parts.drip_immediate_bonus,
        drip_deferred_total=parts.drip_deferred_total,
        num_drip_sources=parts.num_drip_sources,
        action_name=inputs.action.name,
        action_success=inputs.action_success,
        seed_stage=None if info is None else info.stage,
        epoch=inputs.epoch,
        val_acc=inputs.val_acc,
        acc_at_germination=inputs.acc_at_germination,
        host_baseline_acc=None if effect is None else inputs.val_acc - effect,
        control_val_acc=inputs.control_val_acc,
        growth_ratio=inputs.total_params / max(1, inputs.host_params),
        total_reward=parts.total(),
    )
