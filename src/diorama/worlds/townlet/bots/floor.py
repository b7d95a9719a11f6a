"""The floor: citizens that any learner must beat; they play options and primitives alike."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.townlet.codes import Option

_RANDOM_STREAM: Final = 101


class Idle:
    """Stays at home, or stands still."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Idle, or keep on with what the citizen is bound to."""
        return (int(Option.IDLE) if mask[Option.IDLE] else int(mask.argmax()),)


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
