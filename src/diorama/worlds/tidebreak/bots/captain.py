"""`Captain`: a script that plays a seat."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.tidebreak.bots.view import View
from diorama.worlds.tidebreak.bots.wish import Wish, decide

_RANDOM_STREAM: Final = 112


@dataclass(slots=True)
class Memory:
    """What a captain remembers: decisions taken in this episode, and the heading of the present leg."""

    rng: Pcg32
    decisions: int = 0
    leg_heading: float = 0.0


Plan = Callable[[View, Memory], Wish]


class Captain:
    """Carries out one plan, tick after tick."""

    def __init__(self, plan: Plan) -> None:
        """Begin with the luck of episode seed 0."""
        self._plan = plan
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Forget the last episode."""
        self.memory = Memory(Pcg32.from_seed(episode_seed, _RANDOM_STREAM))

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Choose one option per head."""
        view = View(obs, mask)
        decision = decide(view, self._plan(view, self.memory))
        self.memory.decisions += 1
        return decision
