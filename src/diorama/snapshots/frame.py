"""The byte frame that every world's snapshot shares; `crates/kernel/src/snapshot.rs` is the native twin."""

import struct
from typing import Any, Final

import numpy as np

from diorama.contracts.errors import DocumentError, SnapshotError
from diorama.contracts.values import canonical_json
from diorama.snapshots.state_hash import hash_hex, hash_words
from diorama.snapshots.words import WORD, WORD_BYTES, Words, byte_words
from diorama.storage.json_text import decode_json

_OPENING: Final = struct.Struct("<4sHI")  # magic, version, header length
_COUNT: Final = struct.Struct("<I")
_CHECK: Final = struct.Struct("<Q")
_INT_BITS: Final = 256  # a generator of random numbers of a world outside may have as many


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
            words.astype(WORD, copy=False).tobytes(),
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
    words_end = words_start + word_count * WORD_BYTES
    _check_length(len(data), words_end + _CHECK.size)
    text = data[_OPENING.size : header_end]
    words = np.frombuffer(data, dtype=WORD, count=word_count, offset=words_start)
    _check_integrity(_integrity_hash(text, words), *_CHECK.unpack_from(data, words_end))
    return _parse_header(text), words


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
        header = decode_json(text, object, where="the snapshot's header", int_bits=_INT_BITS)
    except DocumentError as error:
        raise SnapshotError(f"the snapshot's header is not JSON that is read: {error}") from error
    if not isinstance(header, dict):
        raise SnapshotError(f"the snapshot's header is a {type(header).__name__}; it must be a JSON object")
    return header
