"""What the stability monitor is told about a tick."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from diorama.contracts.live.events import LiveEvent
from diorama.contracts.live.stability import TickRecord
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import ExitReason, Need, word
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.chronicle import TieChange
from diorama.worlds.townlet.reference.state.town import Town


@dataclass(slots=True)
class TickNotes:
    """What is kept of a tick when its page is cleared.

    Attributes:
        seats: Of everybody who lived there when it began, by number.
        rewards: By seat, without what an ending pays.
        exits: By seat, why somebody left.
        left_after_days: By seat, how long they had lived.
        avoided: Numbers of those who kept out of a rival's way.
    """

    seats: dict[int, int] = field(default_factory=dict)
    rewards: dict[int, float] = field(default_factory=dict)
    exits: dict[int, str] = field(default_factory=dict)
    left_after_days: dict[int, float] = field(default_factory=dict)
    option_starts: int = 0
    premature_switches: int = 0
    avoided: list[int] = field(default_factory=list)
    tie_changes: list[TieChange] = field(default_factory=list)


def take_notes(town: Town, seats: dict[int, int]) -> TickNotes:
    """Note what a tick did, at the end of stage 5.

    Args:
        town: The town.
        seats: Of everybody when the tick was decided, by citizen number.
    """
    notes = TickNotes(
        seats=seats,
        rewards={seat: reward.total - reward.terminal_penalty for seat, reward in town.report.rewards.items()},
        exits={seat: word(ExitReason(reason)) for seat, reason in town.report.exits.items()},
    )
    if notes.exits:
        notes.left_after_days = {
            seats[int(event.values[0])]: event.values[2] for event in town.events if event.kind is EventKind.AGENT_EXIT
        }
    for citizen in town.living():
        notes.option_starts += citizen.facts.option_starts
        notes.premature_switches += citizen.facts.premature_switches
        if citizen.facts.has_avoided:
            notes.avoided.append(citizen.number)
    return notes


def tick_record(
    town: Town,
    notes: TickNotes,
    thresholds: JsonObject,
    events: Sequence[LiveEvent],
    transport: JsonObject,
) -> TickRecord:
    """Describe a tick that is over.

    Args:
        town: The town.
        notes: What was kept of the tick.
        thresholds: The section `stability` of the configuration; the same object until that changes.
        events: Of the tick.
        transport: Health of the publisher.
    """
    citizens, pool = town.living(), town.embedding
    hunger: dict[str, JsonValue] = {str(citizen.seat): citizen.needs[Need.HUNGER] for citizen in citizens}
    return TickRecord(
        tick=town.tick,
        rewards=notes.rewards,
        exits=notes.exits,
        events=events,
        facts={
            "hunger": hunger,
            "option_starts": notes.option_starts,
            "premature_switches": notes.premature_switches,
            "ghost_steps": town.chronicle.ghost_steps_now,
            "rotations": town.chronicle.rotations_now,
            "avoid_threshold": town.config.conflict.rivalry.avoid_threshold,
            "embedding_reuse_rate": pool.forced_reuse_count / pool.allocations_total if pool.allocations_total else 0.0,
            "embedding_reuse_limit": town.config.embedding_allocator.reuse_warning_threshold,
            "exit_queue": len(town.employment.queue),
            "exit_queue_limit": town.config.employment.exit_queue_limit,
            "selections": [citizen.tally.selections for citizen in citizens],
            "stability": thresholds,
        },
        transport=transport,
    )
