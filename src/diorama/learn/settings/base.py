"""The base of every settings model."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Frozen, and strict about unknown keys and non-finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
