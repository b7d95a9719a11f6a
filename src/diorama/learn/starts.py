"""`StoredStarts`: lets episodes of a training begin in stored states, and stores states of its rollouts."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError
from diorama.contracts.values import U8
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.envs import StartsFromStates, TrainingEnvs
from diorama.learn.settings.starts import StartMemory, StartSource, StartsSettings
from diorama.learn.start_library import StartLibrary, StartSampler


@dataclass(frozen=True, slots=True, order=True)
class _Started:
    """An episode that began in a stored state during a rollout."""

    step: int
    copy: int
    number: int


@dataclass(frozen=True, slots=True)
class _Kept:
    """A state of a rollout, before the decision of a step."""

    step: int
    copy: int
    data: bytes
    memory: torch.Tensor | None


class StoredStarts:
    """Start states of all copies of a training.

    Attributes:
        library: The states in which episodes may begin.
        flags: (Steps + 1) × copies, 1 where the running episode began in a stored state.
        opened: (Steps + 1) × copies, where an episode opens.
        update: Number of the rollout.
        sampler: Chooses how its episodes begin.
        stores_memory: Whether recurrent states of the policy are stored with the states.
    """

    def __init__(self, settings: StartsSettings, rollout: RolloutBuffer) -> None:
        """Begin with an empty library.

        Args:
            settings: How states are stored and chosen.
            rollout: The buffer of every rollout; gets arrays that say which episodes began in stored states, and which
                decisions are not learned from.
        """
        shape = rollout.shape
        self.settings = settings
        self.rollout = rollout
        self.library = StartLibrary(settings)
        self.stores_memory = settings.memory is StartMemory.STORED and shape.memory_width > 0
        rollout.stored_starts = torch.zeros(shape.steps + 1, shape.copies, dtype=torch.uint8)
        if self.stores_memory:
            rollout.unlearned = torch.zeros(shape.steps, shape.rows, dtype=torch.bool, device=rollout.device)
        self.flags: U8 = rollout.stored_starts.numpy()
        self.opened: NDArray[np.bool_] = np.zeros((shape.steps + 1, shape.copies), np.bool_)
        self.update = 0
        self.sampler = StartSampler((), settings.sampling, seed=0, update=0, ordinary_share=1.0)
        self._shards: list[ShardStarts] = []

    def shard(self, envs: TrainingEnvs, first_copy: int) -> "ShardStarts":
        """Return the part of some copies, which one thread at a time uses.

        Raises:
            ConfigError: The copies cannot begin in stored states.
        """
        if not isinstance(envs, StartsFromStates):
            raise ConfigError(
                f"starts: the copies of {envs.spec.world!r} cannot begin in stored states; leave it out",
                code="starts_unsupported",
                world=envs.spec.world,
            )
        shard = ShardStarts(self, envs, envs.spec.agents, envs.copies, first_copy)
        self._shards.append(shard)
        return shard

    def begin_rollout(self, *, seed: int, update: int, ordinary_share: float) -> None:
        """Fix how episodes of the next rollout begin."""
        self.update = update
        self.sampler = StartSampler(
            self.library.states, self.settings.sampling, seed=seed, update=update, ordinary_share=ordinary_share
        )
        if self.rollout.unlearned is not None:
            self.rollout.unlearned.zero_()
        for shard in self._shards:
            shard.begin_rollout()

    def finish_rollout(self, advantages: torch.Tensor) -> None:
        """Store the states that were kept, and rate those that were started from.

        Args:
            advantages: Of all decisions of the rollout, steps × rows.
        """
        started = sorted(item for shard in self._shards for item in shard.started)
        kept = sorted((item for shard in self._shards for item in shard.kept), key=lambda item: (item.step, item.copy))
        sizes = advantages.abs().cpu().numpy().astype(np.float64)
        for start in started:
            # What follows a start after the last decision is in the next rollout: the state keeps its priority.
            if start.step < self.rollout.shape.steps:
                self.library.set_priority(start.number, self._mean_after(sizes, start.step, start.copy))
        for state in kept:
            priority = self._mean_after(sizes, state.step, state.copy)
            self.library.add(state.data, StartSource.ROLLOUTS, priority=priority, memory=state.memory)

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return everything needed to continue between two rollouts."""
        return {"flags": torch.from_numpy(self.flags[0].copy()), **self.library.tensors()}

    def load(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Continue with what `tensors` returned."""
        self.flags[0] = tensors["flags"].numpy()
        self.library.load(tensors)

    def _mean_after(self, sizes: NDArray[np.float64], step: int, copy: int) -> float:
        """Return the mean over the decisions of a copy, from a step to the end of its episode or of the rollout."""
        shape = self.rollout.shape
        rows = slice(copy * shape.spec.agents, (copy + 1) * shape.spec.agents)
        later = self.opened[step + 1 : shape.steps, copy]
        stop = step + 1 + int(later.argmax()) if later.any() else shape.steps
        deciding = self.rollout.host["alive"][step:stop, rows].numpy() != 0
        return float(sizes[step:stop, rows][deciding].mean()) if deciding.any() else 0.0


class ShardStarts:
    """Start states of the copies of one shard.

    Attributes:
        started: Episodes of this rollout that began in stored states.
        kept: States of this rollout that are to be stored.
    """

    def __init__(self, starts: StoredStarts, envs: StartsFromStates, agents: int, copies: int, first_copy: int) -> None:
        """Watch these copies; see `StoredStarts.shard`."""
        self.started: list[_Started] = []
        self.kept: list[_Kept] = []
        self._starts = starts
        self._envs = envs
        self._agents = agents
        self._copies = copies
        self._first_copy = first_copy
        self._flags = starts.flags[:, first_copy : first_copy + copies]
        self._opened = starts.opened[:, first_copy : first_copy + copies]
        self._keeps = StartSource.ROLLOUTS in starts.settings.sources
        self._seeds: list[int] = []

    def begin_rollout(self) -> None:
        """Forget the last rollout."""
        self.started, self.kept = [], []
        self._opened[:] = False
        self._seeds = [self._envs.episode_seed(copy) for copy in range(self._copies)]

    def open_first_episodes(self, buffers: Buffers, memory: torch.Tensor) -> None:
        """Choose how the episode of every copy begins, before the first rollout of the training."""
        if self._starts.update == 0 and self._starts.settings.initial:
            for copy in range(self._copies):
                self._open(copy, 0, buffers, memory)

    def keep_states(self, step: int, buffers: Buffers, memory: torch.Tensor) -> None:
        """Keep the states that are due before a step; the copies take turns.

        Args:
            step: Of the rollout.
            buffers: With the observations of the step.
            memory: Recurrent states of the policy, one per row.
        """
        if not self._keeps:
            return
        every = self._starts.settings.every_decisions
        decision = self._starts.update * self._starts.rollout.shape.steps + step
        for copy in range(-(decision + self._first_copy) % every, self._copies, every):
            rows = self._rows(copy)
            # The opening of an episode is no state that has to be stored.
            if not buffers.episode_start[rows].all():
                own = self._memory_of(memory[rows], buffers.episode_start[rows])
                self.kept.append(_Kept(step, self._first_copy + copy, self._envs.snapshot(copy), own))

    def open_episodes(self, step: int, buffers: Buffers, memory: torch.Tensor) -> None:
        """Choose how the episodes begin that the last step has opened.

        Args:
            step: Their first one, of the rollout.
            buffers: What the last step wrote.
            memory: Recurrent states of the policy, one per row.
        """
        self._flags[step] = self._flags[step - 1]
        opens = buffers.episode_start.reshape(self._copies, self._agents).all(axis=1)
        for copy in np.flatnonzero(opens).tolist():
            seed = self._envs.episode_seed(copy)
            if seed != self._seeds[copy]:  # otherwise all of its seats have changed hands, and the copy goes on
                self._seeds[copy] = seed
                self._open(copy, step, buffers, memory)

    def _open(self, copy: int, step: int, buffers: Buffers, memory: torch.Tensor) -> None:
        self._opened[step, copy] = True
        sampler, index = self._starts.sampler, self._first_copy + copy
        state = sampler.draw(step, index)
        self._flags[step, copy] = state is not None
        if state is None:
            return
        fresh = sampler.fresh_seed(step, index) if self._starts.settings.fresh_seed else None
        self._envs.start_from(copy, state.data, seed=fresh)
        self._seeds[copy] = self._envs.episode_seed(copy)
        self.started.append(_Started(step, index, state.number))
        if self._starts.stores_memory and state.memory is not None:
            self._begin_with_memory(copy, step, state.memory, buffers, memory)

    def _begin_with_memory(
        self, copy: int, step: int, own: torch.Tensor, buffers: Buffers, memory: torch.Tensor
    ) -> None:
        rollout, rows = self._starts.rollout, self._rows(copy)
        memory[rows] = own.to(memory.device)
        buffers.episode_start[rows] = 0
        # A sequence of the rollout begins with one memory: what follows in this one cannot be computed again.
        boundary = -(-step // rollout.shape.sequence_length) * rollout.shape.sequence_length
        first_row = self._first_copy * self._agents
        assert rollout.unlearned is not None, "allocated where memories are stored"
        rollout.unlearned[step:boundary, first_row + rows.start : first_row + rows.stop] = True

    def _memory_of(self, memory: torch.Tensor, starts: U8) -> torch.Tensor | None:
        if not self._starts.stores_memory:
            return None
        return torch.where(torch.from_numpy(starts != 0)[:, None], 0.0, memory.cpu())

    def _rows(self, copy: int) -> slice:
        return slice(copy * self._agents, (copy + 1) * self._agents)
