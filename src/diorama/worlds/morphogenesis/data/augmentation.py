"""Random crops and flips of a minibatch, the same for every host."""

from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.data.cifar import MEAN, STD

PADDING: Final = 4
FLIP_SHARE: Final = 0.5


def crop_flip(images: NDArray[np.float32], draws: Generator) -> NDArray[np.float32]:
    """Return shifted and partly mirrored copies of normalized CIFAR images.

    Drawn for the whole batch at a time: offsets from the top, offsets from the left, then the flips.
    """
    count, (height, width) = len(images), images.shape[2:]
    tops = draws.integers(0, 2 * PADDING + 1, count)
    lefts = draws.integers(0, 2 * PADDING + 1, count)
    flips = draws.random(count) < FLIP_SHARE
    black = (-MEAN / STD)[None, :, None, None]
    padded = np.broadcast_to(black, (count, 3, height + 2 * PADDING, width + 2 * PADDING)).copy()
    padded[:, :, PADDING : PADDING + height, PADDING : PADDING + width] = images
    cropped = np.stack(
        [
            image[:, top : top + height, left : left + width]
            for image, top, left in zip(padded, tops, lefts, strict=True)
        ]
    )
    cropped[flips] = cropped[flips, :, :, ::-1]
    return cropped
