"""What the platform is told of a step of one copy: metrics, reward terms, events by name."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contract import ROLLBACK, STEP_PAYLOADS
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, LifecycleOp
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.choices import canonical
from diorama.worlds.morphogenesis.engine.env import Env

REWARD_TERMS: Final = (
    "bounded_attribution",
    "ratio_penalty",
    "escrow_delta",
    "escrow_forfeit",
    "compute_rent",
    "alpha_shock",
    "blending_warning",
    "holding_warning",
    "pbrs_bonus",
    "synergy_bonus",
    "action_shaping",
    "terminal_bonus",
    "fossilize_terminal_bonus",
    "hindsight_credit",
    "occupancy_rent",
    "fossilized_rent",
    "drip_this_epoch",
    "drip_immediate_bonus",
)
"""The parts a reward is the sum of."""

PENALTY_TERM: Final = "rollback_penalty"


def metrics_of(env: Env) -> tuple[float, ...]:
    """Return the metrics of an env in the order of the contract; without a control twin its two numbers are 0."""
    reading = env.reading
    known = [past.control_acc for past in env.readings if past.control_acc is not None]
    control = known[-1] if known else None
    return (
        reading.val_acc,
        0.0 if control is None else control,
        0.0 if control is None else reading.val_acc - control,
        env.param_ratio,
        float(env.count_stage(SeedStage.FOSSILIZED)),
        float(env.memory.num_contributing),
        float(env.counts.germinated),
        float(env.counts.pruned),
        float(env.counts.fossilized),
        float(env.governor.rollbacks),
        env.stability,
    )


def reward_terms(parts: RewardComponentsTelemetry | None, reward: float, *, is_penalty: bool) -> Mapping[str, float]:
    """Return the parts of a reward that are not 0."""
    if is_penalty:
        return {PENALTY_TERM: reward}
    if parts is None:
        return {}
    named = parts.to_dict()
    values = ((name, named[name]) for name in REWARD_TERMS)
    return {name: float(value) for name, value in values if isinstance(value, float) and value != 0.0}


def event_names(events: tuple[TelemetryEvent, ...], *, has_panicked: bool) -> tuple[str, ...]:
    """Return the events of a step by name.

    A rollback ends the row in the step in which the governor panics, and takes place in the next one: to the platform
    it happens where the row ends.
    """
    told = [event.event_type.name for event in events if event.event_type is not TelemetryEventType.GOVERNOR_ROLLBACK]
    return (*told, ROLLBACK) if has_panicked else tuple(told)


def step_record(
    env: Env,
    *,
    received: Decision,
    reward: float,
    is_ignored: bool,
    is_truncated: bool,
    round_index: int,
    epoch: int,
    events: tuple[TelemetryEvent, ...],
) -> StepRecord:
    """Return the last step of a copy."""
    has_panicked = env.governor.report is not None and not is_truncated
    effective = canonical(received) if env.previous_op is not LifecycleOp.WAIT and not is_ignored else PLACEHOLDERS
    return StepRecord(
        received=(received,),
        effective=(effective,),
        rewards=(reward,),
        reward_terms=(
            reward_terms(
                env.record.action_outcome.reward_components, reward, is_penalty=has_panicked and env.segment_steps > 0
            ),
        ),
        terminated=(has_panicked,),
        truncated=(is_truncated,),
        metrics=(metrics_of(env),),
        dt=1,
        events=event_names(events, has_panicked=has_panicked),
        event_data=_event_data(events),
        info={
            "round": round_index,
            "epoch": epoch,
            "env_id": env.env_id,
            "action_success": env.record.action_outcome.action_success,
            "action_ignored": is_ignored,
        },
        draws=0,
    )


def opening_record(env: Env, *, round_index: int, epoch: int) -> StepRecord:
    """Describe an episode that has not been stepped yet."""
    return StepRecord(
        received=(None,),
        effective=(None,),
        rewards=(0.0,),
        reward_terms=({},),
        terminated=(False,),
        truncated=(False,),
        metrics=(metrics_of(env),),
        dt=0,
        events=(),
        event_data={},
        info={"round": round_index, "epoch": epoch, "env_id": env.env_id},
        draws=0,
    )


def _event_data(events: tuple[TelemetryEvent, ...]) -> dict[str, JsonObject]:
    # Of a kind that happened more than once the last payload stands; what is null says nothing here.
    return {
        event.event_type.name: {name: value for name, value in event.data.to_dict().items() if value is not None}
        for event in events
        if event.data is not None and event.event_type in STEP_PAYLOADS
    }
