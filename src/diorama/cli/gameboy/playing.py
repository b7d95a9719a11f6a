"""Real-time play in a terminal: half-block pixels, keys that terminals repeat while they are held."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console

from diorama.cli.gameboy.half_blocks import COLUMNS, ROWS, PictureWriter
from diorama.cli.terminal import require_terminal
from diorama.contracts.errors import ConfigError
from diorama.worlds.gameboy.codec import (
    BUTTON_A,
    BUTTON_B,
    BUTTON_SELECT,
    BUTTON_START,
    DPAD_DOWN,
    DPAD_LEFT,
    DPAD_RIGHT,
    DPAD_UP,
)
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.lanes import Lanes, open_lanes

FRAME_SECONDS: Final = 70_224 / 4_194_304
# A terminal tells a key again and again while it is held, and never that it was let go. The first repeat comes late.
HELD_FRAMES: Final = 9
FIRST_HELD_FRAMES: Final = 24
_LATE_FRAMES: Final = 5
_ESCAPE: Final = "\x1b"

KEYS: Final[dict[str, tuple[int, int]]] = {
    **dict.fromkeys(("\x1b[A", "\x1bOA", "w"), (DPAD_UP, 0)),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "s"), (DPAD_DOWN, 0)),
    **dict.fromkeys(("\x1b[C", "\x1bOC", "d"), (DPAD_RIGHT, 0)),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "a"), (DPAD_LEFT, 0)),
    **dict.fromkeys(("z", "j"), (0, BUTTON_A)),
    **dict.fromkeys(("x", "k"), (0, BUTTON_B)),
    **dict.fromkeys(("\r", "\n"), (0, BUTTON_START)),
    **dict.fromkeys(("\x7f", "\b"), (0, BUTTON_SELECT)),
}
QUIT: Final = ("q", "\x03", _ESCAPE)
PAUSE: Final = "p"
HELP: Final = "q quit   p pause   arrows move   z A   x B   enter start   backspace select"


def split_keys(text: str) -> list[str]:
    """Split what a terminal sent into keys: letters, and the three characters of an arrow key."""
    keys, rest = [], text
    while rest:
        length = 3 if rest.startswith(("\x1b[", "\x1bO")) and len(rest) >= 3 else 1
        keys.append(rest[:length] if length == 3 else rest[0].lower())
        rest = rest[length:]
    return keys


@dataclass(slots=True)
class HeldKeys:
    """Which keys are down, guessed from how lately they were told."""

    left: dict[str, int] = field(default_factory=dict)

    def tell(self, key: str) -> None:
        """Note that a key was told."""
        is_new = key not in self.left
        self.left[key] = FIRST_HELD_FRAMES if is_new else max(self.left[key], HELD_FRAMES)

    def masks(self) -> tuple[int, int]:
        """D-pad and button mask of the keys that are down."""
        dpad = buttons = 0
        for key in self.left:
            dpad |= KEYS[key][0]
            buttons |= KEYS[key][1]
        return dpad, buttons

    def pass_frame(self) -> None:
        """Let a frame pass."""
        self.left = {key: frames - 1 for key, frames in self.left.items() if frames > 1}


def play_in_terminal(rom: RomUnderTest, *, scale: int | None) -> None:
    """Play until the player quits.

    Raises:
        ConfigError: If there is no terminal, or it is too small.
        TierUnavailable: If the native core does not load.
    """
    require_terminal(
        "diorama gameboy play",
        shown_on=sys.stdout,
        instead="play in the browser with 'diorama serve', or look at a ROM with 'diorama gameboy trace'",
    )
    console = Console()
    columns, rows = console.size
    chosen = scale or (1 if columns >= COLUMNS and rows > ROWS // 2 else 2)
    if columns < COLUMNS // chosen or rows <= ROWS // 2 // chosen:
        raise ConfigError(
            f"the terminal has {columns} columns and {rows} rows; {COLUMNS // chosen} by {ROWS // 2 // chosen + 1} are "
            "needed (make the window larger or the letters smaller)"
        )
    lanes = open_lanes("rust", rom.image, 1, boot=rom.boot, picture="shade_full")
    with console.screen(hide_cursor=True), _raw_keys() as read_keys:
        run_game(
            lanes,
            read_keys=read_keys,
            show=PictureWriter(console.file, scale=chosen, status=f"{rom.name}   {HELP}"[:columns]).show,
            clock=time.perf_counter,
            wait=time.sleep,
        )


def run_game(
    lanes: Lanes,
    *,
    read_keys: Callable[[], str],
    show: Callable[[Lanes], None],
    clock: Callable[[], float],
    wait: Callable[[float], None],
) -> int:
    """Run frames in real time until a key ends it; returns how many were played.

    A host that is too slow drops pictures, not frames, until it is so late that it starts counting anew.
    """
    held, due, frames, is_paused = HeldKeys(), clock(), 0, False
    while True:
        for key in split_keys(read_keys()):
            if key in QUIT:
                return frames
            if key == PAUSE:
                is_paused = not is_paused
            elif key in KEYS:
                held.tell(key)
        if not is_paused:
            lanes.press(0, *held.masks())
            lanes.run_frames(1)
            held.pass_frame()
            frames += 1
        due += FRAME_SECONDS
        late = clock() - due
        if late <= 0:
            show(lanes)
            wait(max(0.0, due - clock()))
        elif late > _LATE_FRAMES * FRAME_SECONDS:
            show(lanes)
            due = clock()


@contextmanager
def _raw_keys() -> Iterator[Callable[[], str]]:
    """Give a function that returns what was typed since the last call; the terminal is as before afterwards."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield lambda: _pending(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _pending(descriptor: int) -> str:
    typed = b""
    while select.select([descriptor], [], [], 0)[0]:
        more = os.read(descriptor, 256)
        if not more:
            return typed.decode("latin-1") + QUIT[0]  # the terminal is gone
        typed += more
    return typed.decode("latin-1")
