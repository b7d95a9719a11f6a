"""`RandomBot`: the floor that every world has."""

from typing import ClassVar

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32


class RandomBot:
    """Chooses uniformly among the valid options of a world with one head.

    Attributes:
        stream: Number of the stream; each world has one of its own.
        memory: The stream it draws from.
    """

    stream: ClassVar[int]

    def __init__(self) -> None:
        """Begin with the stream of episode seed 0."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Begin the stream of the episode."""
        self.memory = Pcg32.from_seed(episode_seed, self.stream)

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw one of the valid options; one u32."""
        return (self.memory.choose_valid(mask),)
