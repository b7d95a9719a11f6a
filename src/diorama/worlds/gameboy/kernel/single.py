"""One console taken off its device and interpreted: for looking into it, pressing keys and tracing."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.gameboy.cartridge import Cartridge
from diorama.worlds.gameboy.kernel.devices import InterpreterDevice
from diorama.worlds.gameboy.kernel.fields import COUNTERS, FIELD_ROWS, HEADER, TILE
from diorama.worlds.gameboy.kernel.instruction_words import instruction_words
from diorama.worlds.gameboy.kernel.lane_state import LaneState
from diorama.worlds.gameboy.kernel.options import BuildOptions, Layout
from diorama.worlds.gameboy.kernel.storage import open_store

_ENDLESS: Final = 1 << 30  # frames of a launch that the caller ends
_REQUESTS: Final = 0x1F


class SingleConsole:
    """A copy of one lane, with time 0 where it stopped."""

    def __init__(self, options: BuildOptions, cartridge: Cartridge, boot: bytes | None, state: LaneState) -> None:
        """Take a lane over; the picture is left behind."""
        plain = BuildOptions(mbc_kind=options.mbc_kind, has_rtc=options.has_rtc, stepped=options.stepped, watch_count=1)
        self._device = InterpreterDevice(plain)
        self._parts = self._device.module
        self._store = open_store(self._device, Layout.ENV_MAJOR, 1, cartridge, boot=boot, picture_bytes=0)
        self._machine = self._store.machine
        self._store.put_lane(0, state)
        self._parts.enter(self._machine, 0)

    def read_memory(self, low: int, high: int) -> bytes:
        """Read memory as it lies there."""
        return bytes(self._parts.peek(self._machine, 0, 0, address) for address in range(low, high))

    def press(self, dpad: int, buttons: int) -> None:
        """Hold exactly these keys."""
        self._parts.press_keys(self._machine, 0, dpad, buttons)

    def state(self) -> LaneState:
        """Bring everything up to date and copy it."""
        now = self._get("now")
        self._parts.leave(self._machine, 0)
        self._store.arrays.wide[COUNTERS.index("cycle_count")] += now
        state = self._store.lane(0)
        self._parts.enter(self._machine, 0)
        return state

    def trace(self, count: int) -> NDArray[np.int64]:
        """Execute up to `count` instructions; a row of numbers before each. A trap ends it, and sleep without end."""
        rows: list[list[int]] = []
        self._set("next_due", 0)
        self._parts.go_on(self._machine, 0, _ENDLESS)
        while len(rows) < count and self._get("trap_kind") == 0:
            if self._get("running"):
                rows.append(self._trace_row())
                self._execute()
            elif self._get("halted") and not self._get("ie") & _REQUESTS:
                break
            self._parts.attend(self._machine, 0, _ENDLESS, 0)
        self._close_trace(len(rows) - int(self._get("trap_kind") != 0))
        return np.array(rows, np.int64).reshape(len(rows), 15)

    def _execute(self) -> None:
        names = ("now", "next_due", "rom_low", "rom_high", "fetched")
        numbers = [self._get(name) for name in names]
        registers = self._parts.pack_registers(self._machine, 0)
        after = self._parts.execute_one(
            self._machine,
            instruction_words(),
            0,
            self._store.ram_start,
            *registers,
            self._get("pc"),
            self._get("sp"),
            *numbers,
        )
        self._parts.unpack_registers(self._machine, 0, after[0], after[1])
        for name, value in zip(("pc", "sp", "now"), after[2:5], strict=True):
            self._set(name, value)

    def _trace_row(self) -> list[int]:
        pc, now = self._get("pc"), self._get("now")
        opcode = self._parts.peek(self._machine, 0, now, pc)
        names = ("sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime", "ie", "iflag")
        started = self._store.arrays.wide[COUNTERS.index("cycle_count")]
        return [started + now, pc, opcode, *map(self._get, names)]

    def _close_trace(self, executed: int) -> None:
        if not self._get("fetched"):
            self._set("halt_bug", 1)  # the fetch that would have used it up did not happen
        self._store.arrays.wide[COUNTERS.index("instr_count")] += executed
        self._store.arrays.wide[COUNTERS.index("frame_count")] += self._get("frame") - self._get("skipped")

    def _get(self, field: str) -> int:
        value: int = self._machine.st[HEADER + TILE * FIELD_ROWS[field]]
        return value

    def _set(self, field: str, value: int) -> None:
        self._machine.st[HEADER + TILE * FIELD_ROWS[field]] = value
