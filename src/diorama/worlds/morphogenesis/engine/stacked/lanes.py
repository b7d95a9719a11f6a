"""A pass through the stacked hosts: which host each lane runs, and which seeds it meets on the way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from diorama.worlds.morphogenesis.engine.stacked.picking import Part, Picked, Picker, Picking, Wish
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed

Residuals = Callable[[Tensor, Picked], Tensor]
"""What seeds add, from the features that reach them and all picked tensors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One host on its way through a pass; `shadow` is the slot whose seed is incubated in it."""

    row: int
    overrides: Mapping[str, float] = field(default_factory=dict)
    shadow: str | None = None


@dataclass(frozen=True, slots=True)
class Bank:
    """Seeds of one structure in one slot; only the structure of the module is read."""

    module: nn.Module
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedMath:
    """How the seeds of a topology compute.

    Attributes:
        arrange: Puts modules into an order in which most of them can run together.
        compile: How banks compute together; it wishes for the parameters.
        gate: How far each gate is open, from features and parameters by name, shaped to multiply features.
    """

    arrange: Callable[[nn.Module], tuple[str, ...]]
    compile: Callable[[Sequence[Bank], Picker], Residuals]
    gate: Callable[[Tensor, Mapping[str, Tensor]], Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePlan:
    """Gates of some of the seeds of a slot: which of them have one, and its parameters."""

    places: Tensor
    wishes: Mapping[str, Wish]


@dataclass(frozen=True, slots=True)
class Amplitude:
    """How much of a seed is added: its alpha, unless another value is given."""

    seed: PlantedSeed
    given: float | None

    @property
    def value(self) -> float:
        """What is in force now."""
        return self.seed.alpha if self.given is None else self.given


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPlan:
    """What happens at a slot. Flags are one for all seeds where they agree.

    Attributes:
        lanes: The lane of each seed.
        residuals: What the seeds add.
        sources: How much of it.
        amplitudes: The same as they were when the pass was last refreshed.
        gates: Of those that have one.
        multiplies: Whether a seed scales the host's features.
        is_isolated: Whether gradients end at its input.
        is_straight: Whether it leaves no trace but its gradients.
    """

    lanes: Tensor
    residuals: Residuals
    sources: tuple[Amplitude, ...]
    amplitudes: Tensor
    gates: GatePlan | None
    multiplies: Tensor | bool
    is_isolated: Tensor | bool
    is_straight: Tensor | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassPlan:
    """The lanes of a pass.

    Attributes:
        picking: Where the parameters are.
        wishes: Those of the lanes' hosts by name.
        hosts: Place of each lane's host among all; None where they are all hosts in order.
        slots: What happens at the slots.
        lanes: How many there are.
        learning: How many of them, from the first, learn; they are all hosts in order. The others are shadows, or
            nothing learns at all.
    """

    picking: Picking
    wishes: Mapping[str, Wish]
    hosts: Tensor | None
    slots: Mapping[str, SlotPlan]
    lanes: int
    learning: int

    def refresh(self) -> None:
        """Take over the amplitudes that are in force now."""
        for slot in self.slots.values():
            slot.amplitudes.copy_(torch.tensor([source.value for source in slot.sources]))
