"""Protocols of the environments that a trainer steps; `diorama.engine.batch.Batch` implements them."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F64, I32


class TrainingEnvs(Protocol):
    """A vector environment that writes into the caller's buffers, resets itself and can be saved."""

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on."""

    def reset(self) -> None:
        """Start an episode in every copy."""

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat; `actions` is rows × heads."""

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state."""

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy from a snapshot and write its observation."""

    def split(self, parts: int) -> Sequence[Self]:
        """Return independent environments with the copies of this one, in order and as evenly as possible."""


@runtime_checkable
class HasExpert(Protocol):
    """Environments of a world with an expert: a scripted policy of its own."""

    def expert_actions(self) -> I32:
        """Return the expert's actions for the current observations, rows × heads."""


@runtime_checkable
class HasEpisodeSeeds(Protocol):
    """Environments whose episodes have seeds of their own."""

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""


@runtime_checkable
class HasRewardTerms(Protocol):
    """Environments that may know the terms that their rewards are sums of."""

    @property
    def reward_term_names(self) -> tuple[str, ...]:
        """Names of the terms; empty if they are not known."""

    def reward_terms(self) -> F64:
        """Return the terms of the rewards of the last step, rows × terms."""


@runtime_checkable
class ReceivesPolicyOutputs(Protocol):
    """Environments that may use log-probabilities and values of the policy."""

    @property
    def wants_policy_outputs(self) -> bool:
        """Whether these environments use them."""

    def on_policy_outputs(self, outputs: PolicyOutputs) -> None:
        """Receive the policy outputs of the next step."""


@runtime_checkable
class Wakeful(Protocol):
    """Environments with their own threads; environments split from them share the threads."""

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads from sleeping between steps while the block runs."""


@runtime_checkable
class RestoresTogether(Protocol):
    """Environments whose copies share state, such as a clock, and are restored together."""

    def restore_all(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot and write the observations."""


@runtime_checkable
class StartsFromStates(Protocol):
    """Environments whose copies can begin an episode in a stored state."""

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the copy's episode; one from a stored state has the seed of the episode stored."""

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state."""

    def start_from(self, copy: int, data: bytes, *, seed: int | None = None) -> None:
        """Replace the episode that the copy has just opened by one that begins in the state of a snapshot.

        Observation, mask, `alive` and `episode_start` are written; the outcome of the last step stays. With a seed,
        everything that follows is drawn from it.
        """


def restore_copies(envs: TrainingEnvs, snapshots: Sequence[bytes]) -> None:
    """Continue every copy from its snapshot."""
    envs.reset()
    if isinstance(envs, RestoresTogether):
        envs.restore_all(snapshots)
    else:
        for copy, data in enumerate(snapshots):
            envs.restore(copy, data)


def copy_snapshots(envs: TrainingEnvs) -> list[bytes]:
    """Return the state of every copy, in order."""
    return [envs.snapshot(copy) for copy in range(envs.copies)]


@runtime_checkable
class ExtraArrays(Protocol):
    """Environments with further arrays, such as masks that depend on the choice of another head."""

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return a view of the named array, rows × width, as the last step left it."""
