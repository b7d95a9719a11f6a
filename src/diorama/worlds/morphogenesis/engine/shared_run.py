"""A block of copies that share root key, round and clock, and how it fills the platform's buffers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import SnapshotError
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import I32, U64
from diorama.rng import episode_seed
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import EVENTS
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.engine.event_stream import EventSink, EventStream
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker
from diorama.worlds.morphogenesis.engine.records import metrics_of, opening_record, step_record
from diorama.worlds.morphogenesis.engine.snapshots import put_all_into, read_copy, write_copy
from diorama.worlds.morphogenesis.engine.tellers import DecisionNotes
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld, Stepped

_EVENT_BITS: Final = {event.name: 1 << place for place, event in enumerate(EVENTS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParts:
    """What a run is built from."""

    config: MorphogenesisConfig
    make_engine: EngineMaker
    device: str = "cpu"
    sinks: tuple[EventSink, ...] = ()

    @property
    def first_round(self) -> int:
        """Round the first reset opens."""
        return 0 if self.config.episode is None else self.config.episode.round

    def build(self, copies: int, root_key: int) -> MorphogenesisWorld:
        """Build the hosts of so many copies."""
        return MorphogenesisWorld.build(
            self.config,
            self.make_engine,
            envs=copies,
            root_key=root_key,
            device=self.device,
            events=EventStream(sinks=self.sinks),
        )


class SharedRun:
    """Copies of one run; they open their rounds together. Buffers are those of these copies alone."""

    def __init__(self, parts: RunParts, *, copies: int, root_key: int) -> None:
        """Build the hosts; `open_round` opens the first round."""
        self.world = parts.build(copies, root_key)
        self.copies = copies
        self._parts = parts
        self._next_round = parts.first_round
        self._records: list[StepRecord | None] = [None] * copies
        self.watchers: list[Callable[[Stepped], None]] = []
        self.notes: Mapping[int, DecisionNotes] | None = None

    def start_over(self, root_key: int) -> None:
        """Go back to the first round, of another root key perhaps."""
        if root_key != self.world.nursery.streams.root_key:
            self.world = self._parts.build(self.copies, root_key)
        self._next_round = self._parts.first_round

    def open_round(self, buffers: Buffers) -> None:
        """Open the next round."""
        self.world.nursery.events.begin_step()
        stepped = self._reset()
        self._records = [None] * self.copies
        self._write_opening(stepped, buffers, slice(None))
        buffers.episode_start[:] = 1

    def step(self, actions: I32, buffers: Buffers, *, initiators: Sequence[Initiator] | None = None) -> None:
        """Decide once for every copy; the last epoch of a round opens the next one in the same call."""
        stepped = self.world.step(actions, notes=self.notes, initiators=initiators)
        self.notes = None
        for watcher in self.watchers:
            watcher(stepped)
        is_truncated = bool(stepped.truncated.any())
        self._records = self._record(stepped, actions, is_truncated=is_truncated)
        buffers.rewards[:] = stepped.rewards
        buffers.terminated[:] = stepped.terminated
        buffers.truncated[:] = stepped.truncated
        buffers.metrics[:] = [metrics_of(env) for env in self.world.envs]
        buffers.dt[:] = 1
        buffers.events[:] = [_bits(record) for record in self._records if record is not None]
        # Memory is cleared where a row ends, and once more after its rollback: nothing before counts any more.
        was_ignored = np.array([info.action_ignored for info in stepped.info])
        buffers.episode_start[:] = stepped.terminated | was_ignored | is_truncated
        ended = stepped.terminated | stepped.truncated
        buffers.final_obs[ended], buffers.final_obs_u8[ended] = stepped.obs[ended], self.world.blueprint_bytes[ended]
        self._write_view(stepped, buffers)
        if is_truncated:
            self.world.nursery.events.hold()
            self._write_view(self._reset(), buffers)

    def episode_seed(self, copy: int) -> int:
        """Return the root key in the first round of the first copy, and else a seed that stands for no other episode.

        Any other episode is run again by its place in the run, which is a part of the configuration.
        """
        nursery = self.world.nursery
        count = nursery.round_index - self._parts.first_round
        root_key = nursery.streams.root_key
        return root_key if copy == count == 0 else episode_seed(root_key, copy, count)

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if there was none since an explicit reset."""
        return self._records[copy] or self.opening_record(copy)

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        nursery = self.world.nursery
        return opening_record(self.world.envs[copy], round_index=nursery.round_index, epoch=nursery.epoch)

    def state_words(self, copy: int) -> U64:
        """Return the canonical state words of the copy."""
        return write_copy(self.world.nursery, copy)

    def restore(self, copy: int, words: U64, buffers: Buffers) -> None:
        """Continue a copy from its words; beside other copies only at the moment they all are at.

        Raises:
            SnapshotError: The words are of another env or moment; nothing has changed then.
        """
        before, next_round = self.state_words(copy), self._next_round
        try:
            self._take_up(copy, words)
        except SnapshotError:
            self._take_up(copy, before)
            self._next_round = next_round
            raise
        self._records[copy] = None
        self._write_opening(self.world.refresh(), buffers, slice(copy, copy + 1))

    def restore_all(self, words: Sequence[U64], buffers: Buffers) -> None:
        """Continue all copies from their words, at the one moment they are of.

        Raises:
            SnapshotError: They are of other envs, or of moments that differ.
        """
        stored = [read_copy(entry) for entry in words]
        moments = {(copy.memo.root_key, copy.memo.round_index, copy.memo.epoch) for copy in stored}
        if len(moments) != 1:
            raise SnapshotError(f"the snapshots are of {len(moments)} moments; copies that share a clock have one")
        env_ids = tuple(copy.memo.env_id for copy in stored)
        if env_ids != self.world.nursery.layout.env_ids:
            raise SnapshotError(
                f"the snapshots are of envs {env_ids}; the copies are {self.world.nursery.layout.env_ids}"
            )
        (root_key, round_index, _), *_ = moments
        self.start_over(root_key)
        put_all_into(self.world.nursery, stored)
        self._next_round = round_index + 1
        self._records = [None] * self.copies
        self._write_opening(self.world.refresh(), buffers, slice(None))

    def _reset(self) -> Stepped:
        stepped = self.world.reset(self._next_round)
        self._next_round += 1
        return stepped

    def _record(self, stepped: Stepped, actions: I32, *, is_truncated: bool) -> list[StepRecord | None]:
        nursery, told = self.world.nursery, self.world.nursery.events.step_events
        decisions: list[Decision] = [tuple(row) for row in actions.tolist()]
        return [
            step_record(
                env,
                received=decisions[env.row],
                reward=float(stepped.rewards[env.row])
                if stepped.terminated[env.row]
                else env.record.action_outcome.reward_raw,
                is_ignored=stepped.info[env.row].action_ignored,
                is_truncated=is_truncated,
                round_index=nursery.round_index,
                epoch=nursery.epoch,
                events=_events_of(told, env.row),
            )
            for env in self.world.envs
        ]

    def _take_up(self, copy: int, words: U64) -> None:
        stored = read_copy(words)
        memo, nursery = stored.memo, self.world.nursery
        if memo.env_id != nursery.layout.env_ids[copy]:
            raise SnapshotError(f"the snapshot is of env {memo.env_id}; this copy is {nursery.layout.env_ids[copy]}")
        if self.copies == 1:
            self.start_over(memo.root_key)
            stored.put_alone_into(self.world.nursery)
            self._next_round = memo.round_index + 1
            return
        here = (nursery.streams.root_key, nursery.round_index, nursery.epoch)
        there = (memo.root_key, memo.round_index, memo.epoch)
        if here != there:
            raise SnapshotError(
                f"the snapshot is of root key, round and epoch {there} and the batch is at {here}; copies that share "
                "their clock can take up no other moment"
            )
        stored.put_into(nursery, copy, with_twin=False)

    def _write_view(self, stepped: Stepped, buffers: Buffers) -> None:
        # A row that is rolled back takes no decision, so that nobody learns from what comes of it.
        deciding = self.world.deciding
        buffers.alive[:] = deciding
        buffers.obs[:] = np.where(deciding[:, None], stepped.obs, 0.0)
        buffers.obs_u8[:] = np.where(deciding[:, None], self.world.blueprint_bytes, 0)
        buffers.masks[:] = self.world.flat_masks

    def _write_opening(self, stepped: Stepped, buffers: Buffers, rows: slice) -> None:
        for buffer in (buffers.rewards, buffers.terminated, buffers.truncated, buffers.dt, buffers.events):
            buffer[rows] = 0
        buffers.episode_start[rows] = 0
        buffers.metrics[rows] = [metrics_of(env) for env in self.world.envs[rows]]
        self._write_view(stepped, buffers)


def _events_of(told: Sequence[tuple[int | None, TelemetryEvent]], row: int) -> tuple[TelemetryEvent, ...]:
    return tuple(event for owner, event in told if owner == row)


def _bits(record: StepRecord) -> int:
    return sum({_EVENT_BITS[name] for name in record.events})
