"""What a task file may say of the watched bytes: conditions, amounts, and what happens on a condition.

Every rule stands under its kind: `{byte_eq: {addr: done, v: 1}}`. An address is a number or a symbol of `watch`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from diorama.worlds.gameboy.config import Pay
from diorama.worlds.gameboy.envs.tasks.novelty import MOST_KEYS

Symbol = Annotated[str, Field(min_length=1)] | Annotated[int, Field(ge=0, le=0xFFFF)]
Byte = Annotated[int, Field(ge=0, le=0xFF)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class BitSet(_Part):
    """A bit of a byte is 1."""

    addr: Symbol
    bit: Annotated[int, Field(ge=0, le=7)]


class ByteEq(_Part):
    """A byte has a value."""

    addr: Symbol
    v: Byte


class ListContains(_Part):
    """One of the first `count` entries of a list in memory, at most `capacity`, has a value."""

    count_addr: Symbol
    base: Annotated[int, Field(ge=0, le=0xFFFF)]
    stride: Annotated[int, Field(ge=1)] = 1
    capacity: Annotated[int, Field(ge=1, le=64)]
    value: Byte

    def entries(self) -> list[int]:
        """Addresses of the entries."""
        return [self.base + place * self.stride for place in range(self.capacity)]


class Increase(_Part):
    """Pays for what a byte has grown by since the last step, or for at least `clip_min`; None does not clip."""

    addr: Symbol
    per_unit: Pay = 1.0
    clip_min: Pay | None = 0.0


class Novelty(_Part):
    """Pays when the keys have not been seen together since the table was last forgotten."""

    keys: Annotated[tuple[Symbol, ...], Field(min_length=1, max_length=MOST_KEYS)]
    bonus: Pay


class On(_Part):
    """Something that happens when a condition holds."""

    rule: Rule
    reset_novelty: Literal[True]


class Rule(_Part):
    """Exactly one kind; the file's reader says which was missing or too many."""

    bit_set: BitSet | None = None
    byte_eq: ByteEq | None = None
    list_contains: ListContains | None = None
    rising: Rule | None = None
    increase: Increase | None = None
    novelty: Novelty | None = None
    on: On | None = None

    @model_validator(mode="after")
    def _check(self) -> Rule:
        kinds = sorted(self.model_fields_set)
        if len(kinds) != 1:
            raise ValueError(f"a rule has one kind of {', '.join(type(self).model_fields)}; here are {kinds or 'none'}")
        if self.rising is not None and not (self.rising.is_condition and self.rising.rising is None):
            raise ValueError("rising takes bit_set, byte_eq or list_contains")
        if self.on is not None and not self.on.rule.is_condition:
            raise ValueError("on takes bit_set, byte_eq, list_contains or rising")
        return self

    @property
    def is_condition(self) -> bool:
        """Whether the rule holds or does not hold, rather than pay an amount or do something."""
        return self.increase is None and self.novelty is None and self.on is None

    def symbols(self) -> Iterator[str | int]:
        """Everything in memory the rule looks at."""
        for part in (self.bit_set, self.byte_eq, self.increase):
            if part is not None:
                yield part.addr
        if self.list_contains is not None:
            yield from (self.list_contains.count_addr, *self.list_contains.entries())
        if self.novelty is not None:
            yield from self.novelty.keys
        for inner in (self.rising, None if self.on is None else self.on.rule):
            if inner is not None:
                yield from inner.symbols()


class RewardRule(_Part):
    """A rule and, for a condition, what is paid at every step at which it holds."""

    name: str = ""
    rule: Rule
    pay: Pay | None = None

    @model_validator(mode="after")
    def _check(self) -> RewardRule:
        if self.rule.is_condition == (self.pay is None):
            kind = next(iter(self.rule.model_fields_set))
            wanted = "needs pay" if self.rule.is_condition else "pays by itself; leave pay out"
            raise ValueError(f"{kind} {wanted}")
        return self


class AddressRange(_Part):
    """Addresses from `first` to `last`, both included."""

    first: Annotated[int, Field(ge=0, le=0xFFFF)]
    last: Annotated[int, Field(ge=0, le=0xFFFF)]

    @model_validator(mode="after")
    def _check(self) -> AddressRange:
        if self.last < self.first:
            raise ValueError(f"the range ends at {self.last:#06x}, before it begins at {self.first:#06x}")
        return self


class TaskFile(_Part):
    """A task as it is written down."""

    rom: str = Field("", description="ROM the task is made for, for readers; not checked")
    watch: Mapping[str, Annotated[int, Field(ge=0, le=0xFFFF)]] = Field(description="symbols: name to address")
    senses: tuple[str, ...] = Field((), description="symbols observed as numbers; the last reward follows them")
    events: AddressRange | None = Field(None, description="bytes observed as they are")
    rewards: tuple[RewardRule, ...] = Field((), description="what is paid, in order")
    terminate: tuple[Rule, ...] = Field((), description="conditions that end an episode well")
    fail: tuple[Rule, ...] = Field((), description="conditions that end an episode without success")
