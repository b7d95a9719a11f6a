"""Recorded trajectories: observations, actions and outcomes, time-major."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8, U16


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryArrays:
    """Arrays of steps × rows, with a last axis where a row has several numbers.

    Attributes:
        extras: Masks that depend on another head's choice, by name.
    """

    obs: F32
    obs_u8: U8
    masks: U8
    actions: I32
    starts: U8
    alive: U8
    rewards: F32
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    dt: U16
    extras: Mapping[str, U8] = field(default_factory=dict)

    @classmethod
    def empty(
        cls, spec: WorldSpec, rows: int, steps: int, extras: Mapping[str, int] | None = None
    ) -> "TrajectoryArrays":
        """Return arrays of zeros; `extras` are the widths of extra arrays."""
        size = (steps, rows)
        return cls(
            obs=np.zeros((*size, spec.obs_width), np.float32),
            obs_u8=np.zeros((*size, spec.obs_u8_width), np.uint8),
            masks=np.zeros((*size, len(spec.option_names)), np.uint8),
            actions=np.zeros((*size, len(spec.heads)), np.int32),
            starts=np.zeros(size, np.uint8),
            alive=np.zeros(size, np.uint8),
            rewards=np.zeros(size, np.float32),
            terminated=np.zeros(size, np.bool_),
            truncated=np.zeros(size, np.bool_),
            dt=np.ones(size, np.uint16),
            extras={name: np.zeros((*size, width), np.uint8) for name, width in (extras or {}).items()},
        )

    @classmethod
    def concatenate(cls, parts: "Sequence[TrajectoryArrays]") -> "TrajectoryArrays":
        """Return arrays with the rows of all parts."""
        names = [item.name for item in fields(cls) if item.name != "extras"]
        return cls(
            **{name: np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names},
            extras={name: np.concatenate([part.extras[name] for part in parts], axis=1) for name in parts[0].extras},
        )


class Recording:
    """Trajectories that are written one step at a time."""

    def __init__(self, spec: WorldSpec, arrays: TrajectoryArrays) -> None:
        """Write into these arrays."""
        self.spec = spec
        self.arrays = arrays
        self.rows = arrays.rewards.shape[1]

    @classmethod
    def empty(cls, spec: WorldSpec, rows: int, steps: int, extras: Mapping[str, int] | None = None) -> "Recording":
        """Return a recording of zeros; `extras` are the widths of extra arrays."""
        return cls(spec, TrajectoryArrays.empty(spec, rows, steps, extras))

    @classmethod
    def concatenate(cls, parts: "Sequence[Recording]") -> "Recording":
        """Return the rows of recordings that have the same number of steps."""
        return cls(parts[0].spec, TrajectoryArrays.concatenate([part.arrays for part in parts]))

    def write_decision(self, step: int, buffers: Buffers, actions: I32) -> None:
        """Store the observations and the actions of a step."""
        arrays = self.arrays
        arrays.obs[step], arrays.obs_u8[step], arrays.masks[step] = buffers.obs, buffers.obs_u8, buffers.masks
        arrays.starts[step], arrays.alive[step] = buffers.episode_start, buffers.alive
        arrays.actions[step] = actions

    def write_outcome(self, step: int, buffers: Buffers) -> None:
        """Store the rewards, the end flags and the ticks of a step."""
        self.arrays.rewards[step] = buffers.rewards
        self.arrays.dt[step] = np.repeat(buffers.dt, self.spec.agents)
        self.arrays.terminated[step], self.arrays.truncated[step] = buffers.terminated, buffers.truncated

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return observations and actions as tensors that share the arrays' memory; `extra_tensors` has the rest."""
        arrays = self.arrays
        named = {
            "obs": arrays.obs,
            "obs_u8": arrays.obs_u8,
            "masks": arrays.masks,
            "actions": arrays.actions,
            "starts": arrays.starts,
            "alive": arrays.alive,
        }
        return {name: torch.from_numpy(array) for name, array in named.items()}

    def extra_tensors(self) -> dict[str, torch.Tensor]:
        """Return the extra arrays as tensors that share their memory."""
        return {name: torch.from_numpy(array) for name, array in self.arrays.extras.items()}

    def returns(
        self, gamma: float, *, max_tail_weight: float = 0.0, per_tick: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the discounted return of each decision, and a mask of the returns that are known.

        Args:
            gamma: Discount per decision, or per tick.
            max_tail_weight: In an episode that was cut off, a return counts as known once the rewards after the cut
                are discounted below this weight; 0 counts only returns that reach the end of an episode.
            per_tick: Whether a decision is discounted by gamma to the power of its ticks.
        """
        arrays = self.arrays
        discounts = np.float64(gamma) ** (arrays.dt if per_tick else np.ones_like(arrays.dt)).astype(np.float64)
        returns = np.zeros_like(arrays.rewards)
        known = np.zeros(arrays.rewards.shape, np.bool_)
        following, tail_weight = np.zeros(self.rows, np.float32), np.ones(self.rows)
        for step in reversed(range(len(returns))):
            ended = arrays.terminated[step] | arrays.truncated[step]
            # The rewards after a truncation are unknown, so every return before it has a tail that is unknown.
            tail_weight = discounts[step] * np.where(
                arrays.terminated[step], 0.0, np.where(arrays.truncated[step], 1.0, tail_weight)
            )
            later = np.where(ended, np.float32(0.0), following)
            following = arrays.rewards[step] + discounts[step].astype(np.float32) * later
            returns[step], known[step] = following, (tail_weight == 0.0) | (tail_weight < max_tail_weight)
        return torch.from_numpy(returns), torch.from_numpy(known)
