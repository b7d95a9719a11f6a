"""What a player saw, did and earned, time-major."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracks:
    """One array per thing that is written down, steps × rows, with a last axis where a row has several numbers."""

    obs: F32
    obs_u8: U8
    masks: U8
    actions: I32
    starts: U8
    alive: U8
    rewards: F32
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]

    @classmethod
    def empty(cls, spec: WorldSpec, rows: int, steps: int) -> "Tracks":
        """Return zeros for this many rows and steps."""
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
        )

    @classmethod
    def joined(cls, parts: "Sequence[Tracks]") -> "Tracks":
        """Return the rows of several, side by side."""
        return cls(
            **{item.name: np.concatenate([getattr(part, item.name) for part in parts], axis=1) for item in fields(cls)}
        )


class Recording:
    """Tracks that are filled one step at a time."""

    def __init__(self, spec: WorldSpec, tracks: Tracks) -> None:
        """Write into these tracks."""
        self.spec = spec
        self.tracks = tracks
        self.rows = tracks.rewards.shape[1]

    @classmethod
    def blank(cls, spec: WorldSpec, rows: int, steps: int) -> "Recording":
        """Return a recording in which nothing has happened yet."""
        return cls(spec, Tracks.empty(spec, rows, steps))

    @classmethod
    def joined(cls, parts: "Sequence[Recording]") -> "Recording":
        """Return recordings of the same number of steps side by side."""
        return cls(parts[0].spec, Tracks.joined([part.tracks for part in parts]))

    def write_decision(self, step: int, buffers: Buffers, actions: I32) -> None:
        """Keep what a decision was taken from, and the decision."""
        tracks = self.tracks
        tracks.obs[step], tracks.obs_u8[step], tracks.masks[step] = buffers.obs, buffers.obs_u8, buffers.masks
        tracks.starts[step], tracks.alive[step] = buffers.episode_start, buffers.alive
        tracks.actions[step] = actions

    def write_outcome(self, step: int, buffers: Buffers) -> None:
        """Keep what came of it."""
        self.tracks.rewards[step] = buffers.rewards
        self.tracks.terminated[step], self.tracks.truncated[step] = buffers.terminated, buffers.truncated

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return what decisions were taken from, and the decisions."""
        tracks = self.tracks
        arrays = {
            "obs": tracks.obs,
            "obs_u8": tracks.obs_u8,
            "masks": tracks.masks,
            "actions": tracks.actions,
            "starts": tracks.starts,
            "alive": tracks.alive,
        }
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def returns(self, gamma: float, *, most_missing: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the discounted return from each decision on, and where it is known.

        Args:
            gamma: Discount per decision.
            most_missing: Where an episode was cut off, its returns count as known as soon as what is missing weighs
                less than this; 0 counts only returns to the very end of an episode.
        """
        tracks = self.tracks
        returns = np.zeros_like(tracks.rewards)
        known = np.zeros(tracks.rewards.shape, np.bool_)
        later, missing = np.zeros(self.rows, np.float32), np.ones(self.rows)
        for step in reversed(range(len(returns))):
            ended = tracks.terminated[step] | tracks.truncated[step]
            # What a truncated episode would still have brought is not known, and neither is all that led to it.
            missing = gamma * np.where(tracks.terminated[step], 0.0, np.where(tracks.truncated[step], 1.0, missing))
            later = tracks.rewards[step] + gamma * np.where(ended, np.float32(0.0), later)
            returns[step], known[step] = later, (missing == 0.0) | (missing < most_missing)
        return torch.from_numpy(returns), torch.from_numpy(known)
