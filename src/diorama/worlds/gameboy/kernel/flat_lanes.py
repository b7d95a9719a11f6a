"""Single instructions of the kernel on 64 KiB of plain memory, for the public vectors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from diorama.worlds.gameboy.kernel.devices import Device
from diorama.worlds.gameboy.kernel.fields import FIELD_ROWS
from diorama.worlds.gameboy.kernel.instruction_words import instruction_words
from diorama.worlds.gameboy.kernel.options import BuildOptions, Style

PLAIN_BYTES: Final = 0x10000
REGISTERS: Final = ("a", "f", "b", "c", "d", "e", "h", "l", "pc", "sp", "ime")


class FlatLanes:
    """Lanes without a cartridge or a screen: registers and memory alone."""

    def __init__(self, open_device: Callable[[BuildOptions], Device], lanes: int, style: Style = Style.GROUPED) -> None:
        """Make room for lanes on a device, which is opened with the build that they need."""
        self._device = open_device(BuildOptions(flat=True, style=style))
        self._lanes = lanes
        self._st = self._device.scalar_table(len(FIELD_ROWS), lanes)
        self._mem = self._device.byte_array(lanes * PLAIN_BYTES)
        self._isa = self._device.int_array(len(instruction_words()))
        self._device.fill(self._isa, np.array(instruction_words(), np.int32))
        self._machine = self._device.module.Machine()
        self._machine.st = self._device.pointer(self._st)
        self._machine.mem = self._device.pointer(self._mem)

    def execute(
        self, starts: Sequence[tuple[Mapping[str, int], Sequence[Sequence[int]]]]
    ) -> list[tuple[dict[str, int], dict[int, int]]]:
        """Execute one instruction on every lane.

        Args:
            starts: For each lane, registers by name and pairs of address and byte; other memory keeps what it has.

        Returns:
            For each lane, its registers with `ei_delay`, `halting`, `trap_kind` and `cycles` (T-cycles), and the bytes
            at the given addresses.
        """
        for lane, (registers, memory) in enumerate(starts):
            scalars = np.zeros(len(FIELD_ROWS), np.int64)
            scalars[[FIELD_ROWS[name] for name in REGISTERS]] = [registers[name] for name in REGISTERS]
            self._device.put_column(self._st, lane, scalars)
            for address, value in memory:
                self._device.put_bytes(self._mem, lane * PLAIN_BYTES + address, np.array([value], np.uint8))
        arguments = [self._machine, self._device.pointer(self._isa), len(starts)]
        self._device.launch("single_step", len(starts), arguments)
        return [self._after(lane, memory) for lane, (_, memory) in enumerate(starts)]

    def _after(self, lane: int, memory: Sequence[Sequence[int]]) -> tuple[dict[str, int], dict[int, int]]:
        scalars = self._device.column(self._st, lane)
        told = {name: int(scalars[FIELD_ROWS[name]]) for name in (*REGISTERS, "ei_delay", "halting", "trap_kind")}
        told["cycles"] = int(scalars[FIELD_ROWS["now"]])
        plain = lane * PLAIN_BYTES
        return told, {address: int(self._device.bytes_of(self._mem, plain + address, 1)[0]) for address, _ in memory}
