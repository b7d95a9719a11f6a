"""Ten kinds of colored shapes and stripes, drawn from a key; color says nothing about the kind."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.streams import generator

CLASSES: Final = 10
SIZE: Final = 16
NOISE: Final = 0.25
TRAIN_IMAGES: Final = 4096
TRAIN_KEY: Final = 11
VAL_IMAGES: Final = 1024
VAL_KEY: Final = 12
MEAN: Final = 0.5
STD: Final = 0.35
DIAGONAL: Final = 0.70711
MIN_CONTRAST: Final = 0.4

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


def load_shapes(*, noise: float = NOISE) -> TaskData:
    """Return 4,096 images to train on and 1,024 to validate with, shape (3, 16, 16)."""
    train_inputs, train_targets = make_shapes(TRAIN_IMAGES, TRAIN_KEY, noise=noise)
    val_inputs, val_targets = make_shapes(VAL_IMAGES, VAL_KEY, noise=noise)
    return TaskData(
        train_inputs=train_inputs, train_targets=train_targets, val_inputs=val_inputs, val_targets=val_targets
    )


def make_shapes(
    n: int, key: int, size: int = SIZE, noise: float = NOISE
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Draw images of shape (3, size, size) and their labels; the draws of an image follow those of the one before."""
    draws = generator(key)
    labels = draws.integers(0, CLASSES, n)
    images = np.empty((n, 3, size, size), np.float32)
    for index, label in enumerate(labels):
        uniforms = draws.random(10)
        grain = draws.standard_normal((3, size, size))
        background, foreground = _colors(uniforms)
        mask = _mask(int(label), uniforms, size)
        pixels = np.where(mask, foreground[:, None, None], background[:, None, None]) + noise * grain
        images[index] = (pixels - MEAN) / STD
    return images, labels


def _colors(uniforms: Floats) -> tuple[Floats, Floats]:
    background, foreground = uniforms[0:3], uniforms[3:6]
    if np.abs(foreground - background).max() < MIN_CONTRAST:
        foreground = np.where(background < 0.5, background + 0.5, background - 0.5)
    return background, foreground


def _mask(label: int, uniforms: Floats, size: int) -> Mask:
    places = np.indices((size, size), np.float64)
    row: Floats = places[0]
    col: Floats = places[1]
    phase = float(uniforms[9])
    if label < 4:
        along: Floats = (row, col, DIAGONAL * (row + col), DIAGONAL * (row - col))[label]
        return np.mod(along / 4.0 + phase, 1.0) < 0.5
    if label == 4:
        cells: Floats = np.floor((row + 4.0 * phase) / 2.0) + np.floor((col + 4.0 * phase) / 2.0)
        return np.mod(cells, 2.0) < 0.5
    center_row, center_col = (0.3 + 0.4 * uniforms[6:8]) * size
    radius = float((0.18 + 0.14 * uniforms[8]) * size)
    return _figure(label, row - center_row + 0.5, col - center_col + 0.5, radius)


def _figure(label: int, down: Floats, right: Floats, radius: float) -> Mask:
    distance = np.sqrt(down**2 + right**2)
    reach = np.maximum(np.abs(down), np.abs(right))
    match label:
        case 5:
            return down**2 + right**2 <= radius**2
        case 6:
            return (distance >= radius - 1.8) & (distance <= radius)
        case 7:
            return reach <= 0.886 * radius
        case 8:
            return ((np.abs(down) <= 1.0) | (np.abs(right) <= 1.0)) & (reach <= radius)
        case _:
            return ((np.abs(down - right) <= 1.4) | (np.abs(down + right) <= 1.4)) & (reach <= radius)
