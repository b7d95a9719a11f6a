"""What every trainer is given to do, and how fast it did it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from diorama.learn.policies.names import PolicyName


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What every trainer does.

    Attributes:
        world: World id.
        arch: Network by name; peers build the same one from torch's own layers.
        copies: Environments.
        rollout_steps: Decisions per copy and update.
        minibatches: Optimizer steps per pass.
        passes: Passes per rollout.
    """

    world: str
    config: dict[str, object]
    arch: str
    copies: int
    rollout_steps: int
    minibatches: int
    passes: int

    @property
    def decisions_per_update(self) -> int:
        """Decisions of all copies between updates."""
        return self.copies * self.rollout_steps


@dataclass(frozen=True, slots=True)
class PeerRate:
    """Decisions per second of one trainer, or why it could not be measured."""

    name: str
    decisions_per_second: float | None
    skipped: str | None = None


class Rate:
    """Decisions per second between the first mark after warming up and the last."""

    def __init__(self, seconds: float) -> None:
        """Measure for at least this long."""
        self._seconds = seconds
        self._marks: list[tuple[float, int]] = []

    def mark(self, decisions: int) -> None:
        """Note how many decisions have been taken by now; the first update is the warm-up."""
        self._marks.append((time.perf_counter(), decisions))

    @property
    def is_enough(self) -> bool:
        """Whether there is enough to tell the rate."""
        return len(self._marks) > 2 and self._marks[-1][0] - self._marks[1][0] >= self._seconds

    @property
    def per_second(self) -> float:
        """Return decisions per second."""
        (began, first), (ended, last) = self._marks[1], self._marks[-1]
        return (last - first) / (ended - began)


def layers_of(arch: PolicyName, inputs: int) -> tuple[nn.Sequential, int]:
    """Return a network by its name, of torch's own layers, and the width of what comes out of it."""
    activations: dict[str, Callable[[], nn.Module]] = {
        "tanh": nn.Tanh,
        "relu": nn.ReLU,
        "gelu": nn.GELU,
        "silu": nn.SiLU,
    }
    layers: list[nn.Module] = []
    for width in arch.widths or (arch.memory_size,):
        layers += [nn.Linear(inputs, width), activations[arch.activation]()]
        inputs = width
    return nn.Sequential(*layers), inputs
