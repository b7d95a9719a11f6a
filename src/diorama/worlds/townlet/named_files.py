"""Which files and modules of the user a configuration names."""

from typing import Final

from diorama.worlds.townlet.config.simulation import TownletConfig

_SHIPPED: Final = TownletConfig()


def named_files(config: TownletConfig) -> tuple[str, ...]:
    """Return maps, manifests and event files that do not come with the town, and modules that hold hooks."""
    named = (
        (config.world.town_file, _SHIPPED.world.town_file),
        (config.affordances.affordances_file, _SHIPPED.affordances.affordances_file),
        (config.perturbations.file, _SHIPPED.perturbations.file),
    )
    return (*(file for file, shipped in named if file != shipped), *named_modules(config))


def named_modules(config: TownletConfig) -> tuple[str, ...]:
    """Return modules that hold hooks."""
    return config.affordances.hook_modules
