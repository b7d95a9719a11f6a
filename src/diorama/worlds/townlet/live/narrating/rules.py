"""Which events are told as a sentence: under which category, how urgent, and what counts as telling it twice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.render.sentences import SENTENCES, Sentence

_OUTAGES: Final = ("blackout", "outage")


def _never(_: JsonObject) -> bool:
    return False


def _always(_: JsonObject) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How an event is told.

    Attributes:
        category: By its fields, because an outage is a perturbation of its own kind.
        subject: Fields that say what it is about: the same again is not news.
        story: Events of one story share what counts as the same again.
    """

    category: Callable[[JsonObject], str]
    sentence: Sentence
    subject: tuple[str, ...]
    story: str
    is_priority: Callable[[JsonObject], bool] = _never


def _befalls(fields: JsonObject) -> str:
    return "utility_outage" if fields["kind"] in _OUTAGES else "perturbation"


def _rule(
    kind: EventKind, category: str, *subject: str, is_priority: Callable[[JsonObject], bool] = _never
) -> tuple[str, Rule]:
    name = kind.name.lower()
    rule = Rule(
        category=lambda _: category, sentence=SENTENCES[kind], subject=subject, story=name, is_priority=is_priority
    )
    return name, rule


def _perturbation(kind: EventKind, story: str) -> tuple[str, Rule]:
    rule = Rule(category=_befalls, sentence=SENTENCES[kind], subject=("event_id",), story=story, is_priority=_always)
    return kind.name.lower(), rule


def _complete(kind: EventKind, done: str) -> tuple[str, Rule]:
    name = kind.name.lower()
    return name, Rule(
        category=lambda _: name,
        sentence=lambda tell, fields: f"{tell.name(fields)} {done}",
        subject=("agent_id",),
        story=name,
    )


RULES: Final[Mapping[str, Rule]] = dict(
    (
        _rule(
            EventKind.QUEUE_CONFLICT,
            "queue_conflict",
            "object_id",
            "actor",
            "rival",
            is_priority=lambda fields: fields["reason"] == "ghost_step",
        ),
        _perturbation(EventKind.PERTURBATION_STARTED, "perturbation_started"),
        _perturbation(EventKind.PERTURBATION_ENDED, "perturbation_over"),
        _perturbation(EventKind.PERTURBATION_CANCELLED, "perturbation_over"),
        _rule(EventKind.SHOWER_POWER_OUTAGE, "utility_outage", "object_id", is_priority=_always),
        _complete(EventKind.SHOWER_COMPLETE, "took a shower"),
        _complete(EventKind.SLEEP_COMPLETE, "slept well"),
        _rule(EventKind.CHAT_FAILURE, "relationship_social_alert", "speaker", "listener"),
        _rule(EventKind.POLICY_GUARDRAIL_BLOCK, "relationship_social_alert", "agent_id", "target_agent"),
        _rule(EventKind.AGENT_SPAWN, "arrival", "agent_id"),
        _rule(EventKind.AGENT_EXIT, "exit", "agent_id", is_priority=_always),
        _rule(EventKind.JOB_LATE, "employment", "agent_id"),
        _rule(EventKind.SHIFT_ABSENT, "employment", "agent_id"),
        _rule(EventKind.JOB_ASSIGNED, "employment", "agent_id"),
        _rule(EventKind.EMPLOYMENT_WARNING, "employment", "agent_id"),
        _rule(EventKind.EMPLOYMENT_HELPED_WHEN_LATE, "employment", "agent_id"),
        _rule(EventKind.EMPLOYMENT_TOOK_MY_SHIFT, "employment", "agent_id"),
        _rule(EventKind.EMPLOYMENT_EXIT_PENDING, "employment", "agent_id"),
        _rule(EventKind.EMPLOYMENT_EXIT_PROCESSED, "employment", "agent_id"),
        _rule(EventKind.EMPLOYMENT_EXIT_DEFERRED, "employment", "agent_id"),
    )
)
