"""`Envelope`: a command as it is sent, checked before anything else looks at it."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.validation import problem_line

_DEEPEST: Final = 16
_MOST_VALUES: Final = 4096
_LONGEST_TEXT: Final = 16384  # characters, of all texts together
_LARGEST_NUMBER: Final = 1 << 63


class Envelope(BaseModel):
    """A command as it is sent.

    Attributes:
        name: The command, as `help` lists it.
        args: Fill the arguments in order.
        kwargs: Fill them by name.
        cmd_id: Makes it happen once however often it is sent.
        metadata: Whatever the sender wants to find in the audit.
        dry_run: Whether it is only checked.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(min_length=1, max_length=64)
    args: list[Any] = Field(default_factory=list)
    kwargs: dict[str, Any] = Field(default_factory=dict)
    cmd_id: str | None = Field(default=None, min_length=1, max_length=64)
    metadata: dict[str, Any] = Field(default_factory=dict)
    dry_run: bool = False


def parse_envelope(value: object) -> Envelope:
    """Read what was sent.

    Raises:
        CommandError: `usage`: it is no envelope, or more than one needs.
    """
    if not isinstance(value, Mapping):
        raise CommandError("usage", "envelope", 'a command is an object such as {"name": "noop"}')
    _check_size(value)
    try:
        return Envelope.model_validate(dict(value))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        raise CommandError("usage", "envelope", "; ".join(problem_line(item) for item in problems[:4])) from None


def texts_in(value: object) -> Iterator[str]:
    """Yield every text inside of a JSON value, keys included."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case Mapping() as mapping:
                yield from mapping
                waiting.extend(mapping.values())
            case list() | tuple() as items:
                waiting.extend(items)


def _check_size(envelope: Mapping[Any, Any]) -> None:
    values, characters = 0, 0
    level: list[object] = [envelope]
    for _ in range(_DEEPEST):
        inner: list[object] = []
        for value in level:
            values += 1
            characters += _check_value(value)
            if isinstance(value, Mapping):
                inner.extend(value)
                inner.extend(value.values())
            elif isinstance(value, list | tuple):
                inner.extend(value)
        if values + len(inner) > _MOST_VALUES or characters > _LONGEST_TEXT:
            raise CommandError("usage", "too_large", f"a command has at most {_LONGEST_TEXT} characters of text")
        if not inner:
            return
        level = inner
    raise CommandError("usage", "too_deep", f"a command is nested {_DEEPEST - 1} levels deep at most")


def _check_value(value: object) -> int:
    """Refuse what JSON cannot say; return the number of characters of a text."""
    match value:
        case None | bool() | Mapping() | list() | tuple():
            return 0
        case str():
            if not value.isprintable() and not _is_encodable(value):
                raise CommandError("usage", "envelope", "a text holds half a character")
            return len(value)
        case int() if abs(value) < _LARGEST_NUMBER:
            return 0
        case float() if math.isfinite(value):
            return 0
    raise CommandError("usage", "envelope", "a value is no JSON, or a number beyond 64 bits")


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
