"""`Scene`: one copy of a world that is played step by step, with everything a frame needs."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError, EpisodeOver
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import Simulation
from diorama.contracts.values import F32, I32, U8
from diorama.engine.players import rows_to_open
from diorama.engine.venue import Venue
from diorama.runs.documents import RawObject
from diorama.runs.replays.frames import Action, Frame, action_of, per_seat, rounded
from diorama.snapshots import hash_hex, hash_words, unpack_snapshot

_FRAME_SCHEMA_VERSION: Final = 1
_SEQUENCE_WORDS: Final = 3  # of the copy's seed sequence, before the world's own words in a snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One step that was taken; `deciding` has one entry per seat, `state_hash` is of the state after the step."""

    frame_index: int
    t: int
    action: Action
    deciding: U8
    record: StepRecord
    state_hash: str

    def frame(self, render_state: RawObject, *, include_info: bool) -> Frame:
        """Return the step as a frame of a replay."""
        record = self.record
        return Frame(
            schema_version=_FRAME_SCHEMA_VERSION,
            frame_index=self.frame_index,
            t=self.t,
            dt=record.dt,
            action=self.action,
            reward=per_seat(record.rewards, self.deciding),
            terminated=per_seat(record.terminated, self.deciding),
            truncated=per_seat(record.truncated, self.deciding),
            render_state=render_state,
            events=list(record.events),
            event_data=dict(record.event_data) if record.event_data else UNSET,
            info=dict(record.info) if include_info else UNSET,
            state_hash=self.state_hash,
        )


class Scene:
    """One episode of one copy, from its seed.

    A batch resets a copy inside the step that ends it. The last state is found by letting the readable tier take
    that one step again, which by parity leads to the same state.

    Attributes:
        venue: Where it is played.
        spec: Contract of the world.
        seed: Episode seed.
        is_over: Whether the episode has ended.
    """

    def __init__(self, venue: Venue, seed: int) -> None:
        """Open the episode of a seed."""
        self.venue = venue
        self._batch = venue.batch(venue.config, 1)
        self._batch.reset([seed])
        self._before = self._batch.snapshot(0)
        self._closing: Simulation | None = None
        self._steps = 0
        self._ticks = 0
        self.spec: WorldSpec = self._batch.spec
        self._noop: I32 = np.array(self.spec.noop, np.int32)
        self.seed = self._batch.episode_seed(0)
        self.is_over = False

    @property
    def view(self) -> tuple[F32, U8, U8]:
        """Observations, byte observations and masks for the next decision, one row per seat."""
        return self._batch.obs, self._batch.obs_u8, self._batch.masks

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return an array that the world adds to what is seen, one row per seat."""
        return self._batch.extra(name)

    @property
    def arrivals(self) -> list[int]:
        """Seats that somebody has taken in the last step, or whose player must forget what went before."""
        opening: list[int] = rows_to_open(self._batch.buffers, np.array([not self.is_over])).nonzero()[0].tolist()
        return opening

    def render_state(self) -> RawObject:
        """Return what a viewer needs to draw the copy as it is now, as replays store it."""
        return rounded(self._batch.render_state(0) if self._closing is None else self._closing.render_state())

    def snapshot(self) -> bytes:
        """Return the complete state of the copy; after the end of the episode, of the next one."""
        return self._batch.snapshot(0)

    def step(self, decisions: I32) -> Moment:
        """Take one decision per seat, seats by heads; what a dead seat would decide is replaced by the no-op.

        Raises:
            EpisodeOver: There is nothing left to play.
            ContractError: The world paid a reward that is no number.
        """
        if self.is_over:
            raise EpisodeOver(f"the episode of seed {self.seed} ended after {self._steps} steps")
        deciding = self._batch.alive.copy()
        decisions = np.where(deciding[:, None] != 0, decisions, self._noop)
        self._batch.step(decisions)
        record = self._batch.step_record(0)
        if not all(math.isfinite(reward) for reward in record.rewards):
            raise ContractError(f"step {self._steps} of seed {self.seed} paid {record.rewards}; rewards must be finite")
        # A copy that has ended was reset, and plays another seed now.
        self.is_over = self._batch.episode_seed(0) != self.seed
        state_hash = self._close(decisions) if self.is_over else self._batch.state_hash(0)
        if not self.is_over:
            self._before = self._batch.snapshot(0)
        self._ticks += record.dt
        self._steps += 1
        return Moment(
            frame_index=self._steps - 1,
            t=self._ticks,
            action=action_of(decisions, deciding),
            deciding=deciding,
            record=record,
            state_hash=hash_hex(state_hash),
        )

    def close(self) -> None:
        """Free the copy."""
        self._batch.close()

    def _close(self, decisions: I32) -> int:
        _, words = unpack_snapshot(self._before, self.spec.snapshot_magic, self.spec.snapshot_version)
        self._closing = self.venue.world.simulate(self.venue.config)
        self._closing.load_words(words[_SEQUENCE_WORDS:])
        self._closing.step([tuple(row) for row in decisions.tolist()])
        return hash_words(self._closing.state_words())
