"""Registers every single-seat world with Gymnasium, as `diorama/Prospector-v1` and so on."""

import gymnasium

from diorama.contracts.spec import interface_number
from diorama.worlds.registry import load_world, world_ids


def gymnasium_id(world_id: str) -> str:
    """Return the id a world is registered under."""
    world = load_world(world_id)
    version = interface_number(world.describe(world.config_type()).interface_version)
    return f"diorama/{world_id.capitalize()}-v{version}"


def register_gymnasium() -> None:
    """Register the worlds; `import diorama` does it."""
    for world_id in world_ids():
        name = gymnasium_id(world_id)
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="diorama.engine.adapters.gymnasium_env:DioramaEnv",
                vector_entry_point="diorama.engine.adapters.gymnasium_vector:DioramaVectorEnv",
                kwargs={"world": world_id},
            )
