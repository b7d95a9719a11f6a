"""Copies that live on a GPU from one training rollout to the next: pictures are drawn, seen and learned from there."""

from collections.abc import Sequence
from typing import Final

import torch

from diorama.contracts.errors import TierUnavailable
from diorama.contracts.resident import DeviceRows
from diorama.contracts.tiers import CoreRequest
from diorama.rng.mixing import MASK64
from diorama.snapshots import WordReader, WordWriter, check_configuration, pack_snapshot, unpack_snapshot
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.contract import (
    FAILED,
    GOAL_REACHED,
    SNAPSHOT_MAGIC,
    SNAPSHOT_VERSION,
    STAGE_ADVANCED,
    TRAP,
    TRUNCATED,
    describe,
)
from diorama.worlds.gameboy.envs.device_episodes import DeviceEpisodes, DeviceOutcome
from diorama.worlds.gameboy.envs.device_library import episode_seed_each, words_on
from diorama.worlds.gameboy.envs.keys import key_mask
from diorama.worlds.gameboy.envs.lane_state import LaneState
from diorama.worlds.gameboy.envs.screen import WATCHABLE_LANES, Screen
from diorama.worlds.gameboy.envs.tensor_lanes import TensorFace, host_of, open_tensor_lanes

_SEQUENCE_WORDS: Final = 3  # base, index and count stand before the episode in a snapshot


def open_resident(config: GameboyConfig, request: CoreRequest) -> "GameboyResident":
    """Build copies on a GPU.

    Raises:
        TierUnavailable: Warp or the GPU is not there.
    """
    if not request.device.startswith("cuda"):
        raise TierUnavailable(f"gameboy lives on cuda:0, cuda:1, ...; there is no device {request.device!r}")
    lanes = open_tensor_lanes(config, request.copies, backend="warp_cuda", device=request.device)
    return GameboyResident(config, lanes, seed=request.seed)


class GameboyResident:
    """Copies of one configuration; implements `ResidentCore`.

    Seeds and snapshots are those of the batch on the host: each continues what the other has saved.
    """

    def __init__(self, config: GameboyConfig, lanes: TensorFace, *, seed: int) -> None:
        """Take over lanes that watch and draw what the configuration asks for."""
        self.spec = describe(config)
        self.copies = host_of(lanes).lanes
        self._config = config
        self._header = config.model_dump(mode="json")
        self._host = host_of(lanes)
        self._episodes = DeviceEpisodes(config, lanes)
        device = lanes.device
        self._key_mask = torch.from_numpy(key_mask(config)).to(device)
        self._bases = words_on([seed] * self.copies, device)
        self._indexes = torch.arange(self.copies, device=device)
        self._counts = torch.zeros(self.copies, dtype=torch.int64, device=device)
        self._seeds = self._counts.clone()
        # Viewers of a snapshot see what is observed, as those of many lanes on the host do.
        self._screen = Screen(WATCHABLE_LANES + 1, config.observation)

    def open_all(self, into: DeviceRows) -> None:
        """Open the next episode of every copy."""
        self._counts = self._counts + 1
        self._seeds = self._next_seeds()
        self._episodes.begin(self._episodes.start_slots(self._seeds, torch.zeros_like(self._seeds)))
        self._write_openings(into)
        into.episode_start.fill_(1)

    def step_all(self, actions: torch.Tensor, into: DeviceRows) -> None:
        """Advance every copy by one decision; `actions` is int32, copies × 1."""
        episodes = self._episodes
        outcome = episodes.advance(actions.reshape(-1))
        into.rewards.copy_(outcome.verdict.rewards)
        into.terminated.copy_(outcome.terminated)
        into.truncated.copy_(outcome.truncated)
        into.episode_start.copy_(outcome.ended)
        self._write_metrics(outcome, into.metrics)
        into.dt.fill_(self._config.frames_per_step)
        into.events.copy_(_events_of(outcome))
        self._write_always(into)
        # Those that go on are written, too, which nobody reads: choosing rows would mean waiting for their number.
        episodes.observe(into.final_obs, into.final_obs_u8)
        self._counts = self._counts + outcome.ended
        self._seeds = torch.where(outcome.ended, self._next_seeds(), self._seeds)
        episodes.go_on(outcome, episodes.start_slots(self._seeds, torch.zeros_like(self._seeds)))
        episodes.observe(into.obs, into.obs_u8)

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy; this brings them to the host."""
        episodes = self._episodes
        sequences = torch.stack([self._bases, self._indexes, self._counts], dim=1).tolist()
        seeds, pictures = self._seeds.tolist(), episodes.pictures().cpu().numpy()
        steps, slots, stages = (array.tolist() for array in (episodes.steps, episodes.slots, episodes.stages))
        rewards, distances = episodes.last_rewards.tolist(), episodes.judge.distances.tolist()
        found = []
        for copy in range(self.copies):
            words = WordWriter()
            words.add_ints(sequences[copy])
            state = LaneState(
                seed=seeds[copy] & MASK64,
                steps=steps[copy],
                slot=slots[copy],
                stage=stages[copy],
                last_reward=rewards[copy],
                distance=distances[copy],
                console=self._host.snapshot(copy),
                shown=self._screen.shown(0, pictures[copy, -1:]),
                pictures=pictures[copy],
            )
            state.write(words)
            episodes.judge.write_lane(copy, words)
            found.append(pack_snapshot(SNAPSHOT_MAGIC, SNAPSHOT_VERSION, self._header, words.words()))
        return found

    def restore_all(self, snapshots: Sequence[bytes], into: DeviceRows) -> None:
        """Continue every copy from its snapshot and write what it shows.

        Raises:
            SnapshotError: One is no snapshot of such a copy.
        """
        episodes, device = self._episodes, self._episodes.device
        sequences: list[list[int]] = []
        states: list[LaneState] = []
        shape = tuple(episodes.pictures().shape[1:])
        slots, stages = len(episodes.starts.pictures), episodes.starts.starts
        for copy, data in enumerate(snapshots):
            header, stored = unpack_snapshot(data, SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
            check_configuration(header, self._header)
            words = WordReader(stored)
            sequences.append([words.read_u64() for _ in range(_SEQUENCE_WORDS)])
            states.append(LaneState.read(words, shape, slots=slots, stages=stages))
            self._host.restore(copy, states[-1].console)
            episodes.judge.read_lane(copy, words)
            words.finish()
        self._bases, self._indexes, self._counts = (
            words_on([row[place] for row in sequences], device) for place in range(_SEQUENCE_WORDS)
        )
        self._seeds = words_on([state.seed for state in states], device)
        episodes.take_over(states)
        self._write_openings(into)

    def _next_seeds(self) -> torch.Tensor:
        return episode_seed_each(self._bases, self._indexes, self._counts)

    def _write_openings(self, into: DeviceRows) -> None:
        for rows in (into.rewards, into.terminated, into.truncated, into.episode_start, into.dt, into.events):
            rows.zero_()
        into.metrics.zero_()
        into.metrics[:, 1] = self._episodes.judge.distances
        self._write_always(into)
        self._episodes.observe(into.obs, into.obs_u8)

    def _write_always(self, into: DeviceRows) -> None:
        into.masks.copy_(self._key_mask.expand_as(into.masks))
        into.alive.fill_(1)

    def _write_metrics(self, outcome: DeviceOutcome, metrics: torch.Tensor) -> None:
        columns = (
            outcome.success,
            outcome.verdict.distances,
            outcome.steps,
            outcome.steps * self._config.frames_per_step,
            outcome.trapped,
        )
        torch.stack([column.to(torch.float32) for column in columns], dim=1, out=metrics)


def _events_of(outcome: DeviceOutcome) -> torch.Tensor:
    """Event bits of every lane, as `records.events_of`."""
    happened = {
        GOAL_REACHED: outcome.success,
        STAGE_ADVANCED: outcome.advanced,
        TRAP: outcome.trapped,
        TRUNCATED: outcome.truncated,
        FAILED: outcome.verdict.failed,
    }
    bits = torch.zeros_like(outcome.steps, dtype=torch.int64)
    for bit, lanes in happened.items():
        bits = bits | (lanes.to(torch.int64) << bit)
    return bits
