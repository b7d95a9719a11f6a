"""What a viewer draws of an env: its slots, its accuracy beside the control twin's, and what it decided last."""

from typing import TYPE_CHECKING

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.morphogenesis.advice import advice_for
from diorama.worlds.morphogenesis.contract import RENDER_SCHEMA_VERSION
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.payloads.base import to_json
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.mask_rules import op_refusal, planting_refusal
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.engine.records import reward_terms
from diorama.worlds.morphogenesis.explanations import ROLLING_BACK
from diorama.worlds.morphogenesis.host_flow import host_flow
from diorama.worlds.morphogenesis.reasons import in_words

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.engine.env import Env
    from diorama.worlds.morphogenesis.engine.nursery import Nursery
    from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
    from diorama.worlds.morphogenesis.hosting.slot import SeedSlot


def render_state(nursery: "Nursery", row: int) -> JsonObject:
    """Describe an env as it is now; values that were not measured are null."""
    env = nursery.envs[row]
    reading, outcome = env.reading, env.record.action_outcome
    parts = outcome.reward_components
    return {
        "schema_version": RENDER_SCHEMA_VERSION,
        "headline": {"final_accuracy": reading.val_acc, "gain_over_control": to_json(reading.gain)},
        "time": nursery.epoch,
        "time_remaining": nursery.max_epochs - nursery.epoch,
        "task": nursery.task.name,
        "topology": nursery.task.topology,
        "env_id": env.env_id,
        "round": nursery.round_index,
        "epoch": nursery.epoch,
        "max_epochs": nursery.max_epochs,
        "accuracy": reading.val_acc,
        "loss": to_json(reading.val_loss),
        "control_accuracy": reading.control_acc,
        "gain": reading.gain,
        "history": {
            "accuracy": [past.val_acc for past in env.readings],
            "control": [past.control_acc for past in env.readings],
            "loss": [to_json(past.val_loss) for past in env.readings],
            "reward": list(env.raw_rewards),
        },
        "host_params": nursery.host_params,
        "total_params": env.growth.total_params(),
        "param_budget": nursery.contribution_reward.param_budget,
        "counts": {
            "planted": env.counts.germinated,
            "pruned": env.counts.pruned,
            "permanent": env.counts.fossilized,
        },
        "all_off_accuracy": to_json(reading.all_off_acc),
        "episode_reward": env.episode_reward,
        "is_rolling_back": env.governor.report is not None,
        "rollbacks": env.governor.rollbacks,
        "slots": [_slot(nursery, env, slot) for slot in env.growth.slots],
        "refusals": _refusals(nursery, env),
        "blueprints": [blueprint.blueprint_id for blueprint in nursery.mask_rules.blueprints],
        "last_action": _last_action(env),
        "reward_terms": dict(reward_terms(parts, outcome.reward_raw, is_penalty=False)),
        "flow": host_flow(nursery.task, nursery.slots.slot_ids),
        "hosts": [_neighbor(other) for other in nursery.envs] if len(nursery.envs) > 1 else [],
        "advice": advice_for(nursery, env),
        "execution_order": [slot_id for slot_id in nursery.engine.execution_order if slot_id in nursery.slots.slot_ids],
    }


def _refusals(nursery: "Nursery", env: "Env") -> JsonObject:
    rules, situations = nursery.mask_rules, situations_of(env.growth)
    if env.governor.report is not None:
        held = [ROLLING_BACK] * len(rules.slot_ids)
        return {op.name: held if op is not LifecycleOp.WAIT else [""] * len(held) for op in LifecycleOp}
    no_planting = planting_refusal(rules, situations)
    return {
        op.name: [in_words(op_refusal(rules, op, situations[slot_id], no_planting)) for slot_id in rules.slot_ids]
        for op in LifecycleOp
    }


def _neighbor(env: "Env") -> JsonObject:
    """Tell one of several hosts in short: a seed is its stage and its alpha."""
    seeds = [(slot.state.stage.name, slot.state.alpha.alpha) if slot.state else None for slot in env.growth.slots]
    return {
        "env_id": env.env_id,
        "accuracy": env.reading.val_acc,
        "gain": to_json(env.reading.gain),
        "is_rolling_back": env.governor.report is not None,
        "seeds": [None if seed is None else list(seed) for seed in seeds],
    }


def _slot(nursery: "Nursery", env: "Env", slot: "SeedSlot") -> JsonObject:
    seed = slot.state
    return {
        "slot_id": slot.slot_id,
        "channels": nursery.slots.channels_of(slot.slot_id),
        "stage": SeedStage.DORMANT.name if seed is None else seed.stage.name,
        "seed": None if seed is None else _seed(env, seed),
    }


def _seed(env: "Env", seed: "SeedState") -> JsonObject:
    metrics, telemetry = seed.metrics, seed.telemetry
    return {
        "seed_id": seed.seed_id,
        "blueprint": seed.blueprint.blueprint_id,
        "style": seed.style.name,
        "alpha": seed.alpha.alpha,
        "alpha_target": seed.alpha.alpha_target,
        "alpha_mode": seed.alpha.alpha_mode.name,
        "alpha_curve": seed.alpha.alpha_curve.name,
        "alpha_steps_left": seed.alpha.time_to_target,
        "epochs_in_stage": seed.epochs_in_stage,
        "previous_stage": seed.previous_stage.name,
        "previous_epochs": seed.previous_epochs_in_stage,
        "age": metrics.epochs_total,
        "params": metrics.seed_param_count,
        "contribution": metrics.counterfactual_contribution,
        "interaction_sum": metrics.interaction_sum,
        "improvement": metrics.improvement_since_stage_start,
        "reference_improvement": to_json(env.reference_improvement_of(seed)),
        "gradient_health": None if telemetry is None else to_json(telemetry.gradient_health),
        "has_vanishing": telemetry is not None and telemetry.has_vanishing is True,
        "has_exploding": telemetry is not None and telemetry.has_exploding is True,
        "is_healthy": seed.is_healthy,
    }


def _last_action(env: "Env") -> JsonValue:
    outcome, spec = env.record.action_outcome, env.record.action_spec
    if not outcome.action_name:
        return None
    return {
        "op": outcome.action_name,
        "slot_id": spec.target_slot,
        "success": outcome.action_success,
        "reward": outcome.reward_raw,
    }
