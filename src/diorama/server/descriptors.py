"""The descriptor of a world in any configuration, as the JSON text that clients get."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.descriptor import describe_world
from diorama.contracts.errors import UnknownName
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.runs.documents import encode
from diorama.worlds.registry import load_world

_KEPT: Final = 64  # descriptors of up to 100 kB


def variant_settings(world: World[WorldConfig], variant: str | None) -> Mapping[str, object]:
    """Return what a named variant changes about the default configuration; nothing without a name.

    Raises:
        UnknownName: The world has no such variant.
    """
    if variant is None:
        return {}
    if variant not in world.variants:
        known = f"there are: {', '.join(world.variants)}" if world.variants else "it has none; leave it out"
        raise UnknownName(f"no variant of {world.id!r} is called {variant!r}; {known}")
    return world.variants[variant]


def variant_config(world: World[WorldConfig], variant: str | None) -> WorldConfig:
    """Return the configuration of a named variant, or the default one.

    Raises:
        UnknownName: The world has no such variant.
    """
    return parse_config(world.id, world.config_type, variant_settings(world, variant))


def descriptor(world: World[WorldConfig], config: WorldConfig) -> bytes:
    """Return the descriptor of a world in a configuration, which of its variants that is, and which there are."""
    return _descriptor(world.id, config.model_dump_json())


@lru_cache(maxsize=_KEPT)
def _descriptor(world_id: str, config_text: str) -> bytes:
    world = load_world(world_id)
    config = world.config_type.model_validate_json(config_text)
    described: JsonObject = {
        **describe_world(world, config),
        "has_sides": world.matches is not None,
        "variant": _variant_of(world, config),
        "variants": list(world.variants),
    }
    return encode(described)


def _variant_of(world: World[WorldConfig], config: WorldConfig) -> str | None:
    """Return the first variant with the same contract, unless it is that of the default configuration."""
    spec = world.describe(config)
    names = (None, *world.variants)
    return next((name for name in names if world.describe(variant_config(world, name)) == spec), None)
