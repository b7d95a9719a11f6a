"""What a player saw, did and earned, time-major."""

from collections.abc import Sequence

import numpy as np
import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32


class Recording:
    """Arrays of steps × rows, filled one step at a time."""

    def __init__(self, spec: WorldSpec, rows: int, steps: int) -> None:
        """Allocate the arrays."""
        self.spec = spec
        self.rows = rows
        size = (steps, rows)
        self._obs = np.zeros((*size, spec.obs_width), np.float32)
        self._obs_u8 = np.zeros((*size, spec.obs_u8_width), np.uint8)
        self._masks = np.zeros((*size, len(spec.option_names)), np.uint8)
        self._actions = np.zeros((*size, len(spec.heads)), np.int32)
        self._starts = np.zeros(size, np.uint8)
        self._alive = np.zeros(size, np.uint8)
        self._rewards: F32 = np.zeros(size, np.float32)
        self._terminated = np.zeros(size, np.bool_)
        self._truncated = np.zeros(size, np.bool_)

    @classmethod
    def joined(cls, parts: "Sequence[Recording]") -> "Recording":
        """Return recordings of the same number of steps side by side."""
        first = parts[0]
        whole = cls(first.spec, sum(part.rows for part in parts), len(first._rewards))
        for name, array in vars(whole).items():
            if isinstance(array, np.ndarray):
                np.concatenate([vars(part)[name] for part in parts], axis=1, out=array)
        return whole

    def write_decision(self, step: int, buffers: Buffers, actions: I32) -> None:
        """Keep what a decision was taken from, and the decision."""
        self._obs[step], self._obs_u8[step], self._masks[step] = buffers.obs, buffers.obs_u8, buffers.masks
        self._starts[step], self._alive[step] = buffers.episode_start, buffers.alive
        self._actions[step] = actions

    def write_outcome(self, step: int, buffers: Buffers) -> None:
        """Keep what came of it."""
        self._rewards[step] = buffers.rewards
        self._terminated[step], self._truncated[step] = buffers.terminated, buffers.truncated

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return what decisions were taken from, and the decisions."""
        arrays = {
            "obs": self._obs,
            "obs_u8": self._obs_u8,
            "masks": self._masks,
            "actions": self._actions,
            "starts": self._starts,
            "alive": self._alive,
        }
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def returns(self, gamma: float) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the discounted return from each decision on, and where it is known to the end of the episode."""
        returns = np.zeros_like(self._rewards)
        known = np.zeros(self._rewards.shape, np.bool_)
        later, is_known = np.zeros(self.rows, np.float32), np.zeros(self.rows, np.bool_)
        for step in reversed(range(len(returns))):
            ended = self._terminated[step] | self._truncated[step]
            # What a truncated episode would still have brought is not known, and neither is all that led to it.
            is_known = np.where(ended, self._terminated[step], is_known)
            later = self._rewards[step] + gamma * np.where(ended, np.float32(0.0), later)
            returns[step], known[step] = later, is_known
        return torch.from_numpy(returns), torch.from_numpy(known)
