"""`Episode`: one demonstrated episode as arrays."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError, DocumentError
from diorama.contracts.values import F32, I32, U8, U16
from diorama.storage.array_files import parse_npz

_OWN_ARRAYS: Final = ("actions", "masks", "rewards", "dones", "values")
_DT: Final = "dt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An episode of `T` decisions.

    Attributes:
        observation: Parts of the observation row by name, in row order; T × shape each.
        actions: T × heads.
        masks: T × options of all heads.
        rewards: T.
        dones: T; 1 where the episode terminated, which only its last decision can do.
        values: T + 1 discounted returns; the last one, after the episode, is 0.
        dt: T; ticks of each decision. None where each took one.
    """

    observation: Mapping[str, F32]
    actions: I32
    masks: U8
    rewards: F32
    dones: U8
    values: F32
    dt: U16 | None = None

    def __post_init__(self) -> None:
        """Check that the arrays have one length and that names are unique."""
        lengths = {name: len(array) for name, array in self._arrays().items()}
        lengths["values"] -= 1
        if len(set(lengths.values())) != 1 or not len(self):
            raise ContractError(
                f"the arrays of an episode must have the same length of 1 or more: {lengths}",
                code="episode_lengths_differ",
                lengths=lengths,
            )
        reserved = (*_OWN_ARRAYS, _DT)
        if taken := sorted(set(self.observation) & set(reserved)):
            raise ContractError(
                f"a part of an observation cannot be called {taken[0]!r}; other arrays are: {', '.join(reserved)}",
                code="observation_name_taken",
                name=taken[0],
            )

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.rewards)

    @property
    def observation_rows(self) -> F32:
        """Observations flattened to T × width."""
        return np.concatenate([part.reshape(len(self), -1) for part in self.observation.values()], axis=1)

    @property
    def has_choice(self) -> NDArray[np.bool_]:
        """Mask of the decisions with more than one valid option; only these are imitated."""
        valid: NDArray[np.intp] = (self.masks != 0).sum(axis=1)
        more: NDArray[np.bool_] = valid > self.actions.shape[1]
        return more

    @property
    def ticks(self) -> U16:
        """Ticks of each decision."""
        return np.ones(len(self), np.uint16) if self.dt is None else self.dt

    @property
    def is_finished(self) -> bool:
        """Whether it terminated; False if it was cut off."""
        return bool(self.dones[-1])

    def to_npz(self) -> bytes:
        """Return the bytes of an NPZ file; equal episodes give equal bytes."""
        file = io.BytesIO()
        arrays: dict[str, Any] = {**self._arrays()}
        np.savez_compressed(file, **arrays)
        return file.getvalue()

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        # A single head is stored without the axis of heads.
        actions = self.actions[:, 0] if self.actions.shape[1] == 1 else self.actions
        return {
            **self.observation,
            "actions": actions,
            "masks": self.masks,
            "rewards": self.rewards,
            "dones": self.dones,
            "values": self.values,
            **({} if self.dt is None else {_DT: self.dt}),
        }


def episode_from_npz(data: bytes, parts: tuple[str, ...], *, where: str) -> Episode:
    """Return the episode of an NPZ file.

    Args:
        data: The file.
        parts: Names of the parts of its observation, in row order.
        where: Path of the file, for messages.

    Raises:
        DocumentError: The file is broken, or has other arrays.
    """
    arrays = parse_npz(data, (*parts, *_OWN_ARRAYS), where, optional=(_DT,))
    try:
        return Episode(
            observation={name: arrays[name].astype(np.float32, copy=False) for name in parts},
            actions=arrays["actions"].astype(np.int32, copy=False).reshape(len(arrays["rewards"]), -1),
            masks=arrays["masks"].astype(np.uint8, copy=False),
            rewards=arrays["rewards"].astype(np.float32, copy=False),
            dones=arrays["dones"].astype(np.uint8, copy=False),
            values=arrays["values"].astype(np.float32, copy=False),
            dt=arrays[_DT].astype(np.uint16, copy=False) if _DT in arrays else None,
        )
    except (ValueError, TypeError, IndexError, ContractError) as error:
        raise DocumentError(
            f"{where}: is not a stored episode ({error})", code="episode_file_invalid", path=where, reason=str(error)
        ) from None


def discounted_returns(rewards: F32, gamma: float) -> F32:
    """Return the discounted return of each decision, and a 0 after the last."""
    returns = np.zeros(len(rewards) + 1, np.float64)
    for step in reversed(range(len(rewards))):
        returns[step] = rewards[step] + gamma * returns[step + 1]
    return returns.astype(np.float32)
