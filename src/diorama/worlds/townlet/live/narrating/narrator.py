"""`Narrator`: turns events, and what has become of ties, into sentences; limits are somebody else's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import Trait
from diorama.worlds.townlet.live.narrating.rules import RULES
from diorama.worlds.townlet.live.recording import TickNotes
from diorama.worlds.townlet.reference.names import agent_id, display_name, find_citizen
from diorama.worlds.townlet.reference.state.chronicle import TieChange
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.ties import rivalry_of, tie_to
from diorama.worlds.townlet.render.sentences import Teller

_PEOPLE: Final = ("agent_id", "speaker", "listener", "actor", "rival", "other", "target_agent", "replaces")
_GROUPS: Final = ("agents", "coworkers", "targets")


@dataclass(slots=True)
class Narrator:
    """Remembers, by `owner:other` of citizen numbers, how much trust there was when it was last told."""

    trust_told: dict[str, float] = field(default_factory=dict)

    def tell(
        self, town: Town, names: Mapping[str, str], events: Sequence[LiveEvent], notes: TickNotes
    ) -> list[Narration]:
        """Say what is worth a sentence.

        Args:
            town: Where it happened.
            names: Shown names of everybody who ever lived there, by id.
            events: Of the tick; those of the services are passed over.
            notes: What else is known of the tick.
        """
        if not (events or notes.avoided or notes.tie_changes):
            return []
        teller = Teller(names=names, tables=town.tables)
        told = [narration for event in events for narration in _of_event(town, teller, event)]
        told += [narration for number in notes.avoided for narration in _of_avoidance(town, number)]
        for change in notes.tie_changes:
            told += self._of_tie(town, change)
        return told

    def _of_tie(self, town: Town, change: TieChange) -> Iterator[Narration]:
        rule = town.config.telemetry.relationship_narration
        owner, other = (find_citizen(town, agent_id(town, number)) for number in (change.owner, change.other))
        if owner is None or other is None:
            return
        trust = tie_to(owner, other.seat).trust
        key = f"{change.owner}:{change.other}"
        gain = trust - self.trust_told.setdefault(key, trust - change.trust)
        has_crossed = trust - change.trust < rule.friendship_trust_threshold <= trust
        if (change.is_new and trust > 0.0) or has_crossed or gain >= rule.friendship_delta_threshold:
            self.trust_told[key] = trust
            yield _friendship(town, owner, other, trust, is_new=change.is_new)
        rivalry = rivalry_of(town, owner, other.seat)
        if rivalry - change.rivalry < rule.rivalry_avoid_threshold <= rivalry:
            yield _rivalry(town, owner, other, rivalry)


def _of_event(town: Town, teller: Teller, event: LiveEvent) -> Iterator[Narration]:
    rule, fields = RULES.get(event.name), event.fields
    if rule is not None:
        about = ":".join(str(fields[name]) for name in rule.subject)
        yield Narration(
            tick=event.tick,
            category=rule.category(fields),
            message=rule.sentence(teller, fields),
            is_priority=rule.is_priority(fields),
            dedupe_key=f"{rule.story}:{about}",
            data={"event": event.name, **fields},
            people=_people(teller.names, fields),
        )
    elif event.name == "chat_success":
        yield from _of_good_chat(town, teller, event)


def _of_good_chat(town: Town, teller: Teller, event: LiveEvent) -> Iterator[Narration]:
    rule, fields = town.config.telemetry.personality_narration, event.fields
    speaker, quality = find_citizen(town, str(fields["speaker"])), fields["quality"]
    if not rule.enabled or speaker is None or not isinstance(quality, float):
        return
    extroversion = speaker.traits[Trait.EXTROVERSION]
    if extroversion >= rule.chat_extroversion_threshold and quality >= rule.chat_quality_threshold:
        yield Narration(
            tick=event.tick,
            category="personality_event",
            message=f"{teller.name(fields, 'speaker')}, who loves company, cheers up {teller.name(fields, 'listener')}",
            is_priority=extroversion >= rule.chat_priority_threshold,
            dedupe_key=f"personality_chat:{fields['speaker']}",
            data={"event": event.name, "trait": "extroversion", "extroversion": extroversion, **fields},
            people=_people(teller.names, fields),
        )


def _of_avoidance(town: Town, number: int) -> Iterator[Narration]:
    citizen = find_citizen(town, agent_id(town, number))
    if citizen is None:
        return
    name = display_name(town, number)
    data: JsonObject = {"agent_id": agent_id(town, number)}
    yield Narration(
        tick=town.tick,
        category="relationship_social_alert",
        message=f"{name} keeps out of a rival's way",
        is_priority=False,
        dedupe_key=f"avoidance:{number}",
        data=data,
        people=_named(town, citizen),
    )
    rule, tolerance = (
        town.config.telemetry.personality_narration,
        town.tables.profiles[citizen.profile].conflict_tolerance,
    )
    if rule.enabled and tolerance < rule.conflict_tolerance_threshold:
        yield Narration(
            tick=town.tick,
            category="personality_event",
            message=f"{name} would rather walk away than quarrel",
            is_priority=False,
            dedupe_key=f"personality_avoidance:{number}",
            data={**data, "conflict_tolerance": tolerance},
            people=_named(town, citizen),
        )


def _friendship(town: Town, owner: Citizen, other: Citizen, trust: float, *, is_new: bool) -> Narration:
    rule = town.config.telemetry.relationship_narration
    one, two = display_name(town, owner.number), display_name(town, other.number)
    message = f"{one} and {two} grow closer"
    if trust >= rule.friendship_trust_threshold:
        message = f"{one} has come to trust {two}"
    elif is_new:
        message = f"{one} and {two} get to know each other"
    return _of_pair(
        town,
        owner,
        other,
        "relationship_friendship",
        message,
        "trust",
        trust,
        is_priority=trust >= rule.friendship_priority_threshold,
    )


def _rivalry(town: Town, owner: Citizen, other: Citizen, rivalry: float) -> Narration:
    message = f"{display_name(town, owner.number)} and {display_name(town, other.number)} have become rivals"
    bound = town.config.telemetry.relationship_narration.rivalry_escalation_threshold
    return _of_pair(
        town, owner, other, "relationship_rivalry", message, "rivalry", rivalry, is_priority=rivalry >= bound
    )


def _of_pair(
    town: Town,
    owner: Citizen,
    other: Citizen,
    category: str,
    message: str,
    feeling: str,
    value: float,
    *,
    is_priority: bool,
) -> Narration:
    # Both directions of a tie tend to cross a threshold together: that is told once.
    low, high = sorted((owner.number, other.number))
    return Narration(
        tick=town.tick,
        category=category,
        message=message,
        is_priority=is_priority,
        dedupe_key=f"{category}:{low}:{high}",
        data={"owner": agent_id(town, owner.number), "other": agent_id(town, other.number), feeling: value},
        people=(*_named(town, owner), *_named(town, other)),
    )


def _named(town: Town, citizen: Citizen) -> tuple[str, str]:
    return agent_id(town, citizen.number), display_name(town, citizen.number)


def _people(names: Mapping[str, str], fields: JsonObject) -> tuple[str, ...]:
    return tuple(part for who in _ids(fields) if who in names for part in (who, names[who]))


def _ids(fields: JsonObject) -> Iterable[str]:
    for name in _PEOPLE:
        if isinstance(who := fields.get(name), str):
            yield who
    for name in _GROUPS:
        members: JsonValue = fields.get(name)
        if isinstance(members, list):
            yield from (who for who in members if isinstance(who, str))
