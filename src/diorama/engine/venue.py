"""`Venue`: the world, configuration and tier on which every contender is judged alike."""

from collections.abc import Mapping
from dataclasses import dataclass

from diorama.contracts.config import WorldConfig, config_hash, parse_config
from diorama.contracts.foreign_config import FileAccess, parse_foreign_config
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from diorama.engine.batch import Batch
from diorama.engine.batch_views import BatchFacts
from diorama.engine.make import make_batch
from diorama.engine.tiers import AUTO
from diorama.worlds.registry import load_world


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """Where contenders play.

    Attributes:
        world: The registration of the world.
        config: The configuration every contender plays under.
        tier: As in `diorama.make`.
        threads: As in `diorama.make`.
    """

    world: World[WorldConfig]
    config: WorldConfig
    tier: str = AUTO
    threads: int | str = AUTO

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world in this configuration."""
        return self.world.describe(self.config)

    @property
    def config_hash(self) -> str:
        """SHA-256 of world, interface version and configuration."""
        return config_hash(self.spec.interface_version, self.spec.world, self.config)

    def profile_configs(self) -> dict[str, WorldConfig]:
        """Return the configuration of every reward profile returns are reported under."""
        profiles = self.world.evaluation.return_profiles
        return {
            name: self._with(overrides(self.config) if callable(overrides) else overrides)
            for name, overrides in profiles
        }

    def probe(self) -> BatchFacts:
        """Return what a batch of this venue is, above all which tier runs.

        Raises:
            TierUnavailable: The tier was asked for by name and cannot run here.
        """
        batch = self.batch(self.config, 1)
        batch.close()
        return batch.facts

    def batch(self, config: WorldConfig, copies: int) -> Batch:
        """Make a batch for one of this venue's configurations."""
        return make_batch(self.world, copies=copies, config=config, tier=self.tier, threads=self.threads)

    def _with(self, overrides: Mapping[str, object]) -> WorldConfig:
        return parse_config(self.world.id, self.world.config_type, {**self.config.model_dump(), **overrides})


def open_venue(
    world_id: str, config: Mapping[str, object] | None = None, *, tier: str = AUTO, threads: int | str = AUTO
) -> Venue:
    """Return the venue of a world by name.

    Raises:
        UnknownName: No such world.
        ConfigError: A value of the configuration is wrong.
    """
    world = load_world(world_id)
    return Venue(world=world, config=parse_config(world.id, world.config_type, config), tier=tier, threads=threads)


def open_foreign_venue(
    world_id: str,
    config: Mapping[str, object],
    source: str,
    *,
    files: FileAccess,
    tier: str = AUTO,
    threads: int | str = AUTO,
) -> Venue:
    """Return the venue of a configuration from another author; see `parse_foreign_config`.

    Raises:
        UnknownName: No such world.
        ConfigError: A value of the configuration is wrong, or names a module or a file that is not allowed.
    """
    world = load_world(world_id)
    parsed = parse_foreign_config(world, config, source, files=files)
    return Venue(world=world, config=parsed, tier=tier, threads=threads)
