"""What only some simulations and cores can do; the engine asks each whether it can."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import I32, U64


@runtime_checkable
class ProvidesExpert(Protocol):
    """A simulation or core of a world that has a controller of its own."""

    def expert_actions(self, actions: I32) -> None:
        """Write what the world's own controller would select now, rows × heads; the no-op for free seats."""


@runtime_checkable
class Carrying(Protocol):
    """A simulation that carries something from one episode on to the next, until its seeds begin anew."""

    def carried_words(self) -> U64:
        """Return what it carries."""

    def carry_words(self, words: U64) -> None:
        """Carry something else; the running episode goes on.

        Raises:
            SnapshotError: The words make no sense; nothing changes then.
        """

    def drop_carried(self) -> None:
        """Let go of it: whoever names a seed begins from nothing."""


@runtime_checkable
class CarryingCore(Protocol):
    """A core whose copies may carry something from one episode on to the next."""

    def carried(self, copy: int) -> U64:
        """Return what the copy carries; nothing where the world begins every episode anew."""

    def carry(self, copy: int, words: U64) -> None:
        """Have the copy carry something else; the running episode goes on.

        Raises:
            SnapshotError: The words make no sense; nothing changes then.
        """


@runtime_checkable
class Reseedable(Protocol):
    """A simulation whose episode can go on with other random numbers."""

    def reseed(self, seed: int) -> None:
        """Draw everything from now on from another seed; what was drawn stays, and so does `episode_seed`."""


@runtime_checkable
class StartStatesCore(Protocol):
    """A core whose copies can begin an episode in a stored state, one without the others."""

    def start_from(self, copy: int, data: bytes, seed: int | None, buffers: Buffers) -> None:
        """Replace the episode that the copy has just opened by one that begins in the state of a snapshot.

        The copy keeps its sequence of seeds and what it carries. Observation, mask, `alive` and `episode_start` are
        written; the outcome of its last step stays.

        Args:
            copy: Which one.
            data: The snapshot.
            seed: What everything is drawn from from now on; None goes on with the snapshot's random numbers.
            buffers: What the last step wrote.

        Raises:
            SnapshotError: The snapshot is of another world or configuration; nothing changes then.
            ContractError: The world cannot draw from another seed.
        """


@runtime_checkable
class ReconfigurableCore(Protocol):
    """A core whose copies can play their episodes in different configurations of one shape."""

    def reconfigure(
        self, copies: Sequence[int], prototypes: Sequence[BatchCore], seeds: Sequence[int], buffers: Buffers
    ) -> None:
        """Replace the episodes that copies have just opened by episodes in other configurations.

        A copy carries nothing over. Observation, mask, `alive` and `episode_start` are written; the outcome of its last
        step stays.

        Args:
            copies: Which ones, in ascending order.
            prototypes: For each a core in its new configuration, which stays the caller's and is not changed.
            seeds: For each where its episode seeds come from, as for the first copy of a core that is built with it.
            buffers: What the last step wrote.

        Raises:
            ContractError: A prototype is of another world, tier or shape, or all copies of this world have one
                configuration; nothing changes then.
        """


@runtime_checkable
class Reloadable(Protocol):
    """A simulation or core that can go on under another configuration while an episode runs."""

    def stage_reload(self, config: WorldConfig) -> tuple[str, ...]:
        """Go on under another configuration from the next step on, and return the paths that change.

        Raises:
            ConfigError: Something that needs a restart differs; nothing changes then.
        """


@runtime_checkable
class StrictCore(Protocol):
    """A core that refuses the unknown options of a strict world itself, before anything is stepped."""

    @property
    def checks_options(self) -> bool:
        """Whether it does so for the world it runs."""


@runtime_checkable
class ExtraArraysCore(Protocol):
    """A core that adds arrays of its own, such as masks that depend on another head's choice."""

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return the named array as the last step left it, rows × width.

        Raises:
            UnknownName: There is no such array.
        """


@runtime_checkable
class AttentiveCore(Protocol):
    """A core that tells how sure a policy was of what it decided."""

    def on_policy_outputs(self, thoughts: PolicyOutputs) -> None:
        """Take what a policy says about the decisions of the next step."""


@runtime_checkable
class WakefulCore(Protocol):
    """A core that steps with threads of its own; those it is split into share them."""

    def stay_awake(self) -> None:
        """Keep the threads from sleeping between steps."""

    def rest(self) -> None:
        """Let the threads sleep when they have nothing to do."""


@runtime_checkable
class SharedClockCore(Protocol):
    """A core whose copies share a clock, so that they go back in time together or not at all."""

    def restore_all(self, snapshots: Sequence[bytes], buffers: Buffers) -> None:
        """Continue every copy from its snapshot, all of one moment.

        Raises:
            SnapshotError: The snapshots are not of one moment of such copies.
        """


@runtime_checkable
class OperatedCore(Protocol):
    """A core that an operator can give orders to while it runs."""

    @property
    def desk(self) -> object:
        """What the world's own console commands are given."""
