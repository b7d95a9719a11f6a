"""What `render()` of a single environment gives."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError
from diorama.contracts.values import U8, JsonObject
from diorama.contracts.world import World

RGB_ARRAY: Final = "rgb_array"
FRAME: Final = "frame"
RENDER_MODES: Final = (RGB_ARRAY, FRAME)
RENDER_FPS: Final = 10


def check_render_mode(world: World[WorldConfig], mode: str | None) -> None:
    """Refuse a mode that the world cannot render in.

    Raises:
        ConfigError: With the modes there are.
    """
    offered = RENDER_MODES if world.draw is not None else (FRAME,)
    if mode is not None and mode not in offered:
        raise ConfigError(f"{world.id!r} has no render mode {mode!r}; there are: {', '.join(offered)}")


def rendered(
    world: World[WorldConfig], mode: str | None, state: JsonObject, events: Sequence[str], *, seat: int
) -> U8 | JsonObject | None:
    """Return a moment as a picture, as the JSON frame that the seat may see, or not at all.

    Args:
        world: Whose moment.
        mode: One of `RENDER_MODES`; None for nothing.
        state: Everything that is true.
        events: Names of what led to it.
        seat: Who looks, in the mode `frame`.
    """
    if mode == RGB_ARRAY and world.draw is not None:
        picture: U8 = np.asarray(world.draw(state, events), dtype=np.uint8)
        return picture
    if mode == FRAME:
        return state if world.seen_by is None else world.seen_by(state, seat).picture
    return None
