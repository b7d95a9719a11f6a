import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.errors import SnapshotError
from diorama.rng import GOLDEN, mix
from diorama.snapshots import (
    WordReader,
    WordWriter,
    byte_words,
    float_words,
    hash_hex,
    hash_words,
    int_words,
    pack_snapshot,
    unpack_snapshot,
)

MAGIC = b"TEST"
HEADER = {"seed": 7, "config": {"name": "größe", "b": [1, 2.5, None]}}
WORDS = np.array([1, 2**64 - 1, 3], dtype=np.uint64)
WORD_LISTS = st.lists(st.integers(0, 2**64 - 1), max_size=40)


def packed() -> bytes:
    return pack_snapshot(MAGIC, 3, HEADER, WORDS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [([], "e220a8397b1dcdaf"), ([0], "82dcc1b0075ae6e7"), ([1, 2, 3], "edc30c39b750c5b1")],
)
def test_the_hash_gives_the_spec_s_vectors(words: list[int], expected: str) -> None:
    assert hash_hex(hash_words(np.array(words, dtype=np.uint64))) == expected


@given(words=WORD_LISTS)
def test_the_hash_is_the_spec_s_formula(words: list[int]) -> None:
    total = sum(mix(word ^ mix((i + 1) * GOLDEN)) for i, word in enumerate(words)) % 2**64

    assert hash_words(np.array(words, dtype=np.uint64)) == mix(total ^ ((len(words) + 1) * GOLDEN % 2**64))


def test_a_short_hash_keeps_its_leading_zeros() -> None:
    assert hash_hex(0xAB) == "00000000000000ab"


def test_words_of_floats_know_no_negative_zero() -> None:
    assert float_words([1.0, -0.0]).tolist() == [0x3FF0000000000000, 0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([-1, 5], [2**64 - 1, 5], id="list"),
        pytest.param([-1, 2**64 - 1], [2**64 - 1, 2**64 - 1], id="list-of-no-common-type"),
        pytest.param([2**63], [2**63], id="large"),
        pytest.param([], [], id="empty"),
        pytest.param([True, False], [1, 0], id="booleans"),
        pytest.param(np.array([[-1, 2]], dtype=np.int8), [2**64 - 1, 2], id="int8-table"),
        pytest.param(np.array([7], dtype=np.uint16), [7], id="uint16"),
    ],
)
def test_words_of_integers_are_two_s_complement(values: Any, expected: list[int]) -> None:
    assert int_words(values).tolist() == expected


def test_a_float_is_no_integer_word() -> None:
    with pytest.raises(TypeError, match="float"):
        int_words([1.5])


@given(data=st.binary(max_size=40))
def test_bytes_pack_little_endian(data: bytes) -> None:
    unpacked = byte_words(data).tobytes()

    assert unpacked == data + bytes(-len(data) % 8)


def test_written_words_read_back() -> None:
    writer = WordWriter()
    writer.add_int(-1)
    writer.add_int(2**64 - 1)
    writer.add_ints([3, -4])
    writer.add_float(-0.0)
    writer.add_floats(np.array([1.5, -2.5]))
    writer.add_bytes(b"nine byte")

    reader = WordReader(writer.words())

    assert (reader.read_int(), reader.read_u64()) == (-1, 2**64 - 1)
    assert reader.read_ints(2) == [3, -4]
    assert str(reader.read_float()) == "0.0"
    assert reader.read_floats(2) == [1.5, -2.5]
    assert reader.read_bytes(9) == b"nine byte"
    reader.finish()


def test_nothing_written_is_no_words() -> None:
    assert WordWriter().words().tolist() == []


def test_a_reader_refuses_to_run_past_the_end() -> None:
    reader = WordReader(WORDS)
    reader.read_int()

    with pytest.raises(SnapshotError, match="cannot read 3 state words at word 1; 2 are left"):
        reader.read_floats(3)
    with pytest.raises(SnapshotError, match="cannot read -1 state words"):
        reader.read_ints(-1)


def test_a_reader_refuses_words_left_over() -> None:
    reader = WordReader(WORDS)
    reader.read_int()

    with pytest.raises(SnapshotError, match="2 of 3 state words are left over"):
        reader.finish()


@given(
    header=st.dictionaries(st.text(), st.one_of(st.integers(), st.text(), st.booleans(), st.none())),
    words=WORD_LISTS,
    version=st.integers(0, 65535),
)
def test_a_packed_snapshot_unpacks(header: dict[str, Any], words: list[int], version: int) -> None:
    data = pack_snapshot(MAGIC, version, header, np.array(words, dtype=np.uint64))

    found_header, found_words = unpack_snapshot(data, MAGIC, version)

    assert found_header == header
    assert found_words.tolist() == words


def test_the_frame_has_the_stated_layout() -> None:
    header = json.dumps(HEADER, sort_keys=True, separators=(",", ":")).encode()
    check = hash_words(np.concatenate([byte_words(header), WORDS]))

    expected = b"TEST" + struct.pack("<HI", 3, len(header)) + header + struct.pack("<I3QQ", 3, *WORDS.tolist(), check)

    assert packed() == expected


@pytest.mark.parametrize(
    ("data", "magic", "version", "message"),
    [
        pytest.param(packed(), b"OTHR", 3, "begins with b'TEST'; this world's begin with b'OTHR'", id="magic"),
        pytest.param(packed(), MAGIC, 4, "has version 3; version 4 can be restored", id="version"),
        pytest.param(packed()[:7], MAGIC, 3, "has 7 bytes; the opening alone takes 10", id="opening"),
        pytest.param(packed()[:20], MAGIC, 3, "cut short: 20 bytes", id="header"),
        pytest.param(packed()[:-1], MAGIC, 3, "cut short: ", id="truncated"),
        pytest.param(packed() + b"!!", MAGIC, 3, "has 2 bytes too many", id="trailing"),
        pytest.param(packed()[:-1] + b"\0", MAGIC, 3, "corrupted: its contents hash to ", id="corrupted"),
    ],
)
def test_foreign_snapshots_are_refused_with_a_reason(data: bytes, magic: bytes, version: int, message: str) -> None:
    with pytest.raises(SnapshotError, match=message):
        unpack_snapshot(data, magic, version)


def test_every_damaged_byte_and_every_cut_is_noticed() -> None:
    data = packed()
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0x10

        with pytest.raises(SnapshotError):
            unpack_snapshot(bytes(damaged), MAGIC, 3)
        with pytest.raises(SnapshotError):
            unpack_snapshot(data[:position], MAGIC, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"{", "is not JSON that is read"), (b"[1]", "is a list"), (b"\xff", "is not JSON that is read")],
)
def test_a_header_that_is_no_object_is_refused(text: bytes, message: str) -> None:
    check = hash_words(byte_words(text))
    data = MAGIC + struct.pack("<HI", 3, len(text)) + text + struct.pack("<IQ", 0, check)

    with pytest.raises(SnapshotError, match=message):
        unpack_snapshot(data, MAGIC, 3)
