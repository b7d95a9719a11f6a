"""The one place where the inputs of rewards are put together."""

from dataclasses import dataclass

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import ATTACHED_STAGES, SeedStage, is_attached
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
from diorama.worlds.morphogenesis.rewards.economy import RentedSeed, effective_seed_params, weighted_alpha_change
from diorama.worlds.morphogenesis.rewards.potential import host_potential
from diorama.worlds.morphogenesis.rewards.types import (
    ContributionRewardInputs,
    LiveSeedInput,
    LossRewardInputs,
    SeedInfo,
)
from diorama.worlds.morphogenesis.vectorized_types import ActionSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeStep:
    """An env as it stood when the decision was taken. `target` is the seed the decision is about, if any."""

    live_seeds: tuple[LiveSeedInput, ...]
    target: LiveSeedInput | None
    target_acc_at_germination: float | None
    active_seeds: int
    effective_seed_params: float
    alpha_delta_sq_sum: float
    potential: float
    total_params: int
    fossilized: int
    fossilized_params: int
    youngest_age: int | None


def look_before(nursery: Nursery, env: Env, spec: ActionSpec) -> BeforeStep:
    """Take down what the reward must know before the operation changes it."""
    attached = [state for state in env.growth.states() if is_attached(state.stage)]
    has_target = spec.action_for_reward is not LifecycleOp.WAIT
    live = tuple(_live(env, state, is_target=has_target and state.slot_id == spec.target_slot) for state in attached)
    permanent = [state for state in attached if state.stage is SeedStage.FOSSILIZED]
    target = next((seed for seed in live if seed.is_target), None)
    planted = {state.seed_id: state.acc_at_germination for state in attached}
    return BeforeStep(
        live_seeds=live,
        target=target,
        target_acc_at_germination=None if target is None else planted[target.seed_id],
        active_seeds=len(attached),
        effective_seed_params=effective_seed_params(
            (RentedSeed(state.stage, state.alpha.alpha, state.metrics.seed_param_count) for state in attached),
            nursery.host_params,
            nursery.contribution_reward,
        ),
        alpha_delta_sq_sum=_alpha_change(env),
        potential=potential_of(env),
        total_params=env.growth.total_params(),
        fossilized=len(permanent),
        fossilized_params=sum(state.metrics.seed_param_count for state in permanent),
        youngest_age=min((state.metrics.epochs_total for state in attached), default=None),
    )


def potential_of(env: Env, *, after_step: bool = False) -> float:
    """Return the stage potential of all slots."""
    slots = [(state.stage, state.epochs_in_stage) for state in env.growth.states() if state.stage in ATTACHED_STAGES]
    return host_potential(slots, after_step=after_step)


def contribution_inputs(
    nursery: Nursery, env: Env, op: LifecycleOp, before: BeforeStep, *, has_worked: bool
) -> ContributionRewardInputs:
    """Put together what the contribution family reads."""
    reading, target, first = env.reading, before.target, env.readings[0]
    previous = env.readings[-2] if len(env.readings) > 1 else reading
    gained = reading.gain if env.has_twin else reading.val_acc - first.val_acc
    return ContributionRewardInputs(
        action=op,
        action_success=has_worked,
        seed_contribution=None if target is None else target.contribution,
        val_acc=reading.val_acc,
        seed_info=None if target is None else target.seed_info,
        epoch=nursery.epoch,
        max_epochs=nursery.max_epochs,
        total_params=before.total_params,
        host_params=nursery.host_params,
        acc_at_germination=before.target_acc_at_germination,
        acc_delta=reading.val_acc - previous.val_acc,
        committed_val_acc=reading.committed_acc,
        fossilized_seed_params=before.fossilized_params,
        num_fossilized_seeds=before.fossilized,
        num_contributing_fossilized=env.memory.num_contributing,
        config=nursery.contribution_reward,
        return_components=True,
        effective_seed_params=before.effective_seed_params,
        alpha_delta_sq_sum=before.alpha_delta_sq_sum,
        stable_val_acc=_stable(env, nursery.contribution_reward.escrow_stable_window),
        escrow_credit_prev=0.0 if target is None else target.escrow_credit_prev,
        slot_id=None if target is None else target.slot_id,
        seed_id=None if target is None else target.seed_id,
        n_active_seeds=before.active_seeds,
        fossilized_drip_states=env.memory.drips,
        fossilized_contributions={
            seed.seed_id: seed.contribution
            for seed in before.live_seeds
            if seed.seed_info.stage == SeedStage.FOSSILIZED and seed.contribution is not None
        },
        live_seeds=before.live_seeds,
        potential_before=before.potential,
        potential_after=potential_of(env, after_step=True),
        control_val_acc=reading.control_acc,
        episode_acc_gain=reading.val_acc - first.val_acc if gained is None else gained,
        pending_credit=env.memory.pending_credit,
        total_seed_effect=env.total_effect,
    )


def loss_inputs(nursery: Nursery, env: Env, op: LifecycleOp, before: BeforeStep) -> LossRewardInputs:
    """Put together what the loss family reads."""
    previous = env.readings[-2] if len(env.readings) > 1 else env.reading
    return LossRewardInputs(
        action=op,
        loss_delta=env.reading.val_loss - previous.val_loss,
        val_loss=env.reading.val_loss,
        seed_info=None if before.target is None else before.target.seed_info,
        epoch=nursery.epoch,
        max_epochs=nursery.max_epochs,
        total_params=before.total_params,
        host_params=nursery.host_params,
        config=nursery.loss_reward,
        potential_before=before.potential,
        potential_after=potential_of(env, after_step=True),
        youngest_seed_age=before.youngest_age,
    )


def _live(env: Env, state: SeedState, *, is_target: bool) -> LiveSeedInput:
    metrics = state.metrics
    return LiveSeedInput(
        slot_id=state.slot_id,
        seed_id=state.seed_id,
        seed_info=SeedInfo(
            stage=int(state.stage),
            improvement_since_stage_start=metrics.improvement_since_stage_start,
            total_improvement=metrics.total_improvement,
            epochs_in_stage=state.epochs_in_stage,
            seed_params=metrics.seed_param_count,
            previous_stage=int(state.previous_stage),
            previous_epochs_in_stage=state.previous_epochs_in_stage,
            seed_age_epochs=metrics.epochs_total,
            interaction_sum=metrics.interaction_sum,
            boost_received=metrics.boost_received,
            counterfactual_total_improvement=env.reference_improvement_of(state),
            progress_since_germination=env.progress_of(state),
            germination_epoch=state.germination_epoch,
        ),
        contribution=metrics.counterfactual_contribution,
        escrow_credit_prev=env.memory.escrow.get(state.seed_id, 0.0),
        is_target=is_target,
        is_fading=state.prune_reason is not None,
    )


def _alpha_change(env: Env) -> float:
    seed_ids = sorted(env.alphas.keys() | env.alphas_before.keys())
    gone = (0.0, 0)
    changes = (
        (before[0], now[0], max(before[1], now[1]))
        for before, now in ((env.alphas_before.get(key, gone), env.alphas.get(key, gone)) for key in seed_ids)
    )
    return weighted_alpha_change(changes)


def _stable(env: Env, window: int) -> float | None:
    recent = env.readings[-window:]
    values = [reading.gain if env.has_twin else reading.val_acc for reading in recent]
    known = [value for value in values if value is not None]
    return min(known) if len(known) == len(values) else None
