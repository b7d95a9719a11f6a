"""What a scripted baseline is."""

from typing import Protocol

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8


class Bot(Protocol):
    """Plays one seat from its observation row; holds whatever memory the rules of the bot allow."""

    def reset(self, episode_seed: int) -> None:
        """Forget the last episode."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Choose one option per head from one seat's rows."""
