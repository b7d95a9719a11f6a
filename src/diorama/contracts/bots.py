"""What a scripted baseline is."""

from typing import Protocol, runtime_checkable

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8


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
