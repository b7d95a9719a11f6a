"""Gradients clipped by norm, for every host and every seed by itself; a seed's module and gate count together."""

from collections.abc import Hashable
from typing import Final

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.parameters import Parameters

EPSILON: Final = 1e-6


class Clipper:
    """Knows which values of the vector are clipped together."""

    def __init__(self, parameters: Parameters, *, max_norm: float) -> None:
        """Number the owners of the members."""
        numbers: dict[Hashable, int] = {}
        for member in parameters.members:
            numbers.setdefault(member.owner, len(numbers))
        device = parameters.values.device
        self._owners = torch.tensor([numbers[member.owner] for member in parameters.members], device=device)
        self._sizes = parameters.member_sizes
        self._members = torch.repeat_interleave(torch.tensor(self._sizes)).to(device)
        self._count = len(numbers)
        self._max_norm = max_norm

    def clip(self, gradient: Tensor) -> Tensor:
        """Return the gradient, with what is too long of it brought to the largest norm."""
        norms = torch.stack(torch._foreach_norm(gradient.split(self._sizes)))
        squares = norms.new_zeros(self._count).index_add_(0, self._owners, norms.square())
        scales = (self._max_norm / (squares.sqrt() + EPSILON)).clamp(max=1.0)
        return gradient * scales.index_select(0, self._owners).index_select(0, self._members)
