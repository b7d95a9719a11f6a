"""JSON is refused before it fills the memory, and where another part of the platform could not write it again."""

import msgspec
import pytest

from diorama.contracts.errors import DocumentError
from diorama.runs.documents import Document, RawObject, encode
from diorama.storage.json_text import MAX_DEPTH, MAX_VALUES, decode_json
from tests.refusals import refused
from tests.storage.bombs import MIB, peak_below


class Named(Document, frozen=True, kw_only=True):
    name: str
    rest: RawObject


def test_plain_and_typed_values_come_back() -> None:
    assert decode_json(b'{"a":[1,2.5,null,"x"]}', RawObject, where="x") == {"a": [1, 2.5, None, "x"]}
    assert decode_json('{"name":"n","rest":{"b":true}}', Named, where="x") == Named(name="n", rest={"b": True})


@pytest.mark.parametrize("text", [b"", b"{", b"NaN", b"[1e999]", b'"\xff"', b'"\\ud800"', b"[" * 100_000, b"1" * 9_000])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with refused(DocumentError, "json_invalid", where="x"):
        decode_json(text, object, where="x")


@pytest.mark.parametrize("text", [b"[" + b"[]," * (8 * MIB) + b"0]", b'["' + b",0" * (8 * MIB) + b'"]'])
def test_a_text_of_too_many_values_is_never_decoded(text: bytes) -> None:
    with peak_below(MIB), refused(DocumentError, "json_too_many_values", most_values=MAX_VALUES):
        decode_json(text, object, where="x")


def test_as_many_values_as_may_be_are_read() -> None:
    text = b"[" + b"0," * (MAX_VALUES - 2) + b"0]"

    assert len(decode_json(text, list, where="x")) == MAX_VALUES - 1


@pytest.mark.parametrize("kind", [RawObject, Named], ids=["plain", "typed"])
def test_values_nest_no_deeper_than_they_can_be_written_again(kind: type[object]) -> None:
    def nested(levels: int) -> bytes:
        return b'{"name":"n","rest":{"a":' + b"[" * levels + b"]" * levels + b"}}"

    found = decode_json(nested(MAX_DEPTH - 3), kind, where="x")

    assert msgspec.json.decode(msgspec.json.encode(found)) is not None
    with refused(DocumentError, "json_too_deep", most_levels=MAX_DEPTH):
        decode_json(nested(MAX_DEPTH), kind, where="x")


@pytest.mark.parametrize("number", [(1 << 64) - 1, -(1 << 63)])
def test_whole_numbers_of_64_bits_are_read(number: int) -> None:
    found = decode_json(b'{"a":%d}' % number, RawObject, where="x")

    assert encode(found) == b'{"a":%d}' % number


@pytest.mark.parametrize("number", [1 << 64, -(1 << 63) - 1, 10**4000])
def test_larger_ones_are_refused(number: int) -> None:
    with refused(DocumentError, "json_number_too_large", bits=number.bit_length()):
        decode_json(b'{"name":"n","rest":{"a":[%d]}}' % number, Named, where="x")
