"""Parameters of modules of one structure, side by side: a row of one matrix each, and how they are trained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

Tensors = Mapping[str, Tensor]
"""Parameters by name, one entry per module in front."""


@dataclass(frozen=True, slots=True)
class Member:
    """A module and the optimizer that trains it."""

    module: nn.Module
    optimizer: Optimizer


class Stack:
    """Members' parameters as one matrix that gradients flow to.

    `values` is the matrix. The members keep their own tensors, which are brought up to date by `lay_back`.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        """Copy the parameters of the members."""
        self.members = tuple(members)
        self.parameters = [dict(member.module.named_parameters()) for member in members]
        self._shapes = {name: parameter.shape for name, parameter in self.parameters[0].items()}
        self._sizes = [shape.numel() for shape in self._shapes.values()]
        with torch.no_grad():
            self.values = torch.stack([_flatten(list(own.values())) for own in self.parameters])
        self.values.requires_grad_()

    def tensors(self, chosen: Tensor | None = None, *, learns: Tensor | bool = True) -> Tensors:
        """Return the parameters by name, of all members or the chosen ones.

        Args:
            chosen: Members in the order they are wanted; None is all of them.
            learns: Whether gradients flow to them, for all or by chosen member.
        """
        values = self.values if chosen is None else self.values.index_select(0, chosen)
        if isinstance(learns, Tensor):
            return self.by_name(torch.where(learns[:, None], values, values.detach()))
        return self.by_name(values if learns else values.detach())

    def by_name(self, values: Tensor) -> Tensors:
        """Cut rows of the matrix, or of one like it, into the parameters."""
        parts = values.split(self._sizes, dim=1)
        return {
            name: part.view(len(values), *shape)
            for part, (name, shape) in zip(parts, self._shapes.items(), strict=True)
        }

    @torch.no_grad()
    def lay_back(self) -> None:
        """Write the matrix into the members' own parameters."""
        tensors = self.by_name(self.values)
        for row, own in enumerate(self.parameters):
            for name, parameter in own.items():
                parameter.copy_(tensors[name][row])


def _flatten(tensors: Sequence[Tensor]) -> Tensor:
    return torch.cat([tensor.reshape(-1) for tensor in tensors])
