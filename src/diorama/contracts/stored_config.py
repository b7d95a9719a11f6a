"""Configurations that lie in a replay, a bundle or a run: whoever wrote the file has no say in which code runs here."""

import os
from collections.abc import Mapping
from typing import Final

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.world import World

ALLOWED_MODULES: Final = "DIORAMA_HOOK_MODULES"
"""Environment variable with the modules that stored configurations may name, separated by commas."""


def parse_stored_config(world: World[WorldConfig], given: Mapping[str, object], source: str) -> WorldConfig:
    """Validate a configuration that was read from a file other than the user's own configuration.

    Args:
        world: Whose it is.
        given: What the file holds.
        source: What it is called in an error.

    Raises:
        ConfigError: A value is wrong, or names a module that whoever runs this has not allowed.
    """
    config = parse_config(world.id, world.config_type, given)
    named = () if world.named_modules is None else world.named_modules(config)
    allowed = {name.strip() for name in os.environ.get(ALLOWED_MODULES, "").split(",")}
    if strange := [name for name in named if name not in allowed]:
        raise ConfigError(
            f"{source}: its configuration names the Python module {strange[0][:200]!r}, whose code would run here; "
            f"if you trust it, set {ALLOWED_MODULES}={','.join(named)[:400]}"
        )
    return config
