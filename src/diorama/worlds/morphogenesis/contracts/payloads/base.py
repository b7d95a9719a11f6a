"""What every payload can do: become a JSON object, and come back from one that has exactly its keys."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Self, get_args, get_origin, get_type_hints

from diorama.contracts.values import JsonValue
from diorama.worlds.morphogenesis.contracts.errors import ContractError


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """A frozen record of plain values."""

    def to_dict(self) -> dict[str, JsonValue]:
        """Return a JSON object with every field: enums by name, no NaN and no infinities."""
        return {item.name: to_json(getattr(self, item.name)) for item in fields(self)}

    @classmethod
    def from_dict(cls, document: Mapping[str, JsonValue]) -> Self:
        """Build the record again.

        Raises:
            ContractError: A required key is missing, or a key is unknown.
        """
        known = {item.name: item for item in fields(cls)}
        unknown = sorted(document.keys() - known.keys())
        missing = [
            name
            for name, item in known.items()
            if name not in document and item.default is MISSING and item.default_factory is MISSING
        ]
        if unknown or missing:
            raise ContractError(f"{cls.__name__}: unknown keys {unknown}, missing keys {missing}")
        hints = get_type_hints(cls)
        return cls(**{name: _decode(hints[name], value) for name, value in document.items()})


def to_json(value: object) -> JsonValue:
    """Turn a plain value or a record into what JSON can hold."""
    match value:
        case None | bool() | str():
            return value
        case Enum():
            return value.name
        case int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(key): to_json(item) for key, item in value.items()}
        case list() | tuple():
            return [to_json(item) for item in value]
        case _ if is_dataclass(value):
            return {item.name: to_json(getattr(value, item.name)) for item in fields(value)}
        case _:
            raise ContractError(f"{value!r} is no plain value and cannot travel in an event")


def _decode(annotation: object, value: JsonValue) -> object:
    if isinstance(annotation, UnionType):
        if value is None:
            return None
        return _decode(next(item for item in get_args(annotation) if item is not type(None)), value)
    origin = get_origin(annotation)
    if origin is tuple and isinstance(value, Sequence):
        return tuple(_decode(get_args(annotation)[0], item) for item in value)
    if origin is dict and isinstance(value, Mapping):
        return {key: _decode(get_args(annotation)[1], item) for key, item in value.items()}
    if isinstance(annotation, type) and issubclass(annotation, Payload) and isinstance(value, Mapping):
        return annotation.from_dict(value)
    if isinstance(annotation, type) and issubclass(annotation, Enum) and isinstance(value, str):
        return annotation[value]
    return value
