"""Draws a moment of a town with Pillow, 640 by 400; every fact in the picture is the frame's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from diorama.contracts.values import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image


def draw(render_state: JsonObject, events: Sequence[str]) -> "Image":
    """Draw one moment; Pillow is loaded when the first picture is asked for.

    Args:
        render_state: A frame.
        events: Names of what happened in the tick that led here; the frame tells more of them.
    """
    from diorama.worlds.townlet.picture.composition import compose

    return compose(render_state)
