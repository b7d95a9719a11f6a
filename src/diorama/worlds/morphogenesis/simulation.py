"""One copy of the readable tier on its own: an env, its control twin and the hosts they are."""

from collections.abc import Sequence

import numpy as np

from diorama.contracts.errors import EpisodeOver, SnapshotError
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, I32, U8, U64, JsonObject
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.records import opening_record, step_record
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.snapshots import read_copy, write_copy
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld, Stepped
from diorama.worlds.morphogenesis.render import render_state


class MorphogenesisSimulation:
    """One env that is stepped by itself; it stays as it ended until it is reset."""

    def __init__(self, config: MorphogenesisConfig) -> None:
        """Build the hosts and open the episode of seed 0; `reset` opens any other."""
        self._config = config
        self._first_round = 0 if config.episode is None else config.episode.round
        self._world = self._build(0)
        self._stepped: Stepped = self._world.reset(self._first_round)

    def reset(self, seed: int) -> None:
        """Start the episode of this root key."""
        if seed != self.episode_seed:
            self._world = self._build(seed)
        self._stepped = self._world.reset(self._first_round)

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Take one decision and run the epoch that follows.

        Raises:
            EpisodeOver: The episode has ended.
        """
        if self.is_over:
            raise EpisodeOver("the episode has ended; reset it before the next step")
        (decision,) = decisions
        self._stepped = self._world.step(np.array([decision], np.int64))
        nursery, env = self._nursery, self._env
        is_terminated = bool(self._stepped.terminated[0])
        return step_record(
            env,
            received=tuple(decision),
            reward=float(self._stepped.rewards[0]) if is_terminated else env.record.action_outcome.reward_raw,
            is_ignored=self._stepped.info[0].action_ignored,
            is_truncated=bool(self._stepped.truncated[0]),
            round_index=nursery.round_index,
            epoch=nursery.epoch,
            events=tuple(event for _, event in nursery.events.step_events),
        )

    def expert_actions(self, actions: I32) -> None:
        """Write what the rules would decide now."""
        actions[:] = self._world.expert_actions()

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""
        return opening_record(self._env, round_index=self._nursery.round_index, epoch=self._nursery.epoch)

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return not self._world.is_open

    @property
    def episode_seed(self) -> int:
        """Root key of the running episode."""
        return self._nursery.streams.root_key

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write the observation row."""
        obs[:], obs_u8[:] = self._stepped.obs, self._world.blueprint_bytes

    def write_masks(self, masks: U8) -> None:
        """Write the valid options of all heads."""
        masks[:] = self._world.flat_masks

    def write_alive(self, alive: U8) -> None:
        """Write 1, or 0 where a rollback takes the place of the next decision."""
        alive[:] = self._world.deciding

    def write_episode_starts(self, starts: U8) -> None:
        """Mark the env whose memory must be cleared, because it is rolled back or just was."""
        starts[:] = self._stepped.terminated[0] or self._stepped.info[0].action_ignored

    def state_words(self) -> U64:
        """Return the canonical state."""
        return write_copy(self._nursery, 0)

    def snapshot_words(self) -> U64:
        """Return the canonical state, which is all there is."""
        return self.state_words()

    def load_words(self, words: U64) -> None:
        """Take over a state written by `snapshot_words`.

        Raises:
            SnapshotError: The words are of another env, or of no env at all.
        """
        stored = read_copy(words)
        (env_id,) = self._nursery.layout.env_ids
        if stored.memo.env_id != env_id:
            raise SnapshotError(f"the snapshot is of env {stored.memo.env_id}; this simulation runs env {env_id}")
        if stored.memo.root_key != self.episode_seed:
            self._world = self._build(stored.memo.root_key)
        stored.put_alone_into(self._nursery)
        self._stepped = self._world.refresh()

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return render_state(self._nursery, 0)

    @property
    def _nursery(self) -> Nursery:
        return self._world.nursery

    @property
    def _env(self) -> Env:
        return self._world.envs[0]

    def _build(self, root_key: int) -> MorphogenesisWorld:
        return MorphogenesisWorld.build(self._config, ReferenceEngine, envs=1, root_key=root_key)
