"""Cartridges and savestates: whatever they say, the console runs it or refuses it."""

import json
import struct
import warnings
from hashlib import sha256
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.values import canonical_json
from diorama.worlds.gameboy.assembler import header as rom_header
from diorama.worlds.gameboy.cartridge import parse_cartridge
from diorama.worlds.gameboy.console.consoles import GameboyConsoles
from diorama.worlds.gameboy.lanes import open_lanes
from diorama.worlds.gameboy.roms.catalogue import assemble
from tests.fuzz.damage import Blob, as_text, damaged_bytes, damaged_value
from tests.fuzz.effort import examples, read_or_refused

ROM = assemble("CATCH")
SIZES = (0, 1, 0x3FFF, 0x4000, 0x8000, 0xC000)
CODE = slice(0x150, 0x8000)


@st.composite
def damaged_roms(draw: st.DrawFn) -> bytes:
    """Return ROMs whose header or program is damaged, with a header checksum that mostly fits."""
    if draw(st.integers(0, 9)) == 0:
        return Blob(draw(st.sampled_from(SIZES)))
    rom = bytearray(ROM)
    for _ in range(draw(st.integers(0, 6))):
        rom[draw(st.integers(0x134, 0x14F))] = draw(st.integers(0, 255))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(CODE.start, min(len(rom), CODE.stop) - 64))
        piece = draw(st.binary(min_size=1, max_size=64))
        rom[at : at + len(piece)] = piece
    if draw(st.integers(0, 4)):
        rom[rom_header.HEADER_CHECKSUM] = rom_header.header_checksum(bytes(rom))
    return Blob(rom)


@examples(5, share=0.5)
@given(data=damaged_roms())
def test_whatever_a_rom_holds_it_runs_or_is_refused(data: bytes) -> None:
    with read_or_refused(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cartridge = parse_cartridge(data)
        lanes = open_lanes("rust", cartridge.rom, 1)
        lanes.run_frames(3)
        state = lanes.snapshot(0)
        lanes.restore(0, state)
        assert lanes.snapshot(0) == state


@st.composite
def damaged_states(draw: st.DrawFn, whole: bytes) -> bytes:
    """Return savestates whose header or state is damaged, with a hash that mostly fits."""
    (length,) = struct.unpack_from("<I", whole, 8)
    header: dict[str, Any] = json.loads(whole[12 : 12 + length])
    blob = whole[12 + length :]
    match draw(st.integers(0, 3)):
        case 0:
            return draw(damaged_bytes(whole))
        case 1:
            text = as_text(draw(damaged_value(header))).encode()
        case _:
            changed = bytearray(blob)
            for _ in range(draw(st.integers(1, 4))):
                at = draw(st.integers(0, len(changed) - 8))
                changed[at : at + 8] = draw(
                    st.binary(min_size=8, max_size=8) | st.sampled_from([b"\xff" * 8, bytes(8)])
                )
            blob = bytes(changed)
            text = canonical_json({**header, "blob_sha256": sha256(blob).hexdigest()}).encode()
    return Blob(struct.pack("<4sII", b"GBST", 1, len(text)) + text + blob)


def test_whatever_a_savestate_holds_the_console_goes_on_from_it_or_refuses() -> None:
    console = GameboyConsoles().open("CATCH", None)
    console.run(0, 20)
    whole = console.save()

    @examples(5)
    @given(data=damaged_states(whole))
    def check(data: bytes) -> None:
        with read_or_refused():
            console.load(data)
            console.run(0, 2)
            console.inspect()
        console.load(whole)
        assert console.save() == whole

    check()


def test_whatever_a_lane_is_given_it_runs_or_refuses() -> None:
    lanes = open_lanes("rust", ROM, 1, picture="shade_full")
    lanes.run_frames(20)
    whole = lanes.snapshot(0)

    @examples(5)
    @given(data=damaged_bytes(whole))
    def check(data: bytes) -> None:
        with read_or_refused():
            lanes.restore(0, data)
            lanes.run_frames(2)
            lanes.observe(picture=np.zeros((1, *lanes.picture_shape), np.uint8))
        lanes.restore(0, whole)
        assert lanes.snapshot(0) == whole

    check()
