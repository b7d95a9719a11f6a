"""What is compared under each profile, and where two views differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.values import JsonObject
from diorama.worlds.gameboy.harness.views import IO_REGISTERS, REGIONS, View
from diorama.worlds.gameboy.roms.rom import Profile

FRAME: Final = "frame"
CRAM: Final = "cram"
JOYPAD_REQUEST: Final = 0x10  # the oracle raises it for keys that are not selected
_PAIRED: Final = ("sp", "a", "b", "c", "d", "e", "h", "l")
_MEMORY: Final = (*REGIONS, CRAM)

COMPARED: Final[dict[Profile, tuple[str, ...]]] = {
    Profile.EXACT: (
        *("pc", "f", *_PAIRED, "ime", "halted", "ie", "iflag", "cycle_count"),
        *(*IO_REGISTERS, *_MEMORY, FRAME),
    ),
    Profile.SETTLED: (*_PAIRED, *IO_REGISTERS, *_MEMORY, FRAME),
    Profile.FRAMES: (FRAME,),
    Profile.SELFCHECK: (),
}
"""Fields of each profile where one side is the oracle, which tells no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field that differs. For memory and pictures: how many bytes, and the first of them."""

    field: str
    ref: int
    dut: int
    bytes: int = 1
    address: int | None = None

    def __str__(self) -> str:
        """Tell it in a few words."""
        place = "" if self.address is None else f" at ${self.address:04X} ({self.bytes} bytes differ)"
        return f"{self.field} is {self.dut}, should be {self.ref}{place}"

    def to_json(self) -> JsonObject:
        """Return it as it stands in `diff.json`."""
        told: JsonObject = {"field": self.field, "ref": self.ref, "dut": self.dut}
        return told if self.address is None else {**told, "bytes": self.bytes, "first_address": self.address}


def differences(ref: View, dut: View, fields: tuple[str, ...]) -> tuple[Difference, ...]:
    """List where two views differ in these fields, in their order."""
    return tuple(_differences(ref, dut, fields))


def _differences(ref: View, dut: View, fields: tuple[str, ...]) -> Iterator[Difference]:
    for name in fields:
        if name == FRAME:
            yield from _bytes_differ(name, ref.frame.tobytes(), dut.frame.tobytes(), 0)
        elif name == "serial":
            yield from _bytes_differ(name, ref.serial, dut.serial, 0)
        elif name in _MEMORY:
            start = REGIONS[name][0] if name in REGIONS else 0
            yield from _bytes_differ(name, ref.memory.get(name, b""), dut.memory.get(name, b""), start)
        elif ref.scalars[name] != dut.scalars[name]:
            yield Difference(field=name, ref=ref.scalars[name], dut=dut.scalars[name])


def _bytes_differ(name: str, ref: bytes, dut: bytes, start: int) -> Iterator[Difference]:
    if len(ref) != len(dut):
        yield Difference(field=name, ref=len(ref), dut=len(dut), bytes=abs(len(ref) - len(dut)), address=start)
        return
    places = np.flatnonzero(np.frombuffer(ref, np.uint8) != np.frombuffer(dut, np.uint8))
    if len(places):
        first = int(places[0])
        yield Difference(field=name, ref=ref[first], dut=dut[first], bytes=len(places), address=start + first)
