"""Sequences of tokens in which every segment is said twice; the second time can be predicted."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.streams import generator

SEQUENCE: Final = 64
WORDS: Final = 60
REPEAT_TOKEN: Final = 60
END_TOKEN: Final = 61
MIN_SEGMENT: Final = 4
MAX_SEGMENT: Final = 12
TRAIN_SEQUENCES: Final = 4096
TRAIN_KEY: Final = 21
VAL_SEQUENCES: Final = 256
VAL_KEY: Final = 22


def load_tokens() -> TaskData:
    """Return 4,096 sequences to train on and 256 to validate with, 64 tokens each."""
    train, val = make_tokens(TRAIN_SEQUENCES, TRAIN_KEY), make_tokens(VAL_SEQUENCES, VAL_KEY)
    return TaskData(
        train_inputs=train[:, :-1], train_targets=train[:, 1:], val_inputs=val[:, :-1], val_targets=val[:, 1:]
    )


def make_tokens(n: int, key: int) -> NDArray[np.int64]:
    """Draw sequences of 65 tokens, one after the other from one stream."""
    draws = generator(key)
    sequences = np.empty((n, SEQUENCE + 1), np.int64)
    for sequence in sequences:
        tokens: list[int] = []
        while len(tokens) <= SEQUENCE:
            segment = draws.integers(0, WORDS, int(draws.integers(MIN_SEGMENT, MAX_SEGMENT + 1))).tolist()
            tokens += [*segment, REPEAT_TOKEN, *segment, END_TOKEN]
        sequence[:] = tokens[: SEQUENCE + 1]
    return sequences
