"""The sea, tinted by its depth."""

from base64 import b64decode
from functools import lru_cache

import numpy as np
from PIL import Image

from diorama.worlds.drawing import blend
from diorama.worlds.tidebreak.frames import DepthPart
from diorama.worlds.tidebreak.picture.palette import DEEP, LAND, SHALLOW
from diorama.worlds.tidebreak.render.constants import DEEPEST, DEPTH_SCALE_M
from diorama.worlds.tidebreak.render.constants import LAND as LAND_BYTE


@lru_cache(maxsize=16)
def sea_image(depth: DepthPart) -> Image.Image:
    """Return a small picture of the sea bed, north up."""
    if depth.uniform_m is not None:
        share = min(max(depth.uniform_m, 0.0) / DEPTH_SCALE_M, 1.0)
        return Image.new("RGB", (1, 1), blend(SHALLOW, DEEP, share**0.5) if depth.uniform_m > 0.0 else LAND)
    levels = np.frombuffer(b64decode(depth.data), np.uint8).reshape(depth.rows, depth.columns)
    colors = np.array(
        [LAND if level == LAND_BYTE else blend(SHALLOW, DEEP, (level - 1) / (DEEPEST - 1)) for level in range(256)],
        np.uint8,
    )
    return Image.fromarray(colors[levels[::-1]])
