"""The savestate container: a round trip, its layout, and every way to be refused."""

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.canonical import RAM_STRIDE, SCALAR_FIELDS
from diorama.worlds.gameboy.cartridge import MbcKind
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.errors import CodecMismatch, SavestateError
from diorama.worlds.gameboy.savestate import Savestate, pack_savestate, unpack_savestate

ROM = "ab" * 32


def sample() -> Savestate:
    scalars = {name: index * 3 - 5 for index, name in enumerate(SCALAR_FIELDS)}
    scalars |= {"serial_len": 2, "cycle_count": 1 << 40, "stat_src": -1}
    return Savestate(
        rom_sha256=ROM,
        boot=BootMode.STUB_LCD,
        action_codec_id=DEFAULT_ACTION_CODEC_ID,
        mbc_kind=MbcKind.MBC3,
        scalars=scalars,
        ram=bytes(index % 251 for index in range(RAM_STRIDE)),
        cram=bytes(range(256)) * 32,
        serial=b"OK",
    )


def load(data: bytes) -> Savestate:
    return unpack_savestate(data, rom_sha256=ROM, action_codec_id=DEFAULT_ACTION_CODEC_ID)


def taken_apart(data: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack_from("<I", data, 8)
    header: dict[str, Any] = json.loads(data[12 : 12 + length])
    return header, data[12 + length :]


def put_together(header: dict[str, Any], blob: bytes) -> bytes:
    text = json.dumps(header, sort_keys=True).encode()
    return struct.pack("<4sII", b"GBST", 1, len(text)) + text + blob


def with_header(change: Callable[[dict[str, Any]], object]) -> bytes:
    header, blob = taken_apart(pack_savestate(sample()))
    change(header)
    return put_together(header, blob)


def test_a_state_comes_back_as_it_was_saved() -> None:
    assert load(pack_savestate(sample())) == sample()
    empty = replace(sample(), cram=b"", serial=b"", scalars={**sample().scalars, "serial_len": 0})
    assert load(pack_savestate(empty)) == empty


def test_the_bytes_are_laid_out_as_specified() -> None:
    data = pack_savestate(sample())
    header, blob = taken_apart(data)

    assert data[:8] == b"GBST\x01\0\0\0"
    assert list(header) == sorted(header)
    assert set(header) == {"abi_version", "rom_sha256", "boot", "action_codec_id", "mbc_kind", "fields", "blob_sha256"}
    assert header["blob_sha256"] == sha256(blob).hexdigest()
    fields = {field["name"]: field for field in header["fields"]}
    assert list(fields) == [*SCALAR_FIELDS, "ram", "cram", "serial_buf"]
    assert fields["pc"] == {"name": "pc", "dtype": "int32", "shape": [], "offset": 0}
    assert fields["cycle_count"]["dtype"] == "int64"
    offset = fields["cycle_count"]["offset"]
    assert int.from_bytes(blob[offset : offset + 8], "little") == 1 << 40
    assert blob[fields["ram"]["offset"] :][:RAM_STRIDE] == sample().ram
    assert blob[fields["serial_buf"]["offset"] :] == b"OK"


def test_saving_twice_gives_the_same_bytes() -> None:
    assert pack_savestate(sample()) == pack_savestate(sample())


def flipped(data: bytes, position: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


REFUSALS: list[tuple[str, Callable[[], bytes], str]] = [
    ("empty", lambda: b"", "has 0 bytes"),
    ("magic", lambda: b"NOPE" + pack_savestate(sample())[4:], r"begins with b'NOPE'; savestates begin with b'GBST'"),
    ("version", lambda: flipped(pack_savestate(sample()), 5), "container version 257; version 1"),
    ("cut", lambda: pack_savestate(sample())[:100], "cut short"),
    ("json", lambda: struct.pack("<4sII", b"GBST", 1, 4) + b"{,}!", "header is broken"),
    ("utf8", lambda: struct.pack("<4sII", b"GBST", 1, 2) + b"\xff\xfe", "header is broken"),
    ("unknown-key", lambda: with_header(lambda h: h.update(more=1)), "header is broken: more: "),
    ("missing-key", lambda: with_header(lambda h: h.pop("boot")), "header is broken: boot: "),
    ("abi", lambda: with_header(lambda h: h.update(abi_version=2)), "state layout 2; layout 1 is in use"),
    ("rom", lambda: with_header(lambda h: h.update(rom_sha256="cd" * 32)), f"is of ROM {'cd' * 32}; .* {ROM}"),
    ("blob", lambda: flipped(pack_savestate(sample()), -1), "damaged: its state hashes to"),
    ("blob-cut", lambda: pack_savestate(sample())[:-1], "damaged"),
    ("fields", lambda: with_header(lambda h: h["fields"].pop()), "field table is not the one"),
    ("shape", lambda: with_header(lambda h: h["fields"][-2].update(shape=[1, 2])), "field table is not the one"),
    ("size", lambda: with_header(lambda h: h["fields"][-1].update(shape=[3])), "its fields take"),
]


@pytest.mark.parametrize(("make", "words"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_what_cannot_be_loaded_is_refused_with_both_values(make: Callable[[], bytes], words: str) -> None:
    with pytest.raises(SavestateError, match=words):
        load(make())


@pytest.mark.parametrize("change", [lambda h: h.update(action_codec_id="other_v1"), lambda h: h.pop("action_codec_id")])
def test_another_codec_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(CodecMismatch):
        load(with_header(change))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ram": b"short"}, "5 bytes of memory"),
        ({"serial": b"three"}, "5 serial bytes and says 2"),
        ({"scalars": {"pc": 0}}, "not the canonical ones"),
        ({"scalars": {**sample().scalars, "pc": 1 << 31}}, "pc is 2147483648; it must fit int32"),
    ],
)
def test_a_state_that_is_none_is_not_saved(change: dict[str, Any], words: str) -> None:
    with pytest.raises(SavestateError, match=words):
        pack_savestate(replace(sample(), **change))
