"""What a picture needs of a render state, checked once at the door."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from diorama.contracts.values import JsonObject
from diorama.worlds.moments import Amount, Count, Label, Percent, at_most
from diorama.worlds.morphogenesis.config import LARGEST_EPOCHS

Percents = Annotated[tuple[Percent | None, ...], at_most(LARGEST_EPOCHS)]
_MOST_SLOTS = 32


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class SeedPart(_Part):
    """A module that grows."""

    blueprint: Label
    alpha: Amount


class SlotPart(_Part):
    """A place where a module can grow."""

    slot_id: Label
    stage: Label
    seed: SeedPart | None


class HistoryPart(_Part):
    """Accuracy after every epoch so far; None where it was not measured."""

    accuracy: Percents
    control: Percents


class Facts(_Part):
    """A moment of a host."""

    task: Label
    epoch: Count
    max_epochs: Annotated[int, Field(ge=1, le=LARGEST_EPOCHS)]
    accuracy: Percent | None
    gain: Amount | None
    history: HistoryPart
    host_params: Annotated[Count, Field(ge=1)]
    total_params: Count
    slots: Annotated[tuple[SlotPart, ...], Field(min_length=1, max_length=_MOST_SLOTS)]
    is_rolling_back: bool


def read_facts(render_state: JsonObject) -> Facts:
    """Read a render state.

    Raises:
        ValueError: It is none of a host.
    """
    return Facts.model_validate(render_state)
