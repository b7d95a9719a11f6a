"""`StartLibrary`: a bounded number of states in which episodes may begin."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import F64
from diorama.learn.settings.starts import StartSampling, StartSource, StartsSettings
from diorama.learn.streams import START_STATES
from diorama.rng import draw, u01

_MIB: Final = 1 << 20
_SOURCES: Final = tuple(StartSource)
# What is drawn for an episode that opens.
_IS_ORDINARY, _WHICH, _SEED = range(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartState:
    """A state in which episodes may begin.

    Attributes:
        number: Counts all states that were ever added.
        data: Snapshot of a copy.
        source: Where it is from.
        priority: Mean |advantage| of the decisions that followed when it was last played.
        memory: Recurrent state of the policy, seats × width; None where nothing is known about it.
    """

    number: int
    data: bytes
    source: StartSource
    priority: float
    memory: torch.Tensor | None = None


class StartLibrary:
    """Start states in the order in which they were added, at most as many as the settings allow.

    Where there is no room, a state of the source with the most states makes room: the oldest, or the one with the least
    priority where states are sampled by advantage.
    """

    def __init__(self, settings: StartsSettings) -> None:
        """Begin empty."""
        self._settings = settings
        self._states: dict[int, StartState] = {}
        self._bytes = 0
        self._next_number = 0

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self._states)

    @property
    def states(self) -> tuple[StartState, ...]:
        """All states, oldest first."""
        return tuple(self._states.values())

    def add(
        self,
        data: bytes,
        source: StartSource,
        *,
        priority: float | None = None,
        memory: torch.Tensor | None = None,
    ) -> None:
        """Add a state, and drop others where there is no room.

        Args:
            data: Snapshot of a copy.
            source: Where it is from.
            priority: Mean |advantage| of the decisions that followed; the largest so far where nothing is known, so
                that the state is tried.
            memory: Recurrent state of the policy.

        Raises:
            ConfigError: The state alone is larger than the library may be.
        """
        if len(data) > self._settings.library_mib * _MIB:
            raise ConfigError(
                f"starts.library_mib is {self._settings.library_mib}, but a single state takes {len(data):,} bytes; "
                "allow more",
                code="start_state_too_large",
                library_mib=self._settings.library_mib,
                bytes=len(data),
            )
        if priority is None:
            priority = max((state.priority for state in self._states.values()), default=1.0)
        while not self._has_room(len(data)):
            self._evict()
        self._insert(StartState(number=self._next_number, data=data, source=source, priority=priority, memory=memory))
        self._next_number += 1

    def set_priority(self, number: int, priority: float) -> None:
        """Change the priority of a state, unless it was dropped."""
        if number in self._states:
            self._states[number] = replace(self._states[number], priority=priority)

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return everything there is, for a checkpoint."""
        states = self.states
        memories = [state.memory for state in states if state.memory is not None]
        data = bytearray().join(state.data for state in states)
        return {
            "data": torch.from_numpy(np.frombuffer(data, np.uint8).copy()),
            "offsets": torch.from_numpy(np.cumsum([0, *(len(state.data) for state in states)], dtype=np.int64)),
            "numbers": torch.tensor([state.number for state in states], dtype=torch.int64),
            "next_number": torch.tensor([self._next_number], dtype=torch.int64),
            "sources": torch.tensor([_SOURCES.index(state.source) for state in states], dtype=torch.uint8),
            "priorities": torch.tensor([state.priority for state in states], dtype=torch.float64),
            "has_memory": torch.tensor([state.memory is not None for state in states], dtype=torch.uint8),
            "memories": torch.stack(memories) if memories else torch.zeros(0),
        }

    def load(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Continue with what `tensors` returned."""
        data, offsets = tensors["data"].numpy(), tensors["offsets"].tolist()
        memories = iter(tensors["memories"].clone())
        self._states.clear()
        self._bytes = 0
        columns = (tensors[name].tolist() for name in ("numbers", "sources", "priorities", "has_memory"))
        for (start, stop), number, source, priority, has_memory in zip(pairwise(offsets), *columns, strict=True):
            self._insert(
                StartState(
                    number=number,
                    data=data[start:stop].tobytes(),
                    source=_SOURCES[source],
                    priority=priority,
                    memory=next(memories) if has_memory else None,
                )
            )
        self._next_number = int(tensors["next_number"][0])

    def _has_room(self, size: int) -> bool:
        settings = self._settings
        return len(self._states) < settings.library_size and self._bytes + size <= settings.library_mib * _MIB

    def _evict(self) -> None:
        counts = Counter(state.source for state in self._states.values())
        source = max(_SOURCES, key=lambda item: counts[item])
        candidates = [state for state in self._states.values() if state.source is source]
        if self._settings.sampling is StartSampling.ADVANTAGE:
            victim = min(candidates, key=lambda state: (state.priority, state.number))
        else:
            victim = candidates[0]
        self._bytes -= len(self._states.pop(victim.number).data)

    def _insert(self, state: StartState) -> None:
        self._states[state.number] = state
        self._bytes += len(state.data)


class StartSampler:
    """Chooses how episodes of one rollout begin.

    Every draw is keyed by update, step and copy, so the result depends on neither threads nor shards.
    """

    def __init__(
        self, states: Sequence[StartState], sampling: StartSampling, *, seed: int, update: int, ordinary_share: float
    ) -> None:
        """Choose from these states, which do not change during the rollout."""
        self._states = states
        self._reached: F64 = np.cumsum(
            [1.0 if sampling is StartSampling.UNIFORM else state.priority for state in states], dtype=np.float64
        )
        if len(states) and not self._reached[-1] > 0.0:
            self._reached = np.arange(1.0, len(states) + 1.0)
        self._seed = seed
        self._update = update
        self._ordinary_share = ordinary_share

    def draw(self, step: int, copy: int) -> StartState | None:
        """Return the state in which an episode begins; None for an ordinary start.

        Args:
            step: Of the rollout; the first decision of the episode.
            copy: Index of the copy in the run.
        """
        if not self._states or u01(self._bits(step, copy, _IS_ORDINARY)) < self._ordinary_share:
            return None
        target = u01(self._bits(step, copy, _WHICH)) * self._reached[-1]
        index = int(np.searchsorted(self._reached, target, side="right"))
        return self._states[min(index, len(self._states) - 1)]

    def fresh_seed(self, step: int, copy: int) -> int:
        """Return the seed from which everything after a start is drawn."""
        return self._bits(step, copy, _SEED)

    def _bits(self, step: int, copy: int, purpose: int) -> int:
        return draw(self._seed, START_STATES, self._update, step, copy, purpose)
