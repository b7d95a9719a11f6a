"""Inputs of rewards from the few values a case is about."""

from dataclasses import replace

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards.dispatch import compute_reward
from diorama.worlds.morphogenesis.rewards.types import (
    ContributionRewardConfig,
    ContributionRewardInputs,
    LiveSeedInput,
    SeedInfo,
)

PLAIN = ContributionRewardInputs(
    action=LifecycleOp.WAIT,
    seed_contribution=None,
    val_acc=60.0,
    seed_info=None,
    epoch=20,
    max_epochs=40,
    total_params=1000,
    host_params=1000,
    acc_at_germination=None,
    acc_delta=0.0,
    return_components=True,
)


def info(
    stage: SeedStage,
    *,
    progress: float | None = None,
    reference: float | None = None,
    epochs: int = 0,
    age: int = 9,
    improvement: float = 0.0,
    interaction: float = 0.0,
    planted: int = 10,
) -> SeedInfo:
    return SeedInfo(
        stage=stage,
        improvement_since_stage_start=improvement,
        total_improvement=None,
        epochs_in_stage=epochs,
        seed_age_epochs=age,
        interaction_sum=interaction,
        counterfactual_total_improvement=reference,
        progress_since_germination=progress,
        germination_epoch=planted,
    )


def live(
    seed_info: SeedInfo,
    contribution: float | None = None,
    *,
    slot: int = 0,
    credit: float = 0.0,
    is_target: bool = False,
    is_fading: bool = False,
) -> LiveSeedInput:
    return LiveSeedInput(
        slot_id=f"r0c{slot}",
        seed_id=f"s{slot}",
        seed_info=seed_info,
        contribution=contribution,
        escrow_credit_prev=credit,
        is_target=is_target,
        is_fading=is_fading,
    )


def step(
    *seeds: LiveSeedInput,
    action: LifecycleOp = LifecycleOp.WAIT,
    gain: float | None = 100.0,
    config: ContributionRewardConfig | None = None,
    **changes: object,
) -> ContributionRewardInputs:
    """A step with these seeds; the target's values are filled in, and the gain caps nothing unless it is given."""
    target = next((seed for seed in seeds if seed.is_target), None)
    inputs = replace(
        PLAIN,
        action=action,
        config=config,
        live_seeds=seeds,
        control_val_acc=None if gain is None else PLAIN.val_acc - gain,
        **changes,  # type: ignore[arg-type]
    )
    if target is None:
        return inputs
    return replace(
        inputs,
        seed_info=target.seed_info,
        seed_contribution=target.contribution,
        slot_id=target.slot_id,
        seed_id=target.seed_id,
    )


def parts_of(inputs: ContributionRewardInputs) -> RewardComponentsTelemetry:
    components = compute_reward(inputs).components
    assert components is not None
    return components
