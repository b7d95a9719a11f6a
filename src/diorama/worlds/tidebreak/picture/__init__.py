"""Draws a moment of a battle with Pillow, 512 by 512; every fact in the picture is the frame's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from diorama.contracts.values import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image


def draw(render_state: JsonObject, events: Sequence[str]) -> "Image":
    """Draw one moment; Pillow is loaded when the first picture is asked for.

    Args:
        render_state: A frame, or what one side sees of it.
        events: Names of what happened in the tick that led here.
    """
    from diorama.worlds.tidebreak.picture.composition import compose

    return compose(render_state, events)
