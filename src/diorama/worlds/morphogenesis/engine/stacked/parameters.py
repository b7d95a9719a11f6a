"""Parameters of all modules that are trained together, one after another in one vector, and how they are trained."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.optim import Optimizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A module in the vector.

    Attributes:
        module: Whose parameters.
        optimizer: What trains it.
        owner: Members of one owner are clipped together.
        moves: Whether it is trained at all.
    """

    module: nn.Module
    optimizer: Optimizer
    owner: Hashable
    moves: bool = True


@dataclass(frozen=True, slots=True)
class Span:
    """Where a parameter lies in the vector."""

    start: int
    shape: torch.Size

    @property
    def stop(self) -> int:
        """Place after its last value."""
        return self.start + self.shape.numel()


class Parameters:
    """The vector that gradients flow to.

    The members keep their own tensors, which are copied by `take_up` and brought up to date by `lay_back`.

    Attributes:
        members: In the order they lie in the vector.
        values: The vector.
        spans: By member, where its parameters lie by name.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        """Lay out the members; `take_up` copies what they hold."""
        self.members = tuple(members)
        self.tensors: list[Tensor] = [tensor for member in members for tensor in member.module.parameters()]
        self._sizes = [tensor.numel() for tensor in self.tensors]
        self.spans = list(_spans(members))
        self.member_sizes = [sum(span.shape.numel() for span in own.values()) for own in self.spans]
        self.values = torch.empty(
            sum(self._sizes), dtype=self.tensors[0].dtype, device=self.tensors[0].device, requires_grad=True
        )

    @torch.no_grad()
    def take_up(self) -> None:
        """Copy the members' own parameters into the vector."""
        torch._foreach_copy_(self.split(self.values), [tensor.reshape(-1) for tensor in self.tensors])

    def split(self, vector: Tensor) -> list[Tensor]:
        """Cut a vector like `values` into one piece per parameter, each flat."""
        return list(vector.split(self._sizes))

    @torch.no_grad()
    def lay_back(self) -> None:
        """Write the vector into the members' own parameters."""
        pieces = zip(self.tensors, self.split(self.values), strict=True)
        torch._foreach_copy_(self.tensors, [values.view(tensor.shape) for tensor, values in pieces])


def _spans(members: Sequence[Member]) -> Iterator[Mapping[str, Span]]:
    start = 0
    for member in members:
        own: dict[str, Span] = {}
        for name, tensor in member.module.named_parameters():
            own[name] = Span(start, tensor.shape)
            start = own[name].stop
        yield own
