"""`diorama.parallel_env`: PettingZoo is loaded when the first one is asked for."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from diorama.contracts.config import WorldConfig

if TYPE_CHECKING:
    from diorama.engine.adapters.parallel import DioramaParallelEnv


def parallel_env(
    world: str,
    *,
    config: Mapping[str, object] | WorldConfig | None = None,
    seed: int = 0,
    tier: str = "auto",
    render_mode: str | None = None,
) -> "DioramaParallelEnv":
    """Make one copy of a world as a PettingZoo `ParallelEnv`.

    There is one agent per seat; where seats change hands while the episode runs, one for everybody who has a seat.

    Args:
        world: World id.
        config: The world's own configuration; in most worlds it sets the number of seats.
        seed: Base of the seed sequence until `reset` is given one.
        tier: `"auto"`, `"reference"` or `"fast"`.
        render_mode: What `render` gives: `"rgb_array"`, where the world has pictures, or `"frame"`.
    """
    from diorama.engine.adapters.cast_env import CastParallelEnv
    from diorama.engine.adapters.parallel import DioramaParallelEnv
    from diorama.worlds.registry import load_world

    environment = DioramaParallelEnv if load_world(world).cast is None else CastParallelEnv
    return environment(world, config=config, seed=seed, tier=tier, render_mode=render_mode)
