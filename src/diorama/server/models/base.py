"""Bases of all answers."""

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue

JsonObject: TypeAlias = dict[str, JsonValue]


class Answer(BaseModel):
    """An answer whose keys are all known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OpenAnswer(BaseModel):
    """An answer to which a world or a trainer may add keys of its own."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Problem(Answer):
    """Every error: what was wrong, and what would be right."""

    detail: str
