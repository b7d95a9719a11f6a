"""The floor: citizens that any learner must beat; they play options and primitives alike."""

from typing import ClassVar

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.random_bot import RandomBot
from diorama.worlds.townlet.codes import Option


class Idle:
    """Stays at home, or stands still."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Idle, or keep on with what the citizen is bound to."""
        return (int(Option.IDLE) if mask[Option.IDLE] else int(mask.argmax()),)


class RandomValid(RandomBot):
    """Chooses uniformly among the valid actions."""

    stream: ClassVar[int] = 101
