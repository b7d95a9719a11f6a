"""The modes `basic` and `basic_plus`: a bonus for permanent seeds, at once or dripped while they are worth it."""

from dataclasses import replace

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards.attribution import harmonic_mean
from diorama.worlds.morphogenesis.rewards.components import PERCENT, RewardParts, is_last, stage_shaping
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.economy import budget_rent
from diorama.worlds.morphogenesis.rewards.op_shaping import contributes_permanently, legitimacy
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, FossilizedSeedDripState


def basic_parts(
    inputs: ContributionRewardInputs, config: ContributionRewardConfig
) -> tuple[RewardParts, tuple[FossilizedSeedDripState, ...]]:
    """Return the parts of both basic modes, and the drips as they stand after the step."""
    verdict = fossilize_bonus(inputs, config) if inputs.action is LifecycleOp.FOSSILIZE else 0.0
    owed = inputs.fossilized_drip_states or ()
    drips = tuple(_drip(state, inputs, config) for state in owed)
    paid = sum(after.drip_paid - before.drip_paid for after, before in zip(drips, owed, strict=True))
    gain = inputs.episode_acc_gain
    has_end = is_last(inputs) and not config.disable_terminal_reward and gain is not None
    parts = RewardParts(
        pbrs_bonus=stage_shaping(inputs, config),
        compute_rent=budget_rent(inputs, config),
        action_shaping=verdict,
        drip_this_epoch=paid,
        num_drip_sources=len(drips),
        terminal_bonus=config.basic_acc_delta_weight * (gain or 0.0) / PERCENT if has_end else 0.0,
    )
    if config.reward_mode is not RewardMode.BASIC_PLUS or verdict <= 0.0:
        return parts, drips
    opened = _open_drip(inputs, verdict, config)
    parts.action_shaping = 0.0
    parts.drip_immediate_bonus = config.drip_immediate_share * verdict
    parts.drip_deferred_total = opened.drip_total
    return parts, (*drips, opened)


def fossilize_bonus(inputs: ContributionRewardInputs, config: ContributionRewardConfig) -> float:
    """Return the bonus of making the target permanent, or the penalty where that was wrong."""
    info, contribution = inputs.seed_info, inputs.seed_contribution or 0.0
    if info is None or info.stage != SeedStage.HOLDING or not inputs.action_success:
        return -config.basic_fossilize_wrong_penalty
    reference = info.counterfactual_total_improvement
    if reference is not None and contributes_permanently(contribution, reference, config):
        bonus = config.basic_fossilize_base + config.basic_fossilize_slope * harmonic_mean(reference, contribution)
        return bonus * legitimacy(info.epochs_in_stage, config)
    is_hostage = reference is not None and reference <= 0.0 and contribution > config.ransomware_contribution_pp
    return -config.basic_fossilize_wrong_penalty if is_hostage else -config.basic_fossilize_weak_penalty


def _drip(
    state: FossilizedSeedDripState, inputs: ContributionRewardInputs, config: ContributionRewardConfig
) -> FossilizedSeedDripState:
    known = inputs.fossilized_contributions or {}
    if state.seed_id not in known:
        return replace(state)
    paid = min(config.drip_high, max(config.drip_low, state.drip_scale * known[state.seed_id]))
    return replace(state, drip_paid=state.drip_paid + paid)


def _open_drip(
    inputs: ContributionRewardInputs, bonus: float, config: ContributionRewardConfig
) -> FossilizedSeedDripState:
    pool = (1.0 - config.drip_immediate_share) * bonus
    epochs = max(inputs.max_epochs - inputs.epoch, config.drip_min_epochs)
    return FossilizedSeedDripState(
        seed_id=inputs.seed_id or "",
        slot_id=inputs.slot_id or "",
        fossilize_epoch=inputs.epoch,
        max_epochs=inputs.max_epochs,
        drip_total=pool,
        drip_scale=pool / epochs,
    )
