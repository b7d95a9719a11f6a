"""The floor: players that any learner must beat."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.gameboy.roms.tasks.task import NOOP

_RANDOM_STREAM: Final = 61


class Noop:
    """Presses nothing."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Wait."""
        return (NOOP,)


class RandomKeys:
    """Presses any key that may be pressed, each as likely.

    Attributes:
        memory: The stream it draws from.
    """

    def __init__(self) -> None:
        """Begin with the keys of seed 0; `reset` gives others."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Begin the keys of a seed."""
        self.memory = Pcg32.from_seed(episode_seed, _RANDOM_STREAM)

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw a key among those that may be pressed."""
        keys = mask.nonzero()[0]
        return (int(keys[self.memory.randint_exclusive(0, len(keys))]),)
