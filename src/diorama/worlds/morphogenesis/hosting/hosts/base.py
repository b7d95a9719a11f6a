"""What every host offers: places for seeds, and a forward pass that stops at each of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from numpy.random import Generator
from torch import Tensor, nn

from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.slots import InjectionSpec
from diorama.worlds.morphogenesis.hosting.dropout import StreamDropout
from diorama.worlds.morphogenesis.hosting.initialization import count_parameters, initialize

Graft = Callable[[str, Tensor], Tensor]
"""Takes a slot id and the features that reach it, and returns the features that go on."""


def bare(slot_id: str, features: Tensor) -> Tensor:
    """Graft nothing."""
    return features


class Host(nn.Module, ABC):
    """A network whose architecture never changes; what grows is grafted on at its slots."""

    topology: Topology
    block_size: int = 0

    @abstractmethod
    def injection_specs(self) -> tuple[InjectionSpec, ...]:
        """Return the places for seeds, row by row."""

    @abstractmethod
    def execution_order(self) -> tuple[str, ...]:
        """Return the slots in the order features meet them."""

    @abstractmethod
    def forward(self, inputs: Tensor, graft: Graft = bare) -> Tensor:
        """Return logits; classes come last."""

    @property
    def segment_channels(self) -> Mapping[str, int]:
        """Channels at each slot."""
        return {spec.slot_id: spec.channels for spec in self.injection_specs()}

    @property
    def param_count(self) -> int:
        """Number of parameters, tied ones once."""
        return count_parameters(self)

    def begin_epoch(self, draws: Generator) -> None:
        """Let dropout draw from the epoch's stream."""
        for module in self.modules():
            if isinstance(module, StreamDropout):
                module.draws = draws

    def initialize(self, draws: Generator) -> None:
        """Set every parameter and running statistic to the start of an episode, in place."""
        initialize(self, draws, {})
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.reset_running_stats()
