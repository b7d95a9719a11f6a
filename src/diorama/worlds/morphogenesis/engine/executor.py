"""The action transaction of one env, and the rollback that takes its place when the governor has panicked."""

import logging
from collections.abc import Sequence

from diorama.worlds.morphogenesis.contracts.actions import (
    AlphaCurveAction,
    AlphaSpeedAction,
    GerminationStyle,
    LifecycleOp,
    TempoAction,
)
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.governor import LifecycleMutationHealthSnapshot
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.decoding import decode
from diorama.worlds.morphogenesis.controller.masks import ActionMasks, write_flags
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.paying import pay_step
from diorama.worlds.morphogenesis.engine.reward_inputs import BeforeStep, look_before
from diorama.worlds.morphogenesis.engine.tellers import DecisionNotes, tell_last_action, tell_rollback
from diorama.worlds.morphogenesis.hosting.slot import Moment, Ramp, SeedOrder
from diorama.worlds.morphogenesis.safety.governor import ROLLBACK_PENALTY
from diorama.worlds.morphogenesis.safety.pre_flight import review
from diorama.worlds.morphogenesis.vectorized_types import ActionSpec

logger = logging.getLogger(__name__)


def transact(
    nursery: Nursery,
    env: Env,
    action: Sequence[int],
    masks: ActionMasks,
    *,
    notes: DecisionNotes,
    initiator: Initiator = "policy",
) -> None:
    """Decode, check, execute and pay one decision; the steps and their order are the spec's."""
    record = env.record
    record.reset_step()
    spec, outcome = record.action_spec, record.action_outcome
    decode(spec, action, nursery.mask_rules, situations_of(env.growth))
    sampled = LifecycleOp(spec.op_idx)
    write_flags(record.mask_flags, masks, env.row, sampled)
    before = look_before(nursery, env, spec)
    if not _passes_review(nursery, env, spec, before):
        spec.action_for_reward = LifecycleOp.WAIT
    op = spec.action_for_reward
    has_worked = _execute(nursery, env, op, initiator)
    env.growth.step()
    outcome.action_name = sampled.name
    outcome.action_success = has_worked and op is sampled
    env.previous_succeeded, env.previous_op = outcome.action_success, op if has_worked else LifecycleOp.WAIT
    pay_step(nursery, env, op, before, has_worked=has_worked)
    payload = tell_last_action(env, round_index=nursery.round_index, epoch=nursery.epoch, notes=notes)
    nursery.events.emit(
        TelemetryEventType.ANALYTICS_SNAPSHOT,
        payload,
        row=env.row,
        epoch=nursery.epoch,
        slot_id=payload.slot_id,
    )


def roll_back(nursery: Nursery, env: Env) -> None:
    """Put the env back to its last snapshot; its action is neither executed nor paid."""
    env.record.reset_step()
    panic = env.governor.report
    if panic is None:
        raise RuntimeError("a rollback was ordered for an env that is well")
    env.growth.uproot(panic.reason, keep=nursery.engine.snapshot_slots(env.row))
    nursery.engine.restore(env.row)
    report = env.governor.settle_rollback()
    env.growth.snapshot_requested = False
    env.record.rollback_occurred = env.record.action_outcome.rollback_occurred = True
    env.previous_succeeded, env.previous_op = False, LifecycleOp.WAIT
    env.segment_steps = 0
    payload = tell_rollback(
        env, report, round_index=nursery.round_index, device=nursery.device, raw_penalty=ROLLBACK_PENALTY
    )
    nursery.events.emit(
        TelemetryEventType.GOVERNOR_ROLLBACK, payload, row=env.row, epoch=nursery.epoch, severity="warning"
    )


def _execute(nursery: Nursery, env: Env, op: LifecycleOp, initiator: Initiator) -> bool:
    spec, growth, timings = env.record.action_spec, env.growth, nursery.lifecycle.timings
    curve = AlphaCurveAction(spec.alpha_curve_idx)
    ramp = Ramp(
        steps=timings.speed_steps(AlphaSpeedAction(spec.alpha_speed_idx)), curve=curve.curve, steepness=curve.steepness
    )
    match op:
        case LifecycleOp.WAIT:
            return True
        case LifecycleOp.GERMINATE:
            order = SeedOrder(
                blueprint=BlueprintAction(spec.blueprint_idx),
                style=GerminationStyle(spec.style_idx),
                tempo_epochs=timings.tempo_epochs(TempoAction(spec.tempo_idx)),
                alpha_target=spec.alpha_target,
            )
            moment = Moment(epoch=nursery.epoch, accuracy_pct=env.reading.val_acc, gain_pp=env.reading.gain)
            is_done = growth.germinate(spec.target_slot, order, moment)
            env.counts.germinated += is_done
        case LifecycleOp.SET_ALPHA_TARGET:
            is_done = growth.slot(spec.target_slot).set_alpha_target(spec.alpha_target, ramp)
        case LifecycleOp.PRUNE:
            is_done = growth.slot(spec.target_slot).prune(ramp, initiator=initiator)
            env.counts.pruned += is_done
        case LifecycleOp.FOSSILIZE:
            is_done = growth.fossilize(spec.target_slot).passed
            env.counts.fossilized += is_done
        case LifecycleOp.ADVANCE:
            is_done = growth.slot(spec.target_slot).advance().passed
    return is_done


def _passes_review(nursery: Nursery, env: Env, spec: ActionSpec, before: BeforeStep) -> bool:
    op = spec.action_for_reward
    if op is LifecycleOp.WAIT:
        return True
    slot = env.growth.slot(spec.target_slot)
    stage = slot.stage
    ramps = op in (LifecycleOp.SET_ALPHA_TARGET, LifecycleOp.PRUNE)
    verdict = review(
        LifecycleMutationHealthSnapshot(
            operation=op.name,
            slot_id=spec.target_slot,
            blueprint_id=BlueprintAction(spec.blueprint_idx).blueprint_id if op is LifecycleOp.GERMINATE else None,
            alpha_target=spec.alpha_target,
            alpha_speed_steps=nursery.lifecycle.timings.speed_steps(AlphaSpeedAction(spec.alpha_speed_idx))
            if ramps
            else None,
            alpha_curve=AlphaCurveAction(spec.alpha_curve_idx).name if ramps else None,
            val_loss=env.reading.val_loss,
            val_accuracy=env.reading.val_acc,
            seed_stage=None if stage is SeedStage.DORMANT else stage.name,
            total_params=env.growth.total_params(),
            effective_seed_params=before.effective_seed_params,
            max_seeds=nursery.config.max_seeds,
            active_seed_count=before.active_seeds,
            cooldown_epochs_remaining=slot.cooldown_epochs,
            event_id=f"r{nursery.round_index}_env{env.env_id}_t{nursery.epoch}",
        )
    )
    if not verdict.approved:
        logger.warning("the governor vetoed an operation of env %d: %s", env.env_id, verdict.reason)
    return verdict.approved
