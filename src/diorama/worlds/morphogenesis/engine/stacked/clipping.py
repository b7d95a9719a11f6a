"""Gradients clipped by norm, for every host and every seed by itself; a seed's module and gate count together."""

from collections.abc import Hashable, Sequence
from typing import Final

import torch
from torch import Tensor

EPSILON: Final = 1e-6


class Clipper:
    """Knows which members of which stacks are clipped together."""

    def __init__(self, owners: Sequence[Sequence[Hashable]], *, max_norm: float, device: str) -> None:
        """Take the owner of each member, stack by stack; members of one owner are clipped together."""
        numbers: dict[Hashable, int] = {}
        for owner in (owner for stack in owners for owner in stack):
            numbers.setdefault(owner, len(numbers))
        self._members = [torch.tensor([numbers[owner] for owner in stack], device=device) for stack in owners]
        self._owners = len(numbers)
        self._max_norm = max_norm

    def scales(self, gradients: Sequence[Tensor]) -> list[Tensor]:
        """Return the factor of each member's gradient, stack by stack."""
        squares = gradients[0].new_zeros(self._owners)
        for members, gradient in zip(self._members, gradients, strict=True):
            squares.index_add_(0, members, gradient.square().sum(dim=1))
        scales = (self._max_norm / (squares.sqrt() + EPSILON)).clamp(max=1.0)
        return [scales[members] for members in self._members]
