"""What happened in a tick, in words and with who took part."""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.names import agent_id, display_name
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.render.sentences import SENTENCES, Teller

_PEOPLE: Final = ("agent_id", "speaker", "listener", "actor", "rival", "other", "other_id")
_GROUPS: Final = ("agents", "coworkers", "targets")
_ID_STEP: Final = 1000  # more than can happen in one tick


def news_of(town: Town, event_data: Mapping[str, JsonObject]) -> list[JsonValue]:
    """Return what is worth telling of a tick, in the order of the event table.

    Args:
        town: Where it happened; who has left since is still known by name.
        event_data: Records by event, as step records have them.
    """
    if not event_data:
        return []
    names = {agent_id(town, number): display_name(town, number) for number in range(town.next_number)}
    teller = Teller(names=names, tables=town.tables)
    told = [
        {
            "id": town.tick * _ID_STEP + place + 1,
            "tick": record["tick"],
            "kind": kind.name.lower(),
            "text": SENTENCES[kind](teller, record),
            "who": _people(record, names),
        }
        for place, (kind, record) in enumerate(_records(event_data))
    ]
    return [*told]


def _records(event_data: Mapping[str, JsonObject]) -> list[tuple[EventKind, JsonObject]]:
    return [
        (kind, record)
        for kind in SENTENCES
        for record in _objects(event_data.get(kind.name.lower(), {}).get("records", ()))
    ]


def _people(record: JsonObject, names: Mapping[str, str]) -> list[str]:
    alone = [record.get(key) for key in _PEOPLE]
    groups = [member for key in _GROUPS if isinstance(members := record.get(key), list) for member in members]
    return [who for who in (*alone, *groups) if isinstance(who, str) and who in names]


def _objects(value: JsonValue) -> Sequence[JsonObject]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{value!r} is no list of records")
    return [item for item in value if isinstance(item, Mapping)]
