"""Numbers that come from outside: a zero has no sign, as no snapshot keeps one."""

from typing import Any

from pydantic import BaseModel, field_validator


class UnsignedZeros(BaseModel):
    """A model whose negative zeros become zeros, in its fields and in their lists and mappings.

    A world that kept the sign would show it, and go on without it once it was saved and restored.
    """

    @field_validator("*", mode="after")
    @classmethod
    def _unsign(cls, value: Any) -> Any:
        return _unsigned(value)


def _unsigned(value: Any) -> Any:
    if isinstance(value, float):
        return value + 0.0
    if type(value) in (list, tuple):
        return type(value)(_unsigned(entry) for entry in value)
    if type(value) is dict:
        return {key: _unsigned(entry) for key, entry in value.items()}
    return value
