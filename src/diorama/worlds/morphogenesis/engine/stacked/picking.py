"""The tensors a pass works with, gathered out of the vector of all parameters in one go.

What runs together lies together: a wish names parameters of one shape, of many members, and becomes one tensor with the
members in front.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NewType

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.parameters import Parameters

Wish = NewType("Wish", int)
"""Place of a tensor among the picked ones."""

Picked = Mapping[Wish, Tensor]
"""All tensors of a pass."""

Tensors = Mapping[str, Tensor]
"""Parameters by name, one entry per member in front."""


@dataclass(frozen=True, slots=True)
class Part:
    """A member of the vector, and whether gradients flow to it."""

    member: int
    learns: bool


class Picker:
    """Collects what a pass wishes for."""

    def __init__(self, parameters: Parameters) -> None:
        """Pick out of these."""
        self._spans = parameters.spans
        self._total = parameters.values.numel()
        self._device = parameters.values.device
        self._count = 0
        self._learned: list[_Wished] = []
        self._fixed: list[_Wished] = []

    def wish(self, named: Sequence[tuple[Part, str]]) -> Wish:
        """Ask for parameters of one shape; those that do not learn come without a way back."""
        spans = [self._spans[part.member][name] for part, name in named]
        learns = [part.learns for part, _ in named]
        # Beside values that learn, the others are taken from a copy without a way back, behind the vector.
        behind = self._total if any(learns) else 0
        starts = [span.start + (0 if own else behind) for span, own in zip(spans, learns, strict=True)]
        places = np.array(starts)[:, None] + np.arange(spans[0].shape.numel())
        number = Wish(self._count)
        self._count += 1
        wished = _Wished(number, places.reshape(-1), (len(spans), *spans[0].shape), any(learns) and not all(learns))
        (self._learned if any(learns) else self._fixed).append(wished)
        return number

    def wish_all(self, parts: Sequence[Part]) -> Mapping[str, Wish]:
        """Ask for every parameter of members of one structure, by name."""
        return {name: self.wish([(part, name) for part in parts]) for name in self._spans[parts[0].member]}

    def picking(self) -> "Picking":
        """Return how the wishes are met."""
        return Picking(
            learned=_Pick.of(self._learned, self._device),
            fixed=_Pick.of(self._fixed, self._device),
            is_mixed=any(wished.is_mixed for wished in self._learned),
        )


@dataclass(frozen=True, slots=True)
class _Wished:
    number: Wish
    places: NDArray[np.int64]
    shape: tuple[int, ...]
    is_mixed: bool


@dataclass(frozen=True, slots=True)
class _Pick:
    """Tensors that are taken from one vector with one call."""

    numbers: tuple[Wish, ...]
    shapes: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    places: Tensor

    @classmethod
    def of(cls, wished: Sequence[_Wished], device: torch.device) -> "_Pick | None":
        if not wished:
            return None
        return cls(
            numbers=tuple(wish.number for wish in wished),
            shapes=tuple(wish.shape for wish in wished),
            sizes=tuple(len(wish.places) for wish in wished),
            places=torch.from_numpy(np.concatenate([wish.places for wish in wished])).to(device),
        )

    def take(self, source: Tensor) -> Iterator[tuple[Wish, Tensor]]:
        parts = source.index_select(0, self.places).split(self.sizes)
        for number, part, shape in zip(self.numbers, parts, self.shapes, strict=True):
            yield number, part.view(shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picking:
    """Where the tensors of a pass are in the vector: those with members that learn, and the others."""

    learned: _Pick | None
    fixed: _Pick | None
    is_mixed: bool

    def pick(self, values: Tensor) -> Picked:
        """Return the tensors by wish."""
        picked: dict[Wish, Tensor] = {}
        if self.learned is not None:
            picked.update(self.learned.take(torch.cat([values, values.detach()]) if self.is_mixed else values))
        if self.fixed is not None:
            picked.update(self.fixed.take(values.detach()))
        return picked


def named(picked: Picked, wishes: Mapping[str, Wish]) -> Tensors:
    """Return picked tensors under the names they were wished for by."""
    return {name: picked[wish] for name, wish in wishes.items()}
