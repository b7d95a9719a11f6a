"""What the two tiers of a world offer to the engine: a readable simulation and a fast core."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import TierUnavailable
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, I32, U8, U64, JsonObject


class Tier(StrEnum):
    """The two ways a world exists."""

    REFERENCE = "reference"
    FAST = "fast"


class Simulation(Protocol):
    """One copy of a world in the readable tier; the engine owns seeding, auto-reset and buffers."""

    def reset(self, seed: int) -> None:
        """Start the episode of this seed."""

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Advance by one decision per seat."""

    @property
    def is_over(self) -> bool:
        """Whether the whole copy has ended and must be reset."""

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write one observation row per seat."""

    def write_masks(self, masks: U8) -> None:
        """Write one row per seat over the options of all heads."""

    def write_alive(self, alive: U8) -> None:
        """Write 1 for every seat that takes the next decision."""

    def write_episode_starts(self, starts: U8) -> None:
        """Write 1 for every seat whose next observation opens an episode, or whose memory must be cleared.

        That is: somebody new took the seat while the copy goes on, or what went before does not count any more. The
        opening of a whole copy is marked by the engine. Worlds whose seats never change hands write zeros.
        """

    @property
    def episode_seed(self) -> int:
        """Seed of the running episode."""

    def state_words(self) -> U64:
        """Return the canonical state: what the state hash covers."""

    def snapshot_words(self) -> U64:
        """Return what a snapshot holds: the canonical state, and whatever else going on from it needs."""

    def load_words(self, words: U64) -> None:
        """Take over a state written by `snapshot_words`.

        Raises:
            SnapshotError: When the words do not describe a state of this world.
        """

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""


class BatchCore(Protocol):
    """A block of copies that steps into the caller's buffers; every tier is driven through this."""

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        """Reset the named copies, with their own seeds or the next of their sequences."""

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Advance every copy by one decision per seat; `actions` is rows × heads."""

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if it has not been stepped since an explicit reset."""

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""

    def snapshot(self, copy: int) -> bytes:
        """Return the complete state of the copy."""

    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None:
        """Continue from a snapshot and write the copy's observation and mask."""

    def state_words(self, copy: int) -> U64:
        """Return the canonical state words of the copy, as `Simulation.state_words` does."""

    def state_hash(self, copy: int) -> int:
        """Return the hash of the copy's canonical state."""

    def render_state(self, copy: int) -> JsonObject:
        """Return what a viewer needs to draw the copy."""

    def split(self, sizes: Sequence[int]) -> "list[BatchCore]":
        """Hand the copies over to independent cores of these sizes; this core is empty afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreRequest:
    """What the engine asks a fast tier to build."""

    copies: int
    seed: int
    threads: int
    device: str

    def require_cpu(self, who: str) -> None:
        """Refuse any device but the CPU, for a tier that runs nowhere else.

        Raises:
            TierUnavailable: Another device is asked for.
        """
        if self.device != "cpu":
            raise TierUnavailable(f"{who} runs on the cpu, not on {self.device!r}")
