"""Makes whatever a tracker holds fit to be sent."""

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from pydantic import JsonValue

from diorama.server.models.base import JsonObject

MAX_DEPTH: Final = 5
MAX_KEYS: Final = 256
MAX_ITEMS: Final = 512
MAX_TEXT: Final = 8192  # characters of one string


def safe_object(value: Mapping[str, object]) -> JsonObject:
    """Return a mapping as a JSON object: no number that is not finite, nothing deep, nothing endless."""
    return {str(key)[:MAX_TEXT]: _safe(item, MAX_DEPTH - 1) for key, item in islice(value.items(), MAX_KEYS)}


def _safe(value: object, depth: int) -> JsonValue:
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case str():
            return value[:MAX_TEXT]
        case Mapping() | list() | tuple() | set() | frozenset() if depth <= 0:
            return None
        case Mapping():
            return {str(key)[:MAX_TEXT]: _safe(item, depth - 1) for key, item in islice(value.items(), MAX_KEYS)}
        case list() | tuple() | set() | frozenset():
            items: Iterable[object] = value
            return [_safe(item, depth - 1) for item in islice(items, MAX_ITEMS)]
        case _:
            return str(value)[:MAX_TEXT]
