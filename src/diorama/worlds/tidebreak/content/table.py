"""The base of every content row."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, Strict

Amount = Annotated[float, Strict(), Field(ge=0.0)]
Count = Annotated[int, Strict(), Field(ge=0)]
Tier = Annotated[int, Strict(), Field(ge=0, le=2)]


class Table(BaseModel):
    """Frozen, and strict about unknown keys and non-finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
