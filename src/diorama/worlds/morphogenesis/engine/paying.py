"""What a decision pays: the reward, what it leaves in the accounts, and suspicions it raises."""

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.reward_inputs import BeforeStep, contribution_inputs, loss_inputs
from diorama.worlds.morphogenesis.rewards.dispatch import compute_reward
from diorama.worlds.morphogenesis.rewards.hindsight import hindsight_credit
from diorama.worlds.morphogenesis.rewards.op_shaping import contributes_permanently
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LiveSeedInput


def pay_step(nursery: Nursery, env: Env, op: LifecycleOp, before: BeforeStep, *, has_worked: bool) -> None:
    """Reward a decision and note the reward wherever it is kept."""
    record = env.record
    if nursery.config.reward_family == "loss":
        record.loss_reward_inputs = loss_inputs(nursery, env, op, before)
        outcome = compute_reward(record.loss_reward_inputs)
    else:
        record.contribution_reward_inputs = contribution_inputs(nursery, env, op, before, has_worked=has_worked)
        outcome = compute_reward(record.contribution_reward_inputs)
        _tell_suspicions(nursery, env, record.contribution_reward_inputs)
        env.memory.escrow, env.memory.drips = outcome.escrow_credits, outcome.drip_states
    env.memory.pending.clear()
    if op is LifecycleOp.FOSSILIZE and has_worked and before.target is not None:
        _note_permanence(nursery, env, before.target)
    record.action_outcome.reward_raw = outcome.reward
    record.action_outcome.reward_components = outcome.components
    if outcome.components is not None:
        record.reward_summary.add(outcome.components)
    env.raw_rewards.append(outcome.reward)
    env.segment_steps += 1
    record.env_total_reward += outcome.reward


def _note_permanence(nursery: Nursery, env: Env, target: LiveSeedInput) -> None:
    config = nursery.contribution_reward
    reference = target.seed_info.counterfactual_total_improvement
    if contributes_permanently(target.contribution, reference, config):
        env.memory.contributing.add(target.seed_id)
    owed = hindsight_credit(env.memory.ledger.towards(target.slot_id), reference, nursery.epoch, config)
    if owed.scaffold_count:
        env.memory.pending[target.seed_id] = owed.credit
        env.record.reward_summary.scaffold_count += owed.scaffold_count
        env.record.reward_summary.scaffold_delay_total += owed.scaffold_delay_total


def _tell_suspicions(nursery: Nursery, env: Env, inputs: ContributionRewardInputs) -> None:
    for payload, is_critical in env.memory.watch.look(inputs):
        nursery.events.emit(
            TelemetryEventType.REWARD_HACKING_SUSPECTED,
            payload,
            row=env.row,
            epoch=nursery.epoch,
            slot_id=payload.slot_id,
            seed_id=payload.seed_id,
            severity="critical" if is_critical else "warning",
        )
