"""Commands about relationships, conflicts and chats."""

from dataclasses import asdict
from typing import Final

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import ConflictReason, EvictionReason, word
from diorama.worlds.townlet.events import EVENT_NAMES
from diorama.worlds.townlet.reference.console.finding import id_of, the_citizen
from diorama.worlds.townlet.reference.console.happenings import NoArguments
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.ties import Tie
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.talking import chat_well
from diorama.worlds.townlet.reference.systems.ties import rivalry_now, set_tie, tie_to

TOP: Final = 2


class ChatArguments(Arguments):
    """Who talks to whom, and how well."""

    speaker: str
    listener: str
    quality: float = Field(default=1.0, ge=0.0, le=1.0)


class SetTieArguments(Arguments):
    """What two citizens feel about one another, both ways."""

    a: str
    b: str
    trust: float | None = Field(default=None, ge=-1.0, le=1.0)
    familiarity: float | None = Field(default=None, ge=-1.0, le=1.0)
    rivalry: float | None = Field(default=None, ge=0.0, le=1.0)


class AgentArguments(Arguments):
    """Whose."""

    agent_id: str


class RivalryArguments(Arguments):
    """Whose rivals, and how many; everybody's edges without an id."""

    agent_id: str | None = None
    limit: int = Field(default=5, ge=0, le=1000)


class ConflictArguments(Arguments):
    """How many conflicts and rivalries are shown."""

    history: int = Field(default=10, ge=0, le=120)
    rivalries: int = Field(default=10, ge=0, le=1000)


class LimitArguments(Arguments):
    """How many are shown."""

    limit: int = Field(default=20, ge=0, le=100)


def tie_block(town: Town, tie: Tie) -> dict[str, JsonValue]:
    """A tie as it is told."""
    return {
        "other": id_of(town, tie.other),
        "trust": tie.trust,
        "familiarity": tie.familiarity,
        "rivalry": rivalry_now(town, tie),
    }


def top_ties(town: Town, citizen: Citizen) -> JsonObject:
    """The best friends and worst rivals of a citizen."""
    friends = sorted(citizen.ties, key=lambda tie: -(tie.trust + tie.familiarity))[:TOP]
    rivals = sorted(citizen.ties, key=lambda tie: -rivalry_now(town, tie))[:TOP]
    return {
        "friends": [tie_block(town, tie) for tie in friends if tie.trust + tie.familiarity > 0.0],
        "rivals": [tie_block(town, tie) for tie in rivals if rivalry_now(town, tie) > 0.0],
    }


def conflict_notes(town: Town, limit: int) -> list[JsonValue]:
    """The last conflicts, newest first."""
    return [
        {
            "tick": note.tick,
            "object_id": town.tables.objects[note.object].id,
            "actor": agent_id(town, note.actor),
            "rival": agent_id(town, note.rival),
            "reason": word(ConflictReason(note.reason)),
            "intensity": note.intensity,
        }
        for note in town.social.conflicts[::-1][:limit]
    ]


def queue_windows(town: Town) -> list[JsonValue]:
    """What queues suffered in the last windows, oldest first; empty unless the town runs live."""
    windows: list[JsonValue] = [asdict(window) for window in town.chronicle.queues]
    return windows


def rivalry_edges(town: Town, limit: int) -> list[JsonValue]:
    """The worst rivalries, worst first."""
    edges = [(rivalry_now(town, tie), citizen.seat, tie.other) for citizen in town.living() for tie in citizen.ties]
    worst = sorted((edge for edge in edges if edge[0] > 0.0), key=lambda edge: (-edge[0], edge[1], edge[2]))
    return [
        {"from": id_of(town, seat), "to": id_of(town, other), "rivalry": rivalry}
        for rivalry, seat, other in worst[:limit]
    ]


def tie_changes(town: Town, number: int | None = None) -> list[JsonValue]:
    """How ties changed of late, oldest first: all of them, or those of one citizen; empty unless the town runs live."""
    return [
        {
            "tick": change.tick,
            "owner": agent_id(town, change.owner),
            "other": agent_id(town, change.other),
            "trust": change.trust,
            "familiarity": change.familiarity,
            "rivalry": change.rivalry,
        }
        for change in town.chronicle.tie_changes
        if number in (None, change.owner)
    ]


def _force_chat(town: Town, given: ChatArguments) -> JsonObject:
    speaker, listener = the_citizen(town, given.speaker), the_citizen(town, given.listener)
    if speaker is listener:
        raise CommandError("invalid_args", "same_agent", "nobody chats with themselves")
    if speaker.is_running or listener.is_running:
        raise CommandError("conflict", "busy_target", "one of them is in the middle of something")
    chat_well(town, speaker, listener, given.quality)
    return _both(town, speaker, listener)


def _set_rel(town: Town, given: SetTieArguments) -> JsonObject:
    first, second = the_citizen(town, given.a), the_citizen(town, given.b)
    if first is second:
        raise CommandError("invalid_args", "same_agent", "nobody has a tie to themselves")
    if given.trust is None and given.familiarity is None and given.rivalry is None:
        raise CommandError("usage", "nothing_given", "give trust, familiarity or rivalry")
    for owner, other in ((first, second), (second, first)):
        set_tie(town, owner, other.seat, given.trust, given.familiarity, given.rivalry)
    return _both(town, first, second)


def _both(town: Town, first: Citizen, second: Citizen) -> JsonObject:
    return {
        agent_id(town, owner.number): {**tie_block(town, tie_to(owner, other.seat)), "other": id_of(town, other.seat)}
        for owner, other in ((first, second), (second, first))
    }


def _summary(town: Town, _: NoArguments) -> JsonObject:
    return {
        "agents": {agent_id(town, citizen.number): top_ties(town, citizen) for citizen in town.living()},
        "churn": [
            {
                "window": window.index,
                "by_reason": {word(reason): window.by_reason[reason] for reason in EvictionReason},
                "total": sum(window.by_reason),
            }
            for window in town.social.churn
        ],
    }


def _detail(town: Town, given: AgentArguments) -> JsonObject:
    citizen = the_citizen(town, given.agent_id)
    incoming = [
        {**tie_block(town, tie_to(other, citizen.seat)), "other": agent_id(town, other.number)}
        for other in town.living()
        if any(tie.other == citizen.seat for tie in other.ties)
    ]
    return {
        "agent_id": given.agent_id,
        "ties": [tie_block(town, tie) for tie in citizen.ties],
        "deltas": tie_changes(town, citizen.number),
        "incoming": incoming,
    }


def _rivalry_dump(town: Town, given: RivalryArguments) -> JsonObject:
    if given.agent_id is None:
        return {"edges": rivalry_edges(town, given.limit)}
    citizen = the_citizen(town, given.agent_id)
    rivals = sorted(citizen.ties, key=lambda tie: -rivalry_now(town, tie))[: given.limit]
    return {"agent_id": given.agent_id, "rivals": [tie_block(town, tie) for tie in rivals]}


def _conflicts(town: Town, given: ConflictArguments) -> JsonObject:
    metrics = town.queues
    return {
        "queues": {
            "ghost_step_events": metrics.ghost_step_events,
            "rotation_events": metrics.rotation_events,
            "cooldown_events": metrics.cooldown_events,
            "conflict_intensity_sum": metrics.conflict_intensity_sum,
        },
        "windows": queue_windows(town),
        "history": conflict_notes(town, given.history),
        "rivalry": rivalry_edges(town, given.rivalries),
        "alerts": list(town.chronicle.alerts),
    }


def _social_events(town: Town, given: LimitArguments) -> JsonObject:
    return {
        "events": [
            {
                "tick": note.tick,
                "event": EVENT_NAMES[note.kind],
                "agents": [agent_id(town, note.first), agent_id(town, note.second)],
                "quality": note.quality,
            }
            for note in town.social.notes[::-1][: given.limit]
        ]
    }


COMMANDS: Final = (
    Command(
        name="force_chat",
        role="admin",
        needs_id=True,
        summary="Let two citizens have a good chat.",
        arguments=ChatArguments,
        run=_force_chat,
    ),
    Command(
        name="set_rel",
        role="admin",
        needs_id=True,
        summary="Set what two citizens feel about one another.",
        arguments=SetTieArguments,
        run=_set_rel,
    ),
    Command(
        name="relationship_summary",
        role="viewer",
        needs_id=False,
        summary="Show friends and rivals of everybody.",
        arguments=NoArguments,
        run=_summary,
    ),
    Command(
        name="relationship_detail",
        role="admin",
        needs_id=False,
        summary="Show all ties of a citizen.",
        arguments=AgentArguments,
        run=_detail,
    ),
    Command(
        name="rivalry_dump",
        role="viewer",
        needs_id=False,
        summary="Show the worst rivalries.",
        arguments=RivalryArguments,
        run=_rivalry_dump,
    ),
    Command(
        name="conflict_status",
        role="viewer",
        needs_id=False,
        summary="Show conflicts and what queues suffer.",
        arguments=ConflictArguments,
        run=_conflicts,
    ),
    Command(
        name="social_events",
        role="viewer",
        needs_id=False,
        summary="Show chats and shared meals, newest first.",
        arguments=LimitArguments,
        run=_social_events,
    ),
)
