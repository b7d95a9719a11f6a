"""Draws a moment of a growing host with Pillow, 640 by 400; every fact in the picture is the render state's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from diorama.contracts.values import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image


def draw(render_state: JsonObject, events: Sequence[str]) -> "Image":
    """Draw one moment; Pillow is loaded when the first picture is asked for.

    Args:
        render_state: As `render.render_state` gives it, or as a replay stores it.
        events: Names of what happened in the epoch that led here; the slots show it.
    """
    from diorama.worlds.morphogenesis.picture.composition import compose

    return compose(render_state)
