"""The oracle: one instance of PyBoy, an independent emulator, read without disturbing it.

Only this module imports it, and only when an oracle is made; the extra `oracle` installs it.
"""

import struct
import tempfile
import warnings
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import MissingExtra
from diorama.worlds.gameboy.boot import BootMode, boot_stub
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.schedule import PressSchedule

if TYPE_CHECKING:
    from pyboy import PyBoy
    from typing_extensions import Buffer

VERSION: Final = "2.8.1"
GRAYS: Final = (255, 170, 85, 0)  # what shades 0 to 3 look like
_PALETTE: Final = (0xFFFFFF, 0xAAAAAA, 0x555555, 0x000000)
_STATE_VERSION: Final = 29
# The fixed head of its save state: version, boot flag, three bytes of color mode, color flag, A F B C D E, HL SP PC,
# IME, EI delay, halted, stopped, IE, a queue flag, IF, cycles.
_HEAD: Final = struct.Struct("<B4xB6B3H7BQ")


class _HeadComplete(Exception):
    """The head of a save state was written; the rest is not wanted."""


class _StateHead(BytesIO):
    """Takes the head of a save state and ends the writing there: all of it takes 300 times as long."""

    def write(self, data: "Buffer") -> int:
        written = super().write(data)
        if self.tell() >= _HEAD.size:
            raise _HeadComplete
        return written


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleCpu:
    """Registers and interrupt state. PC is normalized: while halted it is the address after the HALT."""

    pc: int
    sp: int
    a: int
    f: int
    b: int
    c: int
    d: int
    e: int
    h: int
    l: int  # noqa: E741 - the register is called so
    ime: int
    ei_delay: int
    halted: int
    ie: int
    iflag: int
    cycle_count: int


class Oracle:
    """One console of the reference emulator, from power-on."""

    def __init__(
        self,
        rom: bytes,
        *,
        boot: BootMode = BootMode.STUB_LCD,
        schedule: PressSchedule | None = None,
    ) -> None:
        """Switch a console on.

        Args:
            rom: The cartridge image.
            boot: Which stub runs first; `post` cannot be had from the oracle.
            schedule: Frames of a step and when keys go up; the default schedule where None.

        Raises:
            MissingExtra: If PyBoy is not installed.
        """
        self.schedule = schedule or PressSchedule()
        self.codec = get_action_codec()
        self.serial = b""
        self._pyboy = _power_on(rom, boot_stub(boot))

    def __enter__(self) -> Self:
        """Hand the oracle to a `with` block that closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Switch the console off."""
        self.close()

    def close(self) -> None:
        """Switch the console off; nothing is written to disk."""
        self._pyboy.stop(save=False)

    def step(self, action: int) -> None:
        """Run one step: press, frames, release, frames, one frame at a time; only the last one is drawn."""
        button = self.codec.to_pyboy_button(action)
        schedule = self.schedule
        if button is not None and schedule.release_after_frames > 0:
            self._pyboy.button_press(button)
        for frame in range(schedule.frames_per_step):
            if button is not None and frame == schedule.release_after_frames > 0:
                self._pyboy.button_release(button)
            self.tick(draw=frame == schedule.frames_per_step - 1)
        if button is not None and schedule.release_after_frames == schedule.frames_per_step:
            self._pyboy.button_release(button)

    def tick(self, *, draw: bool = True) -> None:
        """Run one frame with the keys as they are."""
        self._pyboy.tick(1, draw, False)
        self.serial += self._pyboy._serial().encode("latin-1")

    def press(self, button: str) -> None:
        """Hold a button of the oracle's naming, such as `select`, from the next frame on."""
        self._pyboy.button_press(button)

    def release(self, button: str) -> None:
        """Let a button go from the next frame on."""
        self._pyboy.button_release(button)

    def cpu(self) -> OracleCpu:
        """Read registers, interrupt state and the number of T-cycles since power-on."""
        head = _StateHead()
        with suppress(_HeadComplete):
            self._pyboy.save_state(head)
        version, _, a, f, b, c, d, e, hl, sp, pc, ime, ei_delay, halted, _, ie, _, iflag, cycles = _HEAD.unpack(
            head.getvalue()
        )
        if version != _STATE_VERSION:
            raise AssertionError(f"the oracle's save state has version {version}; {VERSION} writes {_STATE_VERSION}")
        return OracleCpu(
            pc=(pc + 1) & 0xFFFF if halted else pc,
            sp=sp,
            a=a,
            f=f,
            b=b,
            c=c,
            d=d,
            e=e,
            h=hl >> 8,
            l=hl & 0xFF,
            ime=ime,
            ei_delay=ei_delay,
            halted=halted,
            ie=ie,
            iflag=iflag & 0x1F,
            cycle_count=cycles,
        )

    def read_memory(self, low: int, high: int) -> bytes:
        """Read the bytes at `low` up to but not including `high`, as the program would see them."""
        return bytes(self._pyboy.memory[low:high])

    def write_memory(self, address: int, value: int) -> None:
        """Change a byte as the program would, such as the maze a game is to begin with."""
        self._pyboy.memory[address] = value

    def read_cartridge_ram(self, bank: int) -> bytes:
        """Read 8 KiB of cartridge RAM, whether it is enabled or not."""
        # The last byte of a bank is out of reach of its slices and is read by itself.
        return bytes(self._pyboy.memory[bank, 0xA000:0xBFFF]) + bytes([self._pyboy.memory[bank, 0xBFFF]])

    def shades(self) -> NDArray[np.uint8]:
        """Give the picture of the last drawn frame as shades 0 to 3, shape (144, 160)."""
        gray: NDArray[np.uint8] = np.asarray(self._pyboy.screen.ndarray)[:, :, 0]
        return _SHADE_OF_GRAY[gray]


def _shade_table() -> NDArray[np.uint8]:
    table = np.full(256, 0xFF, dtype=np.uint8)  # a gray that is none of the four stays visible as 255
    table[list(GRAYS)] = range(len(GRAYS))
    return table


_SHADE_OF_GRAY: Final = _shade_table()


def _power_on(rom: bytes, stub: bytes) -> "PyBoy":
    try:
        with warnings.catch_warnings():
            # Its window library tells on import where its binaries come from.
            warnings.simplefilter("ignore")
            from pyboy import PyBoy
    except ModuleNotFoundError as error:
        raise MissingExtra.of("oracle", needed_for="the reference emulator of gameboy") from error
    with tempfile.TemporaryDirectory() as folder:
        stub_path = Path(folder) / "boot.bin"  # it takes boot code from files only
        stub_path.write_bytes(stub)
        pyboy = PyBoy(
            BytesIO(rom),
            ram_file=None,
            rtc_file=None,
            window="null",
            bootrom=str(stub_path),
            sound_emulated=False,
            cgb=False,
            no_input=True,
            log_level="ERROR",
            color_palette=_PALETTE,
        )
    pyboy.set_emulation_speed(0)
    return pyboy
