"""A pass through the stacked hosts: which host each lane runs, and which seeds it meets on the way."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.seed_stacks import SeedStack


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One host on its way through a pass; `shadow` is the slot whose seed is incubated in it."""

    row: int
    overrides: Mapping[str, float] = field(default_factory=dict)
    shadow: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """Members of one stack that a slot runs together.

    Attributes:
        stack: Whose members they are.
        members: Places in the stack; None where they are all there are, in order.
        lanes: The lane each of them is in.
        learns: Whether gradients flow to its parameters, for all or by member.
        is_isolated: Whether gradients end at its input, for all or by member.
    """

    stack: SeedStack
    members: Tensor | None
    lanes: Tensor
    learns: Tensor | bool
    is_isolated: Tensor | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """A bank of modules and how each of them meets its host.

    Attributes:
        bank: The modules.
        amplitudes: By member.
        multiplies: Whether it scales the host's features, for all or by member.
        is_straight: Whether the modules leave no trace but their gradients.
    """

    bank: Bank
    amplitudes: Tensor
    multiplies: Tensor | bool
    is_straight: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPlan:
    """What happens at a slot; `order` puts the lanes without a seed and those of the blends back in place."""

    blends: tuple[Blend, ...]
    gates: Bank | None
    others: Tensor
    order: Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class PassPlan:
    """The lanes of a pass.

    Attributes:
        hosts: Place of each lane's host in the stack; None where they are all hosts in order.
        slots: What happens at the slots.
        lanes: How many there are.
        learning: How many of them, from the first, learn; they are all hosts in order. The others are shadows, or
            nothing learns at all.
    """

    hosts: Tensor | None
    slots: Mapping[str, SlotPlan]
    lanes: int
    learning: int
