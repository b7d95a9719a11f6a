"""The floor: players that any learner must beat."""

from typing import ClassVar

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.gameboy.roms.tasks.task import NOOP
from diorama.worlds.random_bot import RandomBot


class Noop:
    """Presses nothing."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Wait."""
        return (NOOP,)


class RandomKeys(RandomBot):
    """Presses any key that may be pressed, each as likely."""

    stream: ClassVar[int] = 61
