"""What a scripted baseline is, for one seat and for all rows of a batch."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, I32, U8


class Bot(Protocol):
    """Plays one seat from its observation row; holds whatever memory the rules of the bot allow."""

    def reset(self, episode_seed: int) -> None:
        """Forget the last episode."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Choose one option per head from one seat's rows."""


@runtime_checkable
class RememberingBot(Bot, Protocol):
    """A bot that goes by more than the row it sees.

    Attributes:
        memory: All that it goes by besides, and nothing that is the same for every bot of its kind: a number, a random
            stream, or a dataclass of such values, enums, lists and sets, so that a snapshot can hold it. Whoever
            puts another bot's memory in its place has a bot that goes on where the other was.
    """

    memory: object


class BatchedBot(Protocol):
    """Plays all rows of a batch at once, and decides for each of them exactly as a `Bot` of its own would."""

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Forget the last episode of these rows; `seeds` are the seeds of those that begin."""

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row; the result is rows by heads, and the next call may reuse it."""

    def memories(self) -> NDArray[np.integer[Any]]:
        """Return what the bot remembers of each row, rows by numbers; zeros may be appended to every row."""

    def load_memories(self, memories: NDArray[np.integer[Any]]) -> None:
        """Go on from what `memories` returned for as many rows.

        Raises:
            SnapshotError: These are no memories of such a bot.
        """
