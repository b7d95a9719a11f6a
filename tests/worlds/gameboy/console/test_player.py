"""One console played by hand."""

from itertools import pairwise

import numpy as np
import pytest

from diorama.contracts.consoles import Console
from diorama.worlds.gameboy.cartridge import parse_cartridge
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.console import CONSOLES
from diorama.worlds.gameboy.console.packing import pack_shades, tile_sheet
from diorama.worlds.gameboy.console.player import KEYS
from diorama.worlds.gameboy.errors import SavestateError
from diorama.worlds.gameboy.lanes import open_lanes
from diorama.worlds.gameboy.roms.catalogue import assemble
from diorama.worlds.gameboy.savestate import unpack_savestate

RIGHT = 1 << KEYS.index("right")
A, SELECT, START = (1 << KEYS.index(name) for name in ("a", "select", "start"))


def unpacked(picture: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    data = np.frombuffer(picture, np.uint8).reshape(144, 40)
    return np.stack([data >> shift & 3 for shift in (0, 2, 4, 6)], axis=2).reshape(144, 160)


def memory_of(console: Console) -> bytes:
    header = parse_cartridge(assemble("JOY_ECHO"))
    return unpack_savestate(console.save(), rom_sha256=header.sha256, action_codec_id=DEFAULT_ACTION_CODEC_ID).ram


def test_a_console_shows_what_a_lane_draws() -> None:
    console = CONSOLES.open("CATCH", None)
    lanes = open_lanes("rust", assemble("CATCH"), 1, picture="shade_full")
    console.run(0, 70)
    lanes.run_frames(70)

    assert (unpacked(console.picture()) == lanes.read_frame(0)).all()
    assert (console.frame_count, console.trap) == (70, None)


def test_keys_are_held_until_they_are_let_go() -> None:
    console = CONSOLES.open("CATCH", None)
    console.run(0, 60)
    console.run(RIGHT, 3)
    console.run(RIGHT, 2)
    console.run(0, 5)

    start = CONSOLES.open("CATCH", None)
    start.run(0, 70)
    paddles = [unpacked(one.picture())[128:136] for one in (start, console)]
    assert (np.roll(paddles[0], 5 * 8, axis=1) == paddles[1]).all()


@pytest.mark.parametrize("keys", [A, SELECT, START, A | SELECT | START | RIGHT])
def test_every_key_reaches_the_machine(keys: int) -> None:
    console = CONSOLES.open("JOY_ECHO", None)
    console.run(keys, 10)
    lanes = open_lanes("rust", assemble("JOY_ECHO"), 1, picture="shade_full")
    lanes.press(0, keys & 0xF, keys >> 4)
    lanes.run_frames(10)
    idle = CONSOLES.open("JOY_ECHO", None)
    idle.run(0, 10)

    assert memory_of(console) == lanes.ram(0).tobytes()
    assert memory_of(console) != memory_of(idle)


def test_a_loaded_state_is_the_saved_one_and_shows_its_picture() -> None:
    console = CONSOLES.open("CATCH", None)
    console.run(0, 60)
    saved = console.save()
    console.run(RIGHT, 120)

    fresh = CONSOLES.open("CATCH", None)
    fresh.load(saved)

    assert (fresh.save(), fresh.frame_count) == (saved, 60)
    assert fresh.picture() != bytes(5760)
    console.load(saved)
    for one in (console, fresh):
        one.run(RIGHT, 30)
    assert console.save() == fresh.save()


def test_a_state_of_another_cartridge_is_refused_and_nothing_changes() -> None:
    console, other = CONSOLES.open("CATCH", None), CONSOLES.open("KEYDOOR", None)
    before = console.save()

    with pytest.raises(SavestateError, match="the ROM in use is"):
        console.load(other.save())
    assert console.save() == before


def test_a_restarted_console_is_a_new_one() -> None:
    console = CONSOLES.open("CATCH", None)
    fresh = console.save()
    console.run(RIGHT, 99)
    console.restart()

    assert console.save() == fresh


def test_the_instructions_around_the_next_one_follow_each_other() -> None:
    console = CONSOLES.open("GRID_GOAL", None)
    console.run(0, 30)
    lines = console.inspect().lines

    assert [line.is_next for line in lines].count(True) == 1
    assert all(after.address == line.address + len(line.data) for line, after in pairwise(lines))


def test_tiles_are_laid_out_sixteen_in_a_row() -> None:
    tiles = bytearray(0x1800)
    tiles[17 * 16 : 17 * 16 + 2] = b"\x81\x01"  # the first line of the tile below and right of the first

    sheet = tile_sheet(bytes(tiles))

    assert sheet.shape == (192, 128)
    assert sheet[8, 8:16].tolist() == [1, 0, 0, 0, 0, 0, 0, 3]
    assert pack_shades(sheet[8:9, 8:16]).tolist() == [[0b01, 0b11000000]]


def test_what_was_sent_over_the_serial_port_can_be_read() -> None:
    console = CONSOLES.open("SERIAL_HELLO", None)
    console.run(0, 60)

    assert console.inspect().serial_text == "OKPASS"
