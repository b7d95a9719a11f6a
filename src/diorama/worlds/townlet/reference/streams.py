"""The three random streams of a town; nothing else in it draws.

    world    replacement spawns (stage 2, tickets in due order), chat outcomes (stage 4, in rotating seat order),
             delays of replacements (stage 5, in exit order); at the start the initial population, by seat
    events   the perturbation scheduler (stage 2)
    policy   stage 3, by ascending seat: anneal blend, then action sampling; nothing in training

Spawning or removing a citizen never seeds a stream anew.
"""

from dataclasses import dataclass
from typing import Self

from diorama.rng import Pcg32


@dataclass(slots=True)
class Streams:
    """The streams of one town."""

    world: Pcg32
    events: Pcg32
    policy: Pcg32

    @classmethod
    def of_seed(cls, seed: int) -> Self:
        """Begin the streams of a run: each from SHA-256 of the text `<seed>:<name>`."""
        return cls(Pcg32.named(seed, "world"), Pcg32.named(seed, "events"), Pcg32.named(seed, "policy"))

    @property
    def draws(self) -> int:
        """Numbers drawn from all three."""
        return self.world.draws + self.events.draws + self.policy.draws

    def all(self) -> tuple[Pcg32, Pcg32, Pcg32]:
        """In the order of the state words."""
        return self.world, self.events, self.policy
