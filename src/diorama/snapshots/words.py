"""A state as 64-bit words: floats as the bits of `x + 0.0`, integers as two's complement, bytes little-endian."""

from operator import index
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diorama.contracts.errors import SnapshotError
from diorama.rng.mixing import MASK64

Words = NDArray[np.uint64]

MOST_ENTRIES: Final = 1 << 20  # of a list; more can only be damage
WORD_BYTES: Final = 8
WORD: Final = np.dtype("<u8")
_I64: Final = np.dtype("<i8")
_F64: Final = np.dtype("<f8")
_LARGEST_SINGLE: Final = float(np.finfo(np.float32).max)


def float_words(values: ArrayLike) -> Words:
    """Words of floats, in index order; negative zero becomes zero."""
    return (np.asarray(values, dtype=_F64).ravel() + 0.0).view(WORD)


def int_words(values: ArrayLike) -> Words:
    """Words of integers or booleans, in index order; negative ones as two's complement."""
    array = np.asarray(values).ravel()
    if array.dtype.kind in "bi":
        return array.astype(_I64).view(WORD)
    if array.dtype.kind == "u":
        return array.astype(WORD)
    # numpy finds no common integer type for a list that mixes negative numbers with ones of 2^63 and more.
    return np.array([index(value) & MASK64 for value in np.asarray(values, dtype=object).ravel()], dtype=WORD)


def byte_words(data: bytes) -> Words:
    """Words of a byte string, little-endian, the last one filled up with zeros."""
    return np.frombuffer(data + bytes(-len(data) % WORD_BYTES), dtype=WORD)


class WordWriter:
    """Collects state words piece by piece; hand over whole lists or arrays where there are any."""

    __slots__ = ("_chunks",)

    def __init__(self) -> None:
        """Begin with no words."""
        self._chunks: list[Words] = []

    def add_int(self, value: int) -> None:
        """Append an integer of the range -2^63 to 2^64 - 1."""
        self._chunks.append(np.array([value & MASK64], dtype=WORD))

    def add_ints(self, values: ArrayLike) -> None:
        """Append integers or booleans, one word each."""
        self._chunks.append(int_words(values))

    def add_float(self, value: float) -> None:
        """Append a float."""
        self._chunks.append(float_words((value,)))

    def add_floats(self, values: ArrayLike) -> None:
        """Append floats, one word each."""
        self._chunks.append(float_words(values))

    def add_bytes(self, data: bytes) -> None:
        """Append a byte string, eight bytes to a word; its length is not stored."""
        self._chunks.append(byte_words(data))

    def words(self) -> Words:
        """All words so far, as a new array."""
        return np.concatenate(self._chunks) if self._chunks else np.empty(0, dtype=WORD)


class WordReader:
    """Takes state words apart in the order in which they were written."""

    __slots__ = ("_position", "_words")

    def __init__(self, words: Words) -> None:
        """Begin at the first word; the array is read in place."""
        self._words = words.astype(WORD, copy=False)
        self._position = 0

    def read_u64(self) -> int:
        """Take a word as an integer of 0 to 2^64 - 1."""
        return int(self._take(1)[0])

    def read_int(self) -> int:
        """Take a word as an integer of -2^63 to 2^63 - 1."""
        return int(self._take(1).view(_I64)[0])

    def read_count(self, most: int) -> int:
        """Take a word as an integer of 0 to `most`."""
        value = self.read_u64()
        if value > most:
            raise SnapshotError(f"state word {self._position - 1} is {value}; it must be at most {most}")
        return value

    def read_entries(self) -> int:
        """Take a word as the length of a list."""
        count = self.read_int()
        if not 0 <= count <= MOST_ENTRIES:
            raise SnapshotError(f"a list has {count} entries; it must have 0 to {MOST_ENTRIES}")
        return count

    def read_ints(self, count: int) -> list[int]:
        """Take words as integers of -2^63 to 2^63 - 1."""
        values: list[int] = self._take(count).view(_I64).tolist()
        return values

    def read_float(self) -> float:
        """Take a word as a float."""
        return float(self._take(1).view(_F64)[0])

    def read_single(self) -> float:
        """Take a word as a number that binary32 can hold."""
        value = self.read_float()
        if not abs(value) <= _LARGEST_SINGLE:
            raise SnapshotError(f"state word {self._position - 1} is {value}; it must be a number of 32 bits")
        return value

    def read_floats(self, count: int) -> list[float]:
        """Take words as floats."""
        values: list[float] = self._take(count).view(_F64).tolist()
        return values

    def read_bytes(self, length: int) -> bytes:
        """Take the words that hold a byte string of this length."""
        return self._take(-(-length // WORD_BYTES)).tobytes()[:length]

    def finish(self) -> None:
        """Refuse words that nobody has read."""
        left = len(self._words) - self._position
        if left:
            raise SnapshotError(f"{left} of {len(self._words)} state words are left over; all should have been read")

    def _take(self, count: int) -> Words:
        left = len(self._words) - self._position
        if not 0 <= count <= left:
            raise SnapshotError(f"cannot read {count} state words at word {self._position}; {left} are left")
        taken = self._words[self._position : self._position + count]
        self._position += count
        return taken
