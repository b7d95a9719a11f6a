"""Where the two sides of a comparison come from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from diorama.contracts.config import WorldConfig
from diorama.contracts.tiers import Tier
from diorama.contracts.world import World
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.parity.cases import Case


@dataclass(frozen=True, slots=True)
class Sides:
    """Makes a fresh batch of one copy for each side of a case; any two implementations will do."""

    reference: Callable[[Case], Batch]
    fast: Callable[[Case], Batch]

    @classmethod
    def of_world(cls, world: World[WorldConfig]) -> Self:
        """Return the two tiers of a world."""
        return cls(lambda case: _one_copy(world, case, Tier.REFERENCE), lambda case: _one_copy(world, case, Tier.FAST))


def _one_copy(world: World[WorldConfig], case: Case, tier: Tier) -> Batch:
    return make_batch(world, copies=1, config=case.column.config, seed=case.seed, tier=tier, threads=1)
