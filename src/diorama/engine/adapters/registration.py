"""Registers every world with Gymnasium, as `diorama/Prospector-v1` and so on."""

import gymnasium

from diorama.contracts.spec import interface_number
from diorama.worlds.registry import further_environments, interface_version, world_ids


def gymnasium_id(world_id: str) -> str:
    """Return the id a world is registered under."""
    return f"diorama/{world_id.capitalize()}-v{interface_number(interface_version(world_id))}"


def register_gymnasium() -> None:
    """Register the worlds; `import diorama` has it done."""
    for world_id in world_ids():
        name = gymnasium_id(world_id)
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="diorama.engine.adapters.gymnasium_env:DioramaEnv",
                vector_entry_point="diorama.engine.adapters.gymnasium_vector:DioramaVectorEnv",
                kwargs={"world": world_id},
            )
    for name, entry_point in further_environments().items():
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point=entry_point)
