"""The mode `escrow`: credit is paid into an account per seed and taken back with the seed."""

from dataclasses import dataclass

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.rewards import dense
from diorama.worlds.morphogenesis.rewards.attribution import attribute, dense_seeds, op_on
from diorama.worlds.morphogenesis.rewards.components import RewardParts, is_last
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.shaped import add_credits, environment_parts
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LiveSeedInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """One account after a step; `harm` is paid at once, `credit_next` is none where the account is closed."""

    target: float
    delta: float
    credit_next: float | None
    harm: float = 0.0


def escrow_parts(
    inputs: ContributionRewardInputs, config: ContributionRewardConfig
) -> tuple[RewardParts, dict[str, float]]:
    """Return the parts of the mode `escrow`, and the open accounts by seed id."""
    parts, seeds = environment_parts(inputs, config), dense_seeds(inputs)
    if not seeds:
        return parts, {}
    credits = tuple(attribute(seed, _stable_progress(seed, inputs), op_on(seed, inputs), config) for seed in seeds)
    credits_pp = add_credits(parts, inputs, seeds, credits, config)
    settled = [_settle(seed, pp, op_on(seed, inputs), config) for seed, pp in zip(seeds, credits_pp, strict=True)]
    accounts = {
        seed.seed_id: account.credit_next
        for seed, account in zip(seeds, settled, strict=True)
        if account.credit_next is not None
    }
    parts.bounded_attribution = sum(account.harm for account in settled)
    parts.escrow_credit_prev = sum(seed.escrow_credit_prev for seed in seeds)
    parts.escrow_credit_target = sum(account.target for account in settled)
    parts.escrow_delta = sum(account.delta for account in settled)
    parts.escrow_credit_next = sum(accounts.values())
    if not is_last(inputs):
        return parts, accounts
    parts.escrow_forfeit = -parts.escrow_credit_next
    return parts, {}


def _stable_progress(seed: LiveSeedInput, inputs: ContributionRewardInputs) -> float | None:
    progress = seed.seed_info.progress_since_germination
    if progress is None or inputs.stable_val_acc is None:
        return progress
    now = inputs.val_acc - (inputs.control_val_acc or 0.0)
    return progress - (now - inputs.stable_val_acc)


def _settle(seed: LiveSeedInput, credit_pp: float, op: LifecycleOp, config: ContributionRewardConfig) -> Settlement:
    credit, contribution = seed.escrow_credit_prev, seed.contribution
    # Removing a harmful seed is not charged for the harm it did.
    harm = 0.0 if op is LifecycleOp.PRUNE else min(0.0, contribution or 0.0)
    # A fading seed could earn a new account that nobody would take back when it is gone.
    if op is LifecycleOp.PRUNE or seed.is_fading:
        return Settlement(target=0.0, delta=-credit, credit_next=None, harm=harm)
    if op is LifecycleOp.FOSSILIZE or seed.seed_info.stage == SeedStage.FOSSILIZED:
        return Settlement(target=0.0, delta=0.0, credit_next=None, harm=harm)
    if contribution is None:
        return Settlement(target=credit, delta=0.0, credit_next=credit)
    target = 0.0 if contribution < 0.0 else max(0.0, credit_pp + dense.ratio_penalty(seed, op, config))
    delta = min(config.escrow_delta_limit_pp, max(-config.escrow_delta_limit_pp, target - credit))
    return Settlement(target=target, delta=delta, credit_next=credit + delta, harm=harm)
