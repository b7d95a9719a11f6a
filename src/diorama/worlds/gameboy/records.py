"""Step records: one step of one lane with names and in full precision."""

import numpy as np

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, U64, JsonObject, JsonValue
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS
from diorama.worlds.gameboy.contract import (
    END_REASONS,
    EVENTS,
    FAILED,
    GOAL_REACHED,
    STAGE_ADVANCED,
    TRAP,
    TRUNCATED,
)
from diorama.worlds.gameboy.envs.episodes import Episodes, Outcome

_TRAP_PLACES = {name: SCALAR_FIELDS.index(f"trap_{name}") for name in ("kind", "pc", "opcode")}


def metrics_of(outcome: Outcome, frames_per_step: int) -> F32:
    """Metrics of every lane after a step, in the order of the contract."""
    columns = (
        outcome.success,
        outcome.verdict.distances,
        outcome.steps,
        outcome.steps * frames_per_step,
        outcome.trapped,
    )
    return np.stack([column.astype(np.float32) for column in columns], axis=1)


def opening_metrics(episodes: Episodes) -> F32:
    """Metrics of every lane at the opening of an episode."""
    metrics = np.zeros((len(episodes.steps), 5), np.float32)
    metrics[:, 1] = episodes.distances
    return metrics


def events_of(outcome: Outcome) -> U64:
    """Event bits of every lane."""
    happened = {
        GOAL_REACHED: outcome.success,
        STAGE_ADVANCED: outcome.verdict.advanced & ~outcome.ended,
        TRAP: outcome.trapped,
        TRUNCATED: outcome.truncated,
        FAILED: outcome.verdict.failed,
    }
    bits = np.zeros(len(outcome.steps), np.uint64)
    for bit, lanes in happened.items():
        bits |= lanes.astype(np.uint64) << np.uint64(bit)
    return bits


def trap_of(episodes: Episodes, lane: int) -> JsonObject:
    """What stopped a lane; asked before the lane is opened again."""
    fields = episodes.lanes.state(lane)
    return {name: int(fields[place]) for name, place in _TRAP_PLACES.items()}


def step_record(
    outcome: Outcome, lane: int, action: Decision, episodes: Episodes, trap: JsonObject | None
) -> StepRecord:
    """Describe the step of one lane."""
    verdict, config = outcome.verdict, episodes.config
    bits = int(events_of(outcome)[lane])
    events = tuple(event.name for bit, event in enumerate(EVENTS) if bits >> bit & 1)
    data: dict[str, JsonObject] = {}
    if bits >> STAGE_ADVANCED & 1:
        data["stage_advanced"] = {"stage": int(outcome.stages[lane]) + 1}
    if trap is not None:
        data["trap"] = trap
    return StepRecord(
        received=(action,),
        effective=(tuple(int(episodes.pressed_by[key]) for key in action),),
        rewards=(float(verdict.rewards[lane]),),
        reward_terms=({name: float(term[lane]) for name, term in verdict.terms.items()},),
        terminated=(bool(outcome.terminated[lane]),),
        truncated=(bool(outcome.truncated[lane]),),
        metrics=(tuple(metrics_of(outcome, config.frames_per_step)[lane].astype(np.float64).tolist()),),
        dt=config.frames_per_step,
        events=events,
        event_data=data,
        info={
            **_info(episodes, int(outcome.slots[lane]), int(outcome.stages[lane]), float(verdict.distances[lane])),
            "trap": None if trap is None else trap["kind"],
            "end_reason": next((reason for reason in END_REASONS if reason in events), None),
        },
        draws=0,
    )


def opening_record(episodes: Episodes, lane: int) -> StepRecord:
    """Describe an episode that has not been stepped yet."""
    distance = float(episodes.distances[lane])
    return StepRecord(
        received=(None,),
        effective=(None,),
        rewards=(0.0,),
        reward_terms=({},),
        terminated=(False,),
        truncated=(False,),
        metrics=((0.0, distance, 0.0, 0.0, 0.0),),
        dt=0,
        events=(),
        event_data={},
        info={
            **_info(episodes, int(episodes.slots[lane]), int(episodes.stages[lane]), distance),
            "trap": None,
            "end_reason": None,
        },
        draws=0,
    )


def _info(episodes: Episodes, slot: int, stage: int, distance: float) -> dict[str, JsonValue]:
    return {
        "start": slot // episodes.noop_counts,
        "noop_steps": slot % episodes.noop_counts,
        "stage": stage,
        "distance": distance,
    }
