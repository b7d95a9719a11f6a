"""Ids and shown names of citizens, and events as they are told."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import (
    NEED_NAMES,
    NOBODY,
    NOTHING,
    ConflictReason,
    EvictionReason,
    ExitBlock,
    ExitPath,
    ExitReason,
    FailReason,
    GuardReason,
    PerturbationKind,
    QueueVariant,
    word,
)
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.events import SCHEMAS, Event, FieldType
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town

CONDITIONS_PER_AFFORDANCE: Final = 64
_EFFECTS: Final = len(NEED_NAMES)


def agent_id(town: Town, number: int) -> str:
    """Id of a citizen by number."""
    custom = town.custom_names.get(number)
    return f"citizen_{number:03d}" if custom is None else custom.agent_id


def display_name(town: Town, number: int) -> str:
    """Name that people are shown; a list that has run out begins again with a number behind each name."""
    custom = town.custom_names.get(number)
    if custom is not None:
        return custom.display_name
    names = town.config.world.name_list
    name, lap = names[number % len(names)], number // len(names)
    return name if lap == 0 else f"{name} {lap + 1}"


def find_citizen(town: Town, wanted: str) -> Citizen | None:
    """The living citizen of an id, None if there is none."""
    return next((citizen for citizen in town.living() if agent_id(town, citizen.number) == wanted), None)


def payload(town: Town, event: Event) -> JsonObject:
    """The fields of an event as they are told: ids, words and mappings instead of numbers."""
    told: dict[str, JsonValue] = {}
    place = 0
    values = event.values
    for name, kind in SCHEMAS[event.kind].fields:
        if kind in _REST:
            told[name] = _REST[kind](town, event, values[place:])
            place = len(values)
        elif kind is FieldType.EFFECTS:
            deltas = values[place : place + _EFFECTS]
            told[name] = {need: delta for need, delta in zip(NEED_NAMES, deltas, strict=True) if delta != 0.0}
            place += _EFFECTS
        else:
            told[name] = _one(town, kind, values[place])
            place += 1
    return told


def _one(town: Town, kind: FieldType, value: float) -> JsonValue:
    if kind is FieldType.REAL:
        return value
    if kind is FieldType.FLAG:
        return bool(value)
    number = int(value)
    if kind is FieldType.WHOLE:
        return number
    return None if number == NOBODY else _INDEXED[kind](town, number)


def _condition(town: Town, number: int) -> JsonValue:
    affordance, place = divmod(number, CONDITIONS_PER_AFFORDANCE)
    return town.tables.affordances[affordance].conditions[place].text


def _agents(town: Town, _: Event, values: tuple[float, ...]) -> JsonValue:
    return [agent_id(town, int(number)) for number in values]


def _operands(town: Town, event: Event, values: tuple[float, ...]) -> JsonValue:
    if int(event.values[3]) == NOTHING:
        return {}  # no condition failed: something it costs was missing
    affordance, place = divmod(int(event.values[3]), CONDITIONS_PER_AFFORDANCE)
    operands = town.tables.affordances[affordance].conditions[place].operands
    return {name: value for (_, name), value in zip(operands, values, strict=True)}


def _targets(town: Town, event: Event, values: tuple[float, ...]) -> JsonValue:
    if int(event.values[2]) == PerturbationKind.PRICE_SPIKE:
        return [PRICE_KEYS[int(number)] for number in values]
    return _agents(town, event, values)


def _tile(town: Town, number: int) -> JsonValue:
    return list(town.tables.map.xy(number))


_INDEXED: Final[Mapping[FieldType, Callable[[Town, int], JsonValue]]] = {
    FieldType.AGENT: agent_id,
    FieldType.NAME: display_name,
    FieldType.OBJECT: lambda town, number: town.tables.objects[number].id,
    FieldType.AFFORDANCE: lambda town, number: town.tables.affordances[number].id,
    FieldType.CONDITION: _condition,
    FieldType.JOB: lambda town, number: town.tables.jobs[number].id,
    FieldType.ZONE: lambda town, number: town.tables.map.zones[number].id,
    FieldType.ITEM: lambda town, number: town.tables.items[number],
    FieldType.PRICE: lambda _, number: PRICE_KEYS[number],
    FieldType.NEED: lambda _, number: NEED_NAMES[number],
    FieldType.PROFILE: lambda town, number: town.tables.profiles[number].name,
    FieldType.TILE: _tile,
    FieldType.FAIL_REASON: lambda _, number: word(FailReason(number)),
    FieldType.CONFLICT_REASON: lambda _, number: word(ConflictReason(number)),
    FieldType.EXIT_REASON: lambda _, number: word(ExitReason(number)),
    FieldType.EXIT_BLOCK: lambda _, number: word(ExitBlock(number)),
    FieldType.EXIT_PATH: lambda _, number: word(ExitPath(number)),
    FieldType.GUARD_REASON: lambda _, number: word(GuardReason(number)),
    FieldType.EVICTION_REASON: lambda _, number: word(EvictionReason(number)),
    FieldType.QUEUE_VARIANT: lambda _, number: word(QueueVariant(number)),
    FieldType.KIND: lambda _, number: word(PerturbationKind(number)),
    FieldType.SPEC: lambda town, number: town.tables.perturbations[number].name,
    FieldType.BUCKET: lambda town, number: town.tables.buckets[number],
    FieldType.EVENT_ID: lambda _, number: f"evt_{number}",
}
_REST: Final[Mapping[FieldType, Callable[[Town, Event, tuple[float, ...]], JsonValue]]] = {
    FieldType.AGENTS: _agents,
    FieldType.VALUES: _operands,
    FieldType.TARGETS: _targets,
}
