"""What a picture needs of a render state, checked once at the door."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, NonNegativeInt, PositiveInt

from diorama.contracts.values import JsonObject

Percents = tuple[FiniteFloat | None, ...]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class SeedPart(_Part):
    """A module that grows."""

    blueprint: str
    alpha: FiniteFloat


class SlotPart(_Part):
    """A place where a module can grow."""

    slot_id: str
    stage: str
    seed: SeedPart | None


class HistoryPart(_Part):
    """Accuracy after every epoch so far; None where it was not measured."""

    accuracy: Percents
    control: Percents


class Facts(_Part):
    """A moment of a host."""

    task: str
    epoch: NonNegativeInt
    max_epochs: PositiveInt
    accuracy: FiniteFloat | None
    gain: FiniteFloat | None
    history: HistoryPart
    host_params: PositiveInt
    total_params: NonNegativeInt
    slots: Annotated[tuple[SlotPart, ...], Field(min_length=1)]
    is_rolling_back: bool


def read_facts(render_state: JsonObject) -> Facts:
    """Read a render state.

    Raises:
        ValueError: It is none of a host.
    """
    return Facts.model_validate(render_state)
