"""Gymnasium's vectorized CartPole as a source the trainer can learn from."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Self

import gymnasium
import numpy as np

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import SnapshotError
from diorama.contracts.spec import ActionHead, Metric, ObservationField, WorldSpec
from diorama.contracts.values import I32

SPEC = WorldSpec(
    world="cartpole",
    interface_version="cartpole-v1",
    agents=1,
    observation=(
        ObservationField(name="state", start=0, shape=(4,), low=-5.0, high=5.0, meaning="x, v, angle, angular speed"),
    ),
    heads=(ActionHead(name="push", options=("left", "right"), noop=0),),
    has_mask=False,
    metrics=(Metric(key="steps", label="Steps"),),
    events=(),
    tick_seconds=0.02,
    snapshot_magic=b"CART",
    snapshot_version=1,
)


class CartPoles:
    """Copies of CartPole-v1.

    Gymnasium resets an ended copy in the step that follows, whose action it ignores. For that step the copy counts
    as dead: nobody decides, nothing is learned.
    """

    spec = SPEC

    def __init__(self, copies: int, seed: int) -> None:
        """Make the copies."""
        self.copies = copies
        self.buffers = Buffers.allocate(SPEC, copies)
        self._seed = seed
        self._envs: gymnasium.vector.VectorEnv = gymnasium.make_vec(
            "CartPole-v1", num_envs=copies, vectorization_mode="vector_entry_point"
        )
        self._lengths = np.zeros(copies, np.int64)
        self._ended = np.zeros(copies, np.bool_)

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on."""
        self.buffers = buffers

    def reset(self) -> None:
        """Open an episode in every copy."""
        self.buffers.obs[:], _ = self._envs.reset(seed=self._seed)
        self.buffers.masks[:] = 1
        self.buffers.alive[:] = 1
        self.buffers.episode_start[:] = 1

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy."""
        self.buffers = into
        obs, rewards, terminated, truncated, _ = self._envs.step(actions[:, 0])
        into.obs[:], into.rewards[:], into.terminated[:], into.truncated[:] = obs, rewards, terminated, truncated
        into.episode_start[:] = self._ended
        self._lengths = np.where(self._ended, 0, self._lengths + 1)
        self._ended = terminated | truncated
        into.metrics[:, 0] = self._lengths
        into.final_obs[self._ended] = obs[self._ended]
        into.alive[:] = ~self._ended
        into.masks[:] = 1
        into.dt[:] = 1

    def split(self, parts: int) -> Sequence[Self]:
        """Make as many sources, each with a seed of its own."""
        bounds = [part * self.copies // parts for part in range(parts + 1)]
        return [type(self)(stop - start, self._seed + part) for part, (start, stop) in enumerate(pairwise(bounds))]

    def snapshot(self, copy: int) -> bytes:
        """Refuse: Gymnasium's copies cannot be saved."""
        raise SnapshotError("Gymnasium's CartPole has no snapshots")

    def restore(self, copy: int, data: bytes) -> None:
        """Refuse: Gymnasium's copies cannot be restored."""
        raise SnapshotError("Gymnasium's CartPole has no snapshots")
