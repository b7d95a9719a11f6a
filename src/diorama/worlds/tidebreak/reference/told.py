"""What the ticks of a decision come to in the record of a step: events by kind, and what is added to `info`."""

import json
from collections.abc import Mapping, Sequence

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.codes import EndReason
from diorama.worlds.tidebreak.contract import Event as EventName
from diorama.worlds.tidebreak.packages.canonical import to_canonical_json
from diorama.worlds.tidebreak.reference.events import Event
from diorama.worlds.tidebreak.reference.result import battle_result
from diorama.worlds.tidebreak.reference.reward import Reward
from diorama.worlds.tidebreak.reference.seats import EMPTY_SEAT, Episode
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle

EVENT_NAMES = tuple(EventName)


def event_names(events: Sequence[Event]) -> tuple[str, ...]:
    """Kinds in the order in which they first happened."""
    return tuple(dict.fromkeys(EVENT_NAMES[event.kind].value for event in events))


def event_data(events: Sequence[Event], *, with_ticks: bool = False) -> dict[str, JsonObject]:
    """Every event of each kind as id, source, target, cause, f0, f1, i0; with ticks, when it happened comes last.

    The root of the chain of causes is left out: after a restore it is not known any more.
    """
    records: dict[str, list[JsonValue]] = {}
    for event in events:
        # Codes are told as plain numbers.
        row: list[JsonValue] = [
            event.id,
            event.source,
            event.target,
            event.cause,
            float(event.f0),
            float(event.f1),
            int(event.i0),
        ]
        if with_ticks:
            row.append(event.tick)
        records.setdefault(EVENT_NAMES[event.kind].value, []).append(row)
    return {name: {"records": rows} for name, rows in records.items()}


def info_of(
    battle: Battle, episode: Episode, paid: Sequence[Reward | None], invalid: Sequence[int]
) -> Mapping[str, JsonValue]:
    """Return what a record says beyond the platform's fields; `paid` has None for an empty seat."""
    outcome = battle.outcome
    units = [None if unit_id == EMPTY_SEAT else battle.unit(unit_id) for unit_id in episode.seats]
    info: dict[str, JsonValue] = {
        "tick": battle.tick,
        "stage": episode.stage,
        "reward_components": [[] if reward is None else list(reward.components) for reward in paid],
        "invalid": list(invalid),
        "ships": [None if unit is None else unit.spec.ship_id for unit in units],
        "end_reason": EndReason(outcome.end_reason).name.lower() if outcome.is_over else None,
        "winner": None if outcome.winner == NO_WINNER else battle.spec.teams[outcome.winner].team_id,
    }
    if outcome.is_over:
        info["battle_result"] = json.loads(to_canonical_json(battle_result(battle)))
    return info
