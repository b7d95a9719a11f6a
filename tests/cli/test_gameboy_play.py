"""Play in a terminal: keys, half blocks, time, and a whole game on a real pseudo-terminal."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from io import StringIO

import numpy as np
import pytest

from diorama.cli.gameboy.half_blocks import PictureWriter, half_block_lines
from diorama.cli.gameboy.playing import (
    FIRST_HELD_FRAMES,
    FRAME_SECONDS,
    HELD_FRAMES,
    KEYS,
    HeldKeys,
    run_game,
    split_keys,
)
from diorama.worlds.gameboy.codec import BUTTON_A, BUTTON_B
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.contract import describe
from diorama.worlds.gameboy.lanes import Lanes, open_lanes
from tests.worlds.gameboy.on_oracle import built


def test_what_a_terminal_sends_is_split_into_keys() -> None:
    assert split_keys("X\x1b[A\x1bOBz\r") == ["x", "\x1b[A", "\x1bOB", "z", "\r"]
    assert split_keys("\x1b") == ["\x1b"]


def test_a_and_b_are_on_the_keys_that_they_have_in_the_browser() -> None:
    spec = describe(GameboyConfig())
    keys = {hotkey.hint: hotkey.key for hotkey in spec.hotkeys}

    assert KEYS[keys["A"]] == (0, BUTTON_A)
    assert KEYS[keys["B"]] == (0, BUTTON_B)


def test_a_key_is_held_until_the_terminal_stops_telling_it() -> None:
    held = HeldKeys()
    held.tell("\x1b[A")
    held.tell("z")

    assert held.masks() == (4, 1)
    for _ in range(FIRST_HELD_FRAMES - 1):
        held.pass_frame()
    assert held.masks() == (4, 1)
    held.tell("z")
    held.pass_frame()
    assert held.masks() == (0, 1)
    for _ in range(HELD_FRAMES - 1):
        held.pass_frame()
    assert held.masks() == (0, 0)


def test_two_pixels_share_a_cell_and_only_changes_are_written() -> None:
    shades = np.array([[0, 0, 3], [3, 3, 3]], np.uint8)

    (line,) = half_block_lines(shades)

    assert line == "\x1b[38;5;255;48;5;232m\u2580\u2580\x1b[38;5;232;48;5;232m\u2580\x1b[0m"
    file = StringIO()
    writer = PictureWriter(file, scale=2, status="help")
    picture = np.zeros((144, 160), np.uint8)
    writer.write(picture)
    first = len(file.getvalue())
    writer.write(picture)
    assert len(file.getvalue()) == first
    picture[40:42] = 3
    writer.write(picture)
    assert file.getvalue()[first:].count("H") == 1
    assert "help" in file.getvalue()


class FakeTime:
    """A clock that moves only while somebody waits, or while a picture is drawn."""

    def __init__(self, drawing_s: float) -> None:
        self.now = 0.0
        self.pictures = 0
        self.drawing_s = drawing_s

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def show(self, lanes: Lanes) -> None:
        self.pictures += 1
        self.now += self.drawing_s


@pytest.mark.parametrize(
    ("drawing_frames", "least", "most"),
    [pytest.param(0.5, 100, 100, id="in-time"), pytest.param(2.5, 30, 60, id="a-slow-host-drops-pictures")],
)
def test_the_game_keeps_its_speed(drawing_frames: float, least: int, most: int) -> None:
    lanes = open_lanes("rust", built("GRID_GOAL"), 1, picture="shade_full")
    time = FakeTime(drawing_frames * FRAME_SECONDS)
    typed = iter([""] * 100 + ["q"])

    frames = run_game(lanes, read_keys=lambda: next(typed), show=time.show, clock=lambda: time.now, wait=time.wait)

    assert frames == 100
    assert time.now == pytest.approx(100 * FRAME_SECONDS, rel=0.05)
    assert least <= time.pictures <= most


def test_keys_reach_the_game_and_pause_stops_it() -> None:
    lanes = open_lanes("rust", built("JOY_ECHO"), 1, picture="shade_full")
    time = FakeTime(0.0)
    typed = iter([*[""] * 9, "\x1b[C", *[""] * 9, "p", *[""] * 50, "q"])

    frames = run_game(lanes, read_keys=lambda: next(typed), show=time.show, clock=lambda: time.now, wait=time.wait)

    assert frames == 19
    assert lanes.read_memory(0, 0xC000, 0xC001)[0] == 0x0E  # the line of RIGHT is low


def test_a_game_on_a_real_terminal_begins_and_ends() -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    before = termios.tcgetattr(slave)
    game = subprocess.Popen(
        [sys.executable, "-m", "diorama", "gameboy", "play", "GRID_GOAL"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
    )
    shown = b""
    while "\u2580".encode() not in shown:
        assert select.select([master], [], [], 60)[0], "nothing was shown"
        shown += os.read(master, 65536)
    os.write(master, b"q")
    while game.poll() is None:
        if select.select([master], [], [], 0.05)[0]:
            shown += os.read(master, 65536)

    assert game.returncode == 0
    assert b"q quit" in shown
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
