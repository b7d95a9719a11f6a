"""The gate of a seed: one number per sample that says how much of the seed it gets."""

from collections.abc import Mapping
from typing import Final

import torch
from numpy.random import Generator
from torch import Tensor, nn

from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.hosting.initialization import initialize, linear

MIN_GATE_HIDDEN: Final = 8
OPEN_BIAS: Final = 2.0
_POOLED_DIMS: Final[Mapping[Topology, tuple[int, ...]]] = {"cnn": (2, 3), "transformer": (1,)}


class GateNetwork(nn.Module):
    """Two small layers on the mean features; starts mostly open."""

    def __init__(self, width: int, topology: Topology) -> None:
        """Build for a width."""
        super().__init__()
        self.topology: Topology = topology
        hidden = max(MIN_GATE_HIDDEN, width // 4)
        self.hidden = linear(width, hidden)
        self.out = linear(hidden, 1)

    @classmethod
    def create(cls, width: int, topology: Topology, draws: Generator) -> "GateNetwork":
        """Build with its first weights."""
        gate = cls(width, topology)
        initialize(gate, draws, {"out.bias": OPEN_BIAS})
        return gate

    def forward(self, features: Tensor) -> Tensor:
        """Return one value in (0, 1) per sample, shaped to multiply the features."""
        means = features.mean(dim=_POOLED_DIMS[self.topology])
        opened = torch.sigmoid(self.out(torch.relu(self.hidden(means))))
        return opened.view(-1, *(1,) * (features.dim() - 1))
