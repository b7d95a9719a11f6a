"""Draws a moment of a console: its screen, three times as large, in four grays."""

from base64 import b64decode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from diorama.contracts.values import JsonObject
from diorama.worlds.gameboy.envs.pixels import FULL_SHAPE, unpack
from diorama.worlds.gameboy.oracle import GRAYS

if TYPE_CHECKING:
    from PIL.Image import Image

_SCALE: Final = 3
_STORED_LENGTH: Final = -(-FULL_SHAPE[0] * FULL_SHAPE[1] // 4 // 3) * 4  # four shades, four pixels a byte, in Base64
_GRAY_OF_SHADE: Final = np.array(GRAYS, np.uint8)


def draw(render_state: JsonObject, events: Sequence[str]) -> "Image":
    """Draw one moment; Pillow is loaded when the first picture is asked for.

    Args:
        render_state: As `render.render_state` gives it, or as a replay stores it.
        events: Names of what happened in the step that led here; none is drawn.
    """
    from PIL import Image

    stored = str(render_state["picture"])
    if len(stored) != _STORED_LENGTH:
        raise ValueError(f"picture: {len(stored)} characters; a screen has {_STORED_LENGTH}")
    packed = np.frombuffer(b64decode(stored, validate=True), np.uint8).reshape(FULL_SHAPE[0], -1)
    gray = _GRAY_OF_SHADE[unpack(packed)].repeat(_SCALE, axis=0).repeat(_SCALE, axis=1)
    return Image.fromarray(gray).convert("RGB")
