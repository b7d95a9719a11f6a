"""The floor: pilots that any learner must beat."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import Act

_RANDOM_STREAM: Final = 99


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


class RandomValid:
    """Chooses uniformly among the valid actions.

    Attributes:
        memory: The stream it draws from.
    """

    def __init__(self) -> None:
        """Begin with the stream of episode seed 0."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Begin the stream of the episode."""
        self.memory = Pcg32.from_seed(episode_seed, _RANDOM_STREAM)

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw one of the valid actions; one u32."""
        valid: list[int] = mask.nonzero()[0].tolist()
        return (valid[self.memory.randint_exclusive(0, len(valid))],)
