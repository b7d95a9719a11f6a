"""Slots: ids, the points of a host where seeds can be planted, and the order an action counts them in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from diorama.worlds.morphogenesis.contracts.errors import ContractError, SlotIdError

SLOT_ID_PATTERN: Final = re.compile(r"^r(\d+)c(\d+)$", re.ASCII)


def parse_slot_id(slot_id: str) -> tuple[int, int]:
    """Return row and column, which are also the sort key.

    Raises:
        SlotIdError: The id does not read `r<row>c<col>`.
    """
    # `fullmatch`, because `$` alone would let a trailing line break through.
    match = SLOT_ID_PATTERN.fullmatch(slot_id)
    if match is None:
        raise SlotIdError(f"slot id {slot_id!r} is malformed; write r<row>c<col>, as in 'r0c1'")
    return int(match[1]), int(match[2])


def format_slot_id(row: int, col: int) -> str:
    """Write the id of a row and a column."""
    if row < 0 or col < 0:
        raise SlotIdError(f"slot at row {row}, column {col}: neither may be negative")
    return f"r{row}c{col}"


class SurfaceType(IntEnum):
    """Where in a block a slot sits."""

    BLOCK_END = 0
    PRE_POOL = 1
    POST_POOL = 2
    POST_ATTENTION = 3
    POST_MLP = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionSpec:
    """A point of a host where a seed can be planted. `position` is for display only."""

    slot_id: str
    channels: int
    position: float
    layer_range: tuple[int, int]
    surface: SurfaceType
    order: int
    row: int
    col: int

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if parse_slot_id(self.slot_id) != (self.row, self.col):
            raise ContractError(f"slot {self.slot_id!r} does not lie at row {self.row}, column {self.col}")
        if self.channels <= 0:
            raise ContractError(f"slot {self.slot_id!r}: {self.channels} channels; give at least 1")
        if not 0.0 <= self.position <= 1.0:
            raise ContractError(f"slot {self.slot_id!r}: position {self.position} lies outside 0..1")
        if not 0 <= self.layer_range[0] <= self.layer_range[1]:
            raise ContractError(f"slot {self.slot_id!r}: layers {self.layer_range} do not run from low to high")
        if self.order < 0:
            raise ContractError(f"slot {self.slot_id!r}: order {self.order} is negative")


@dataclass(frozen=True, slots=True)
class SlotConfig:
    """The enabled slots in action index order, each with its number of channels."""

    slot_ids: tuple[str, ...]
    channel_map: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Refuse an empty list, malformed ids, and the same slot twice."""
        if not self.slot_ids:
            raise ContractError("no slot is enabled; enable at least one")
        places = [parse_slot_id(slot_id) for slot_id in self.slot_ids]
        if len(set(places)) != len(places):
            raise ContractError(f"slots {', '.join(self.slot_ids)}: each may be named once")
        strangers = [slot_id for slot_id, _ in self.channel_map if slot_id not in self.slot_ids]
        if strangers:
            raise ContractError(f"channels are given for slots that are not enabled: {', '.join(strangers)}")

    @classmethod
    def default(cls) -> Self:
        """Return the three slots of a small host."""
        return cls(("r0c0", "r0c1", "r0c2"))

    @classmethod
    def for_grid(cls, rows: int, cols: int) -> Self:
        """Return a full grid, row by row."""
        return cls(tuple(format_slot_id(row, col) for row in range(rows) for col in range(cols)))

    @classmethod
    def from_specs(cls, specs: Iterable[InjectionSpec]) -> Self:
        """Return the slots of injection points by ascending `order`, which must be unique."""
        ordered = sorted(specs, key=lambda spec: spec.order)
        if len({spec.order for spec in ordered}) != len(ordered):
            raise ContractError(f"orders {[spec.order for spec in ordered]} of injection points are not unique")
        return cls(
            tuple(spec.slot_id for spec in ordered),
            tuple((spec.slot_id, spec.channels) for spec in ordered),
        )

    @property
    def num_slots(self) -> int:
        """Number of enabled slots."""
        return len(self.slot_ids)

    def slot_id_for_index(self, index: int) -> str:
        """Return the slot of an action index; `IndexError` when there is none."""
        if not 0 <= index < len(self.slot_ids):
            raise IndexError(f"slot index {index} is outside 0..{len(self.slot_ids) - 1}")
        return self.slot_ids[index]

    def index_for_slot_id(self, slot_id: str) -> int:
        """Return the action index of a slot; `KeyError` when it is not enabled."""
        place = parse_slot_id(slot_id)
        for index, known in enumerate(self.slot_ids):
            if parse_slot_id(known) == place:
                return index
        raise KeyError(f"slot {slot_id!r} is not enabled; there are: {', '.join(self.slot_ids)}")

    def channels_of(self, slot_id: str) -> int:
        """Return the channels at a slot; `KeyError` when they are not known."""
        return dict(self.channel_map)[slot_id]
