"""One console off its device: canonical scalars, memory, cartridge RAM and serial bytes, and their packed form."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import U8, U64
from diorama.native import load_native
from diorama.snapshots import WordWriter
from diorama.worlds.gameboy.boot import POST_BOOT, POST_BOOT_AUDIO
from diorama.worlds.gameboy.canonical import AUDIO_OFFSET, POWER_ON, RAM_STRIDE, SCALAR_FIELDS, dtype_of

_SLOTTED: Final = frozenset(("div16", "dot", "cycle_count", "frame_clock"))  # T-cycles, multiples of four
_SCALARS: Final = np.dtype([(name, np.dtype(dtype_of(name)).newbyteorder("<")) for name in SCALAR_FIELDS])


@dataclass(slots=True, kw_only=True)
class LaneState:
    """One console. `scalars` are in canonical order, 64 bits each."""

    scalars: NDArray[np.int64]
    ram: U8
    cram: U8
    serial: bytes

    def pack(self) -> bytes:
        """Bytes of a savestate's blob."""
        record = np.zeros(1, _SCALARS)
        for name, value in zip(SCALAR_FIELDS, self.scalars, strict=True):
            record[name] = value
        return record.tobytes() + self.ram.tobytes() + self.cram.tobytes() + self.serial

    def words(self) -> U64:
        """Canonical words: scalars, memory, cartridge RAM, serial bytes."""
        writer = WordWriter()
        writer.add_ints(self.scalars)
        for part in (self.ram.tobytes(), self.cram.tobytes(), self.serial):
            writer.add_bytes(part)
        return writer.words()


def power_on_state(*, is_booting: bool, cram: bytes) -> LaneState:
    """A console that has just been switched on, with its boot stub mapped or, without one, as a boot leaves it."""
    fields = POWER_ON if is_booting else POST_BOOT
    ram = np.zeros(RAM_STRIDE, np.uint8)
    if not is_booting:
        ram[AUDIO_OFFSET : AUDIO_OFFSET + len(POST_BOOT_AUDIO)] = np.frombuffer(POST_BOOT_AUDIO, np.uint8)
    scalars = np.array([fields[name] for name in SCALAR_FIELDS], np.int64)
    return LaneState(scalars=scalars, ram=ram, cram=np.frombuffer(cram, np.uint8).copy(), serial=b"")


def unpack_lane(data: bytes, cram_bytes: int) -> LaneState:
    """Read a savestate's blob.

    Raises:
        SnapshotError: If the bytes are too few or too many, or hold a value that no console has.
    """
    ram_end = _SCALARS.itemsize + RAM_STRIDE
    least = ram_end + cram_bytes
    if len(data) < least:
        raise SnapshotError(f"{len(data)} bytes are no console; there must be at least {least}")
    record = np.frombuffer(data[: _SCALARS.itemsize], _SCALARS)
    scalars = np.array([record[name][0] for name in SCALAR_FIELDS], np.int64)
    for name, value in zip(SCALAR_FIELDS, scalars.tolist(), strict=True):
        _check(name, value)
    serial = data[least:]
    expected = int(scalars[SCALAR_FIELDS.index("serial_len")])
    if len(serial) != expected:
        raise SnapshotError(f"there are {len(serial)} serial bytes; serial_len says {expected}")
    block = np.frombuffer(data[_SCALARS.itemsize : least], np.uint8).copy()
    return LaneState(scalars=scalars, ram=block[:RAM_STRIDE], cram=block[RAM_STRIDE:], serial=serial)


def check_field(name: str, value: int) -> None:
    """Refuse a value that a field cannot have.

    Raises:
        ValueError: With the field, the value and the range.
    """
    try:
        _check(name, value)
    except SnapshotError as error:
        raise ValueError(str(error)) from None


def _check(name: str, value: int) -> None:
    low, high = _ranges()[name]
    if not low <= value <= high:
        raise SnapshotError(f"{name} = {value} is outside {low}..{high}")
    if name in _SLOTTED and value % 4:
        raise SnapshotError(f"{name} = {value} must be a multiple of 4")


@cache
def _ranges() -> dict[str, tuple[int, int]]:
    return {name: (low, high) for name, _, low, high in load_native().gameboy_tables()["fields"]}
