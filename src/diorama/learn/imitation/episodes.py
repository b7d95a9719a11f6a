"""Episodes of demonstrations, as arrays."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError, DocumentError
from diorama.contracts.values import F32, I32, U8
from diorama.storage.array_files import parse_npz

_OWN_ARRAYS: Final = ("actions", "masks", "rewards", "dones", "values")


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An episode of `T` decisions.

    Attributes:
        observation: Parts of the observation row by name, in the order in which they make up the row; T × shape each.
        actions: T × heads.
        masks: T × options of all heads.
        rewards: T.
        dones: T; 1 where the episode ended by the rules, which can only be its last decision.
        values: T + 1 discounted returns; the last is of what comes after, and 0.
    """

    observation: Mapping[str, F32]
    actions: I32
    masks: U8
    rewards: F32
    dones: U8
    values: F32

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong to one episode."""
        lengths = {name: len(array) for name, array in self._arrays().items()}
        lengths["values"] -= 1
        if len(set(lengths.values())) != 1 or not len(self):
            raise ContractError(f"an episode has arrays of different lengths or none: {lengths}")
        if taken := sorted(set(self.observation) & set(_OWN_ARRAYS)):
            raise ContractError(f"a part of an observation cannot be called {taken[0]!r}")

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.rewards)

    @property
    def rows(self) -> F32:
        """Observation rows, T × width."""
        return np.concatenate([part.reshape(len(self), -1) for part in self.observation.values()], axis=1)

    @property
    def has_choice(self) -> NDArray[np.bool_]:
        """Where more than one option was valid; only such decisions are imitated."""
        valid: NDArray[np.intp] = (self.masks != 0).sum(axis=1)
        more: NDArray[np.bool_] = valid > self.actions.shape[1]
        return more

    @property
    def is_finished(self) -> bool:
        """Whether it ended by the rules."""
        return bool(self.dones[-1])

    def packed(self) -> bytes:
        """Return it as an NPZ file; the same episode gives the same bytes."""
        file = io.BytesIO()
        arrays: dict[str, Any] = {**self._arrays()}
        np.savez_compressed(file, **arrays)
        return file.getvalue()

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        # A single head is stored as a plain row of choices.
        actions = self.actions[:, 0] if self.actions.shape[1] == 1 else self.actions
        return {
            **self.observation,
            "actions": actions,
            "masks": self.masks,
            "rewards": self.rewards,
            "dones": self.dones,
            "values": self.values,
        }


def unpacked(data: bytes, parts: tuple[str, ...], *, where: str) -> Episode:
    """Return the episode of an NPZ file; `parts` names the parts of its observation in order.

    Raises:
        DocumentError: It is none, or has other arrays.
    """
    arrays = parse_npz(data, (*parts, *_OWN_ARRAYS), where)
    try:
        return Episode(
            observation={name: arrays[name].astype(np.float32, copy=False) for name in parts},
            actions=arrays["actions"].astype(np.int32, copy=False).reshape(len(arrays["rewards"]), -1),
            masks=arrays["masks"].astype(np.uint8, copy=False),
            rewards=arrays["rewards"].astype(np.float32, copy=False),
            dones=arrays["dones"].astype(np.uint8, copy=False),
            values=arrays["values"].astype(np.float32, copy=False),
        )
    except (ValueError, TypeError, IndexError, ContractError) as error:
        raise DocumentError(f"{where}: is no stored episode ({error})") from None


def discounted(rewards: F32, gamma: float) -> F32:
    """Return the discounted return from every decision on, and a 0 for what comes after the last."""
    values = np.zeros(len(rewards) + 1, np.float64)
    for place in reversed(range(len(rewards))):
        values[place] = rewards[place] + gamma * values[place + 1]
    return values.astype(np.float32)
