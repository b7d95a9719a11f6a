"""What a trainer asks of the environments it steps; `diorama.engine.batch.Batch` implements it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.spec import WorldSpec
from diorama.contracts.thoughts import PolicyOutputs
from diorama.contracts.values import I32


class TrainingEnvs(Protocol):
    """Copies that step into the caller's buffers, reset themselves when they end, and can be saved."""

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on."""

    def reset(self) -> None:
        """Open an episode in every copy."""

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat; `actions` is rows × heads."""

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state."""

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy from a snapshot and write what it shows."""

    def split(self, parts: int) -> Sequence[Self]:
        """Hand the copies over to independent sources, in order and as even as possible."""


@runtime_checkable
class Advised(Protocol):
    """A source whose world has a controller of its own."""

    def advise(self) -> I32:
        """Return what the controller would do now, rows × heads."""


@runtime_checkable
class ReceivesPolicyOutputs(Protocol):
    """A source that may want to know how sure the policy was."""

    @property
    def wants_policy_outputs(self) -> bool:
        """Whether it does."""

    def on_policy_outputs(self, thoughts: PolicyOutputs) -> None:
        """Take what the policy thinks of the decisions of the next step."""


@runtime_checkable
class Wakeful(Protocol):
    """A source that steps with threads of its own; those it is split into share them."""

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads from sleeping between steps, inside the block."""


@runtime_checkable
class RestoredTogether(Protocol):
    """A source whose copies may share a clock: they are brought back all at once."""

    def restore_all(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot and write what they show."""


def restore_copies(source: TrainingEnvs, snapshots: Sequence[bytes]) -> None:
    """Continue every copy of a source from its snapshot."""
    source.reset()
    if isinstance(source, RestoredTogether):
        source.restore_all(snapshots)
    else:
        for copy, data in enumerate(snapshots):
            source.restore(copy, data)


def copy_snapshots(source: TrainingEnvs) -> list[bytes]:
    """Return the state of every copy of a source."""
    return [source.snapshot(copy) for copy in range(source.copies)]


@runtime_checkable
class ExtraArrays(Protocol):
    """A source that adds arrays of its own, such as masks that depend on another head's choice."""

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return a view of the named array, rows × width, as the last step left it."""
