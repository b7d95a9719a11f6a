"""Handwritten digits, 8 by 8, as scikit-learn ships them."""

import gzip
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import MissingExtra
from diorama.worlds.morphogenesis.contracts.errors import DatasetUnavailable
from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.streams import generator

PERMUTATION_KEY: Final = 20240101
FILE: Final = "datasets/data/digits.csv.gz"
IMAGES: Final = 1797
TRAIN_IMAGES: Final = 1437
SIDE: Final = 8
FULL_INK: Final = 16.0
MEAN: Final = 0.3053
STD: Final = 0.3760


def load_digits() -> TaskData:
    """Return 1,437 images to train on and 360 to validate with, shape (1, 8, 8).

    Raises:
        MissingExtra: scikit-learn is not installed.
        DatasetUnavailable: It has no digits where they used to be.
    """
    table = _read_table()
    order = generator(PERMUTATION_KEY).permutation(len(table))
    images = (table[order, :-1].reshape(-1, 1, SIDE, SIDE) / FULL_INK - MEAN) / STD
    inputs, targets = images.astype(np.float32), table[order, -1].astype(np.int64)
    return TaskData(
        train_inputs=inputs[:TRAIN_IMAGES],
        train_targets=targets[:TRAIN_IMAGES],
        val_inputs=inputs[TRAIN_IMAGES:],
        val_targets=targets[TRAIN_IMAGES:],
    )


def _read_table() -> NDArray[np.float64]:
    # The file is read where it lies, because importing scikit-learn takes seconds and its loader adds nothing to it.
    package = find_spec("sklearn")
    if package is None or package.origin is None:
        raise MissingExtra.of("morphogenesis", needed_for="the task of handwritten digits")
    path = Path(package.origin).parent / FILE
    if not path.is_file():
        raise DatasetUnavailable(f"the digits of scikit-learn are not at {path}; install scikit-learn again")
    with gzip.open(path, "rt") as lines:
        table = np.loadtxt(lines, delimiter=",")
    if table.shape != (IMAGES, SIDE * SIDE + 1):
        raise DatasetUnavailable(f"{path} has the shape {table.shape}, not {(IMAGES, SIDE * SIDE + 1)}")
    return table
