"""The floor: pilots that any learner must beat."""

from typing import ClassVar

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.prospector.contract import Act
from diorama.worlds.random_bot import RandomBot


class CashOut:
    """Ends every episode at once."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Cash out."""
        return (Act.CASH_OUT_END_EPISODE,)


class Idle:
    """Holds until the time is up."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Hold."""
        return (Act.HOLD_DRIFT,)


class RandomValid(RandomBot):
    """Chooses uniformly among the valid actions."""

    stream: ClassVar[int] = 99
