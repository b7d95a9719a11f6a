"""`Subject`: the world under examination, in one configuration and in the tiers that run here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

from diorama.conformance.endings import Ending, Unended, play_to_an_end
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import TierUnavailable
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import Tier
from diorama.contracts.world import World
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch

SEED: Final = 20_011
OTHER_SEED: Final = 20_023
_ENDING_SECONDS: Final = 25.0  # a slow world may need longer: that is told, and not held against it


@dataclass(frozen=True, kw_only=True, eq=False)
class Subject:
    """What is examined; nothing is opened before a check asks for it."""

    world: World[WorldConfig]
    config: WorldConfig

    @classmethod
    def of(cls, world: World[WorldConfig], settings: Mapping[str, object] | None = None) -> Self:
        """Take a world in its default configuration, or in another.

        Raises:
            ConfigError: The world does not take that configuration.
        """
        return cls(world=world, config=parse_config(world.id, world.config_type, settings))

    @cached_property
    def spec(self) -> WorldSpec:
        """The contract in this configuration."""
        return self.world.describe(self.config)

    @cached_property
    def missing_fast_tier(self) -> str:
        """Why there is no fast tier here; empty where there is one."""
        try:
            self.open(Tier.FAST).close()
        except TierUnavailable as reason:
            return str(reason)
        return ""

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """The tiers that run here, the readable one first."""
        return (Tier.REFERENCE,) if self.missing_fast_tier else (Tier.REFERENCE, Tier.FAST)

    @property
    def quickest(self) -> Tier:
        """The tier to take where it does not matter which."""
        return self.tiers[-1]

    @cached_property
    def first_ending(self) -> Ending | Unended:
        """How the first episode ends, played by chance; of the quickest tier."""
        batch = self.opened(self.quickest)
        ending = play_to_an_end(batch, limit=self.world.evaluation.max_decisions, seconds=_ENDING_SECONDS)
        batch.close()
        return ending

    @property
    def has_own_copies(self) -> bool:
        """Whether copies know nothing of one another, so that each equals a batch of one."""
        return self.world.assemble is None

    def open(self, tier: Tier, *, copies: int = 1, threads: int = 1) -> Batch:
        """Make a batch of a tier; it is not reset."""
        return make_batch(self.world, copies=copies, config=self.config, seed=SEED, tier=tier, threads=threads)

    def opened(self, tier: Tier, seeds: Sequence[int] = (SEED,), *, threads: int = 1) -> Batch:
        """Make a batch with a copy for each seed, at the beginning of those episodes."""
        batch = self.open(tier, copies=len(seeds), threads=threads)
        batch.reset(seeds)
        return batch
