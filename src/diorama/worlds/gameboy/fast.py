"""The fast tier: a block of copies over native lanes, stepped array by array."""

from collections.abc import Sequence

import numpy as np

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import SnapshotError, TierUnavailable
from diorama.contracts.records import StepRecord
from diorama.contracts.resident import ResidentCore
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import I32, U64, JsonObject
from diorama.native import load_native
from diorama.snapshots import check_configuration, int_words, pack_snapshot, unpack_snapshot
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.contract import SNAPSHOT_MAGIC, SNAPSHOT_VERSION
from diorama.worlds.gameboy.envs.episodes import Episodes, Outcome, Rows
from diorama.worlds.gameboy.envs.replaying import fastest_backend
from diorama.worlds.gameboy.envs.seeds import as_words, episode_seed_each
from diorama.worlds.gameboy.records import (
    events_of,
    metrics_of,
    opening_metrics,
    opening_record,
    step_record,
    trap_of,
)
from diorama.worlds.gameboy.render import render_state

_CPU = "cpu"
_SEQUENCE_WORDS = 3  # base, index and count stand before the episode in a snapshot


def accelerate(config: GameboyConfig, request: CoreRequest) -> BatchCore:
    """Build a block of copies over native lanes, or over lanes on a GPU whose results come back at every step.

    Raises:
        TierUnavailable: When the native core or the GPU is not there, or there is no such device.
    """
    if request.device == _CPU:
        load_native()
    elif not request.device.startswith("cuda"):
        raise TierUnavailable(f"gameboy runs on cpu and on cuda:0, cuda:1, ...; there is no device {request.device!r}")
    return GameboyCore(config, request, np.arange(request.copies, dtype=np.uint64))


def reside(config: GameboyConfig, request: CoreRequest) -> ResidentCore:
    """Build copies that live on a GPU; what needs torch is loaded here.

    Raises:
        TierUnavailable: Warp or the GPU is not there.
    """
    from diorama.worlds.gameboy.resident import open_resident

    return open_resident(config, request)


class GameboyCore:
    """Copies of one configuration; a copy that ends is opened again within the step."""

    def __init__(self, config: GameboyConfig, request: CoreRequest, indexes: U64) -> None:
        """Switch consoles on; `indexes` are the places of the copies in the batch they were asked for."""
        self._config = config
        self._request = request
        self._header = config.model_dump(mode="json")
        backend = "rust" if request.device == _CPU else "warp_cuda"
        self._episodes = Episodes(config, len(indexes), backend=backend, threads=request.threads, device=request.device)
        self._indexes = indexes
        self._bases = np.full(len(indexes), request.seed, np.uint64)
        self._counts = np.zeros(len(indexes), np.uint64)
        self._actions = np.zeros(len(indexes), np.int32)
        self._outcome: Outcome | None = None
        self._traps: dict[int, JsonObject] = {}
        self._is_stepped = np.zeros(len(indexes), np.bool_)
        self._is_open = False

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        """Reset the named copies, with their own seeds or the next of their sequences."""
        rows = np.array(copies, np.intp)
        if seeds is None:
            chosen = self._next_seeds(rows)
        else:
            chosen = as_words(seeds)
            self._bases[rows], self._counts[rows] = chosen, 0
        self._episodes.open(rows, chosen)
        self._is_open = True
        self._write_openings(rows, buffers)
        buffers.episode_start[rows] = 1

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Advance every copy by one decision."""
        self._actions = np.ascontiguousarray(actions[:, 0])
        outcome = self._episodes.advance(self._actions)
        self._outcome = outcome
        self._is_stepped[:] = True
        buffers.rewards[:] = outcome.verdict.rewards
        buffers.terminated[:] = outcome.terminated
        buffers.truncated[:] = outcome.truncated
        buffers.episode_start[:] = outcome.ended
        buffers.metrics[:] = metrics_of(outcome, self._config.frames_per_step)
        buffers.dt[:] = self._config.frames_per_step
        buffers.events[:] = events_of(outcome)
        buffers.masks[:] = self._episodes.key_mask
        buffers.alive[:] = 1
        self._episodes.observe(buffers.obs, buffers.obs_u8)
        self._traps = {int(lane): trap_of(self._episodes, int(lane)) for lane in outcome.trapped.nonzero()[0]}
        self._open_ended(outcome.ended.nonzero()[0], buffers)

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return int(self._episodes.seeds[copy])

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if there was none since an explicit reset."""
        if self._outcome is None or not self._is_stepped[copy]:
            return self.opening_record(copy)
        action = (int(self._actions[copy]),)
        return step_record(self._outcome, copy, action, self._episodes, self._traps.get(copy))

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        return opening_record(self._episodes, copy)

    def snapshot(self, copy: int) -> bytes:
        """Return the complete state of the copy, seed sequence included."""
        sequence = int_words([int(part[copy]) for part in (self._bases, self._indexes, self._counts)])
        words = np.concatenate([sequence, self._episodes.write_lane(copy)])
        return pack_snapshot(SNAPSHOT_MAGIC, SNAPSHOT_VERSION, self._header, words)

    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None:
        """Continue from a snapshot and write the copy's observation; on an error nothing changes."""
        self._bases[copy], self._indexes[copy], self._counts[copy] = self._load(copy, data)
        self._write_openings(np.array([copy], np.intp), buffers)

    def start_from(self, copy: int, data: bytes, seed: int | None, buffers: Buffers) -> None:
        """Begin the episode of a copy in the state of a snapshot; a seed changes nothing in a console."""
        self._load(copy, data)
        row = np.array([copy], np.intp)
        buffers.episode_start[row] = 1
        self._episodes.observe_rows(row, buffers.obs, buffers.obs_u8)

    def state_words(self, copy: int) -> U64:
        """Return the canonical state words of the copy's console."""
        return self._episodes.lanes.state_words(copy)

    def state_hash(self, copy: int) -> int:
        """Return the hash of the copy's canonical state."""
        return self._episodes.lanes.state_hash(copy)

    def render_state(self, copy: int) -> JsonObject:
        """Return what a viewer needs to draw the copy."""
        return render_state(self._episodes, copy)

    def split(self, sizes: Sequence[int]) -> list[BatchCore]:
        """Hand the copies over to independent cores of these sizes."""
        parts: list[BatchCore] = []
        first = 0
        for size in sizes:
            parts.append(self._part(first, first + size))
            first += size
        return parts

    def _part(self, first: int, last: int) -> "GameboyCore":
        part = GameboyCore(self._config, self._request, self._indexes[first:last].copy())
        part._bases[:], part._counts[:] = self._bases[first:last], self._counts[first:last]
        if self._is_open:
            for copy in range(first, last):
                part._episodes.read_lane(copy - first, self._episodes.write_lane(copy))
            part._is_open = True
        if self._outcome is not None:
            lanes = slice(first, last)
            part._outcome = self._outcome.of(lanes)
            part._actions, part._is_stepped = self._actions[lanes], self._is_stepped[lanes].copy()
            part._traps = {lane - first: trap for lane, trap in self._traps.items() if first <= lane < last}
        return part

    def _load(self, copy: int, data: bytes) -> U64:
        """Bring the copy's console and episode into the state of a snapshot, and return the seeds it holds."""
        header, words = unpack_snapshot(data, SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
        check_configuration(header, self._header)
        if len(words) <= _SEQUENCE_WORDS:
            raise SnapshotError("the snapshot holds no state")
        sequence, episode = words[:_SEQUENCE_WORDS], words[_SEQUENCE_WORDS:]
        # A copy of its own takes the words first: what is wrong with them shows before anything changes here.
        Episodes(self._config, 1, backend=fastest_backend()).read_lane(0, episode)
        self._episodes.read_lane(copy, episode)
        return sequence

    def _next_seeds(self, rows: Rows) -> U64:
        self._counts[rows] += np.uint64(1)
        return episode_seed_each(self._bases[rows], self._indexes[rows], self._counts[rows])

    def _open_ended(self, rows: Rows, buffers: Buffers) -> None:
        if not len(rows):
            return
        buffers.final_obs[rows] = buffers.obs[rows]
        buffers.final_obs_u8[rows] = buffers.obs_u8[rows]
        self._episodes.open(rows, self._next_seeds(rows))
        self._episodes.observe_rows(rows, buffers.obs, buffers.obs_u8)

    def _write_openings(self, rows: Rows, buffers: Buffers) -> None:
        for buffer in (buffers.rewards, buffers.terminated, buffers.truncated, buffers.episode_start, buffers.dt):
            buffer[rows] = 0
        buffers.events[rows] = 0
        buffers.metrics[rows] = opening_metrics(self._episodes)[rows]
        buffers.masks[rows] = self._episodes.key_mask
        buffers.alive[rows] = 1
        self._is_stepped[rows] = False
        self._episodes.observe_rows(rows, buffers.obs, buffers.obs_u8)
