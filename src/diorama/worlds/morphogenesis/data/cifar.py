"""CIFAR-10 from the binary files, where somebody has put them; nothing is downloaded."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.errors import DatasetUnavailable
from diorama.worlds.morphogenesis.data.arrays import TaskData

FOLDER: Final = "cifar-10-batches-bin"
PICKLED_FOLDER: Final = "cifar-10-batches-py"
TRAIN_FILES: Final = tuple(f"data_batch_{number}.bin" for number in range(1, 6))
TEST_FILE: Final = "test_batch.bin"
RECORDS_PER_FILE: Final = 10_000
IMAGE_SHAPE: Final = (3, 32, 32)
PIXELS: Final = 3 * 32 * 32
RECORD_BYTES: Final = 1 + PIXELS
CLASSES: Final = 10
MEAN: Final = np.array((0.4914, 0.4822, 0.4465), np.float32)
STD: Final = np.array((0.2470, 0.2435, 0.2616), np.float32)


def load_cifar10(root: Path, *, records: int = RECORDS_PER_FILE) -> TaskData:
    """Read 50,000 images to train on and 10,000 to validate with, shape (3, 32, 32).

    Args:
        root: Folder that holds `cifar-10-batches-bin`, or that folder itself.
        records: Images of each of the six files; the data set has 10,000.

    Raises:
        DatasetUnavailable: Files are missing or malformed, or there is only the pickled form.
    """
    folder = root if root.name == FOLDER else root / FOLDER
    try:
        is_there = folder.is_dir()
    except OSError as error:
        raise DatasetUnavailable(f"CIFAR-10: {folder} cannot be read: {error.strerror or error}") from None
    if not is_there:
        raise DatasetUnavailable(_what_is_missing(root, folder))
    train_inputs = np.empty((len(TRAIN_FILES) * records, *IMAGE_SHAPE), np.float32)
    train_targets = np.empty(len(train_inputs), np.int64)
    for place, name in enumerate(TRAIN_FILES):
        own = slice(place * records, (place + 1) * records)
        # File by file: normalized at once, the images would lie in memory three times over.
        images, train_targets[own] = read_records(folder / name, records=records)
        train_inputs[own] = normalize(images)
    test_images, test_labels = read_records(folder / TEST_FILE, records=records)
    return TaskData(
        train_inputs=train_inputs,
        train_targets=train_targets,
        val_inputs=normalize(test_images),
        val_targets=test_labels,
    )


def read_records(path: Path, *, records: int = RECORDS_PER_FILE) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Read the images and labels of one file, which must hold so many records.

    Raises:
        DatasetUnavailable: The file is missing, has another size, or a label that is no class.
    """
    try:
        raw = np.fromfile(path, np.uint8)
    except OSError as error:
        raise DatasetUnavailable(f"CIFAR-10: {path} cannot be read: {error.strerror or error}") from error
    if len(raw) != records * RECORD_BYTES:
        raise DatasetUnavailable(
            f"CIFAR-10: {path} has {len(raw)} bytes; {records} records are {records * RECORD_BYTES} bytes"
        )
    table = raw.reshape(records, RECORD_BYTES)
    labels = table[:, 0].astype(np.int64)
    if labels.max(initial=0) >= CLASSES:
        raise DatasetUnavailable(f"CIFAR-10: {path} has a label {labels.max()}; labels are 0 to {CLASSES - 1}")
    return table[:, 1:].reshape(records, *IMAGE_SHAPE), labels


def normalize(images: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Scale bytes to the range from 0 to 1 and normalize each color."""
    scaled = images.astype(np.float32) / np.float32(255.0)
    return (scaled - MEAN[:, None, None]) / STD[:, None, None]


def _what_is_missing(root: Path, folder: Path) -> str:
    pickled = root if root.name == PICKLED_FOLDER else root / PICKLED_FOLDER
    if pickled.is_dir():
        return (
            f"CIFAR-10: {pickled} holds the pickled form, which is never read here; "
            f"get the binary version and unpack it as {folder}"
        )
    return f"CIFAR-10: there is no folder {folder}; get the binary version of the data set and unpack it there"
