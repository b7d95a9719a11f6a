"""State words, their hash, and the byte frame that every world's snapshot shares.

A state is a list of 64-bit words: floats as the bits of `x + 0.0`, integers as two's complement, bytes packed
little-endian. `crates/kernel/src/state_hash.rs` and `snapshot.rs` are the native twins.
"""

import json
import struct
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from math import isinf, isnan
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import canonical_json
from diorama.rng.mixing import GOLDEN, MASK64, MIX_FIRST, MIX_SECOND, mix

Words = NDArray[np.uint64]
Bound = tuple[str, float, float, float]  # a name, a value, and the least and the most that it can be

# Twins of `LARGEST` and `LARGEST_MEASURE` of `crates/kernel/src/bounds.rs`.
LARGEST_NUMBER: Final = 1 << 53  # nothing counts further, and every JSON reader keeps it
LARGEST_MEASURE: Final = 1 << 50  # nothing measures further; from twice as much on angles have no sine
MOST_ENTRIES: Final = 1 << 20  # of a list; more can only be damage

_U64: Final = np.dtype("<u8")
_I64: Final = np.dtype("<i8")
_F64: Final = np.dtype("<f8")
_WORD_BYTES: Final = 8
_LARGEST_SINGLE: Final = float(np.finfo(np.float32).max)
_OPENING: Final = struct.Struct("<4sHI")  # magic, version, header length
_COUNT: Final = struct.Struct("<I")
_CHECK: Final = struct.Struct("<Q")


def hash_words(words: Words) -> int:
    """Hash state words to 64 bits: `H` of tidebreak.md 4.4."""
    mixed = _mix_each(words ^ _position_keys(len(words)))
    return mix(int(mixed.sum(dtype=np.uint64)) ^ ((len(words) + 1) * GOLDEN & MASK64))


def hash_hex(state_hash: int) -> str:
    """Write a state hash the way it is shown and stored: 16 hex digits."""
    return f"{state_hash:016x}"


@lru_cache(maxsize=64)
def _position_keys(count: int) -> Words:
    with np.errstate(over="ignore"):
        return _mix_each(np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN))


def _mix_each(words: Words) -> Words:
    z = words ^ (words >> np.uint64(30))
    z *= np.uint64(MIX_FIRST)
    z ^= z >> np.uint64(27)
    z *= np.uint64(MIX_SECOND)
    z ^= z >> np.uint64(31)
    return z


def float_words(values: ArrayLike) -> Words:
    """Words of floats, in index order; negative zero becomes zero."""
    return (np.asarray(values, dtype=_F64).ravel() + 0.0).view(_U64)


def int_words(values: ArrayLike) -> Words:
    """Words of integers or booleans, in index order; negative ones as two's complement."""
    array = np.asarray(values).ravel()
    if array.dtype.kind in "bi":
        return array.astype(_I64).view(_U64)
    if array.dtype.kind == "u":
        return array.astype(_U64)
    # numpy finds no common integer type for a list that mixes negative numbers with ones of 2^63 and more.
    return np.array([index(value) & MASK64 for value in np.asarray(values, dtype=object).ravel()], dtype=_U64)


def byte_words(data: bytes) -> Words:
    """Words of a byte string, little-endian, the last one filled up with zeros."""
    return np.frombuffer(data + bytes(-len(data) % _WORD_BYTES), dtype=_U64)


class WordWriter:
    """Collects state words piece by piece; hand over whole lists or arrays where there are any."""

    __slots__ = ("_chunks",)

    def __init__(self) -> None:
        """Begin with no words."""
        self._chunks: list[Words] = []

    def add_int(self, value: int) -> None:
        """Append an integer of the range -2^63 to 2^64 - 1."""
        self._chunks.append(np.array([value & MASK64], dtype=_U64))

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
        return np.concatenate(self._chunks) if self._chunks else np.empty(0, dtype=_U64)


class WordReader:
    """Takes state words apart in the order in which they were written."""

    __slots__ = ("_position", "_words")

    def __init__(self, words: Words) -> None:
        """Begin at the first word; the array is read in place."""
        self._words = words.astype(_U64, copy=False)
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
        return self._take(-(-length // _WORD_BYTES)).tobytes()[:length]

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


def pack_snapshot(magic: bytes, version: int, header: dict[str, Any], words: Words) -> bytes:
    """Frame a snapshot.

    The bytes are: magic (4), version (u16), header length (u32), header (canonical JSON in UTF-8), word count (u32),
    the words, and the state hash of header and words (u64) against corruption; numbers are little-endian.

    Args:
        magic: Four letters that name the world.
        version: Version of the world's layout.
        header: What is not state, such as seed and configuration; JSON values only.
        words: The state, and whatever service words the world puts after it.
    """
    text = canonical_json(header).encode()
    return b"".join(
        (
            _OPENING.pack(magic, version, len(text)),
            text,
            _COUNT.pack(len(words)),
            words.astype(_U64, copy=False).tobytes(),
            _CHECK.pack(_integrity_hash(text, words)),
        )
    )


def unpack_snapshot(data: bytes, magic: bytes, version: int) -> tuple[dict[str, Any], Words]:
    """Take a framed snapshot apart.

    Returns:
        The header and a read-only array of words.

    Raises:
        SnapshotError: If the bytes are of another world or version, cut short, too long or corrupted.
    """
    if len(data) < _OPENING.size:
        raise SnapshotError(f"the snapshot has {len(data)} bytes; the opening alone takes {_OPENING.size}")
    found_magic, found_version, header_length = _OPENING.unpack_from(data)
    if found_magic != magic:
        raise SnapshotError(f"the snapshot begins with {found_magic!r}; this world's begin with {magic!r}")
    if found_version != version:
        raise SnapshotError(f"the snapshot has version {found_version}; version {version} can be restored here")
    header_end = _OPENING.size + header_length
    words_start = header_end + _COUNT.size
    if len(data) < words_start:
        raise SnapshotError(f"the snapshot is cut short: {len(data)} bytes, and the header alone ends at {words_start}")
    (word_count,) = _COUNT.unpack_from(data, header_end)
    words_end = words_start + word_count * _WORD_BYTES
    _check_length(len(data), words_end + _CHECK.size)
    text = data[_OPENING.size : header_end]
    words = np.frombuffer(data, dtype=_U64, count=word_count, offset=words_start)
    _check_integrity(_integrity_hash(text, words), *_CHECK.unpack_from(data, words_end))
    return _parse_header(text), words


def check_numbers(name: str, values: Iterable[float]) -> None:
    """Refuse numbers that are too large, or none.

    Raises:
        SnapshotError: With the first of them.
    """
    for value in values:
        most = LARGEST_NUMBER if isinstance(value, int) else LARGEST_MEASURE
        if not -most <= value <= most:
            raise SnapshotError(f"{name} is {plain_number(value)}; it must be {-most} to {most}")


def check_bounds(owner: str, bounds: Iterable[Bound]) -> None:
    """Refuse values that are out of their bounds, or no numbers.

    Raises:
        SnapshotError: With the first of them.
    """
    for name, value, least, most in bounds:
        if not least <= value <= most:
            told, lowest, highest = (plain_number(number) for number in (value, least, most))
            right = lowest if least == most else f"{lowest} to {highest}"
            raise SnapshotError(f"{owner}: {name} is {told}; it must be {right}")


def plain_number(value: float) -> str:
    """Write a number as the native tiers do: no exponent, and no point where nothing but a zero would follow it."""
    if isnan(value):
        return "NaN"
    if isinstance(value, int) or isinf(value):
        return str(value)
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0")


def check_configuration(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse a snapshot of another configuration.

    Raises:
        SnapshotError: With the settings that differ.
    """
    if found != wanted:
        differing = sorted(key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key))
        told = "; ".join(f"{key[:40]} is {found.get(key)!r:.80}, here {wanted.get(key)!r:.80}" for key in differing[:4])
        raise SnapshotError(f"the snapshot is of configuration with other settings: {told}")


def _integrity_hash(text: bytes, words: Words) -> int:
    return hash_words(np.concatenate((byte_words(text), words)))


def _check_length(found: int, expected: int) -> None:
    if found < expected:
        raise SnapshotError(f"the snapshot is cut short: {found} bytes of {expected}")
    if found > expected:
        raise SnapshotError(f"the snapshot has {found - expected} bytes too many: {found} instead of {expected}")


def _check_integrity(computed: int, stored: int) -> None:
    if computed != stored:
        raise SnapshotError(
            f"the snapshot is corrupted: its contents hash to {hash_hex(computed)}, it says {hash_hex(stored)}"
        )


def _parse_header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"the snapshot's header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise SnapshotError(f"the snapshot's header is a {type(header).__name__}; it must be a JSON object")
    return header
