"""The memory of many lanes on a device, as the generated module wants it, and lanes moved in and out of it."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from diorama.contracts.values import U8
from diorama.worlds.gameboy.canonical import RAM_STRIDE, SCALAR_FIELDS, SERIAL_BUFFER_BYTES, WIDE_FIELDS
from diorama.worlds.gameboy.cartridge import BANK_BYTES, Cartridge, MbcKind
from diorama.worlds.gameboy.kernel.devices import Device
from diorama.worlds.gameboy.kernel.fields import (
    CANONICAL_FIELDS,
    COUNTERS,
    FIELD_ROWS,
    HEADER_ADDRESSES,
    HEADER_NUMBERS,
    TILE,
)
from diorama.worlds.gameboy.kernel.lane_state import LaneState
from diorama.worlds.gameboy.kernel.options import Layout

INDEX_LIMIT: Final = 2**31 - 1  # kernels count bytes with 32 bits
_NARROW: Final = np.array([name not in WIDE_FIELDS for name in SCALAR_FIELDS])
_SERIAL_LEN: Final = CANONICAL_FIELDS.index("serial_len")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrays:
    """Arrays of a device; the machine of the kernel points to them."""

    st: Any
    wide: Any
    mem: Any
    cram: Any
    serial: Any
    picture: Any


@dataclass(slots=True)
class Store:
    """Lanes of one batch, or golden states, on a device."""

    device: Device
    layout: Layout
    lanes: int
    cram_bytes: int
    picture_bytes: int
    ram_start: int
    arrays: Arrays
    machine: Any

    def lane(self, lane: int) -> LaneState:
        """Copy a lane to the host."""
        device, arrays = self.device, self.arrays
        scalars = np.zeros(len(SCALAR_FIELDS), np.int64)
        narrow = device.column(arrays.st, lane)[: len(CANONICAL_FIELDS)]
        scalars[_NARROW] = narrow
        scalars[~_NARROW] = device.column(arrays.wide, lane)
        sent = int(narrow[_SERIAL_LEN])
        serial = device.bytes_of(arrays.serial, lane * SERIAL_BUFFER_BYTES, sent).tobytes()
        cram = device.bytes_of(arrays.cram, lane * self.cram_bytes, self.cram_bytes)
        return LaneState(scalars=scalars, ram=self.ram(lane), cram=cram, serial=serial)

    def put_lane(self, lane: int, state: LaneState) -> None:
        """Replace a lane; its picture stays."""
        device, arrays = self.device, self.arrays
        device.put_column(arrays.st, lane, state.scalars[_NARROW])
        device.put_column(arrays.wide, lane, state.scalars[~_NARROW])
        self.put_ram(lane, state.ram)
        device.put_bytes(arrays.cram, lane * self.cram_bytes, state.cram)
        serial = np.zeros(SERIAL_BUFFER_BYTES, np.uint8)
        serial[: len(state.serial)] = np.frombuffer(state.serial, np.uint8)
        device.put_bytes(arrays.serial, lane * SERIAL_BUFFER_BYTES, serial)

    def ram(self, lane: int) -> U8:
        """Copy the memory block of a lane."""
        start, count = self._ram_stretch(lane)
        stretch = self.device.bytes_of(self.arrays.mem, start, count)
        return stretch if self.layout is Layout.ENV_MAJOR else stretch[lane % TILE :: TILE].copy()

    def put_ram(self, lane: int, values: U8) -> None:
        """Replace the memory block of a lane."""
        start, count = self._ram_stretch(lane)
        stretch = values
        if self.layout is Layout.TILE32:
            stretch = self.device.bytes_of(self.arrays.mem, start, count)
            stretch[lane % TILE :: TILE] = values
        self.device.put_bytes(self.arrays.mem, start, stretch)

    def picture(self, lane: int) -> U8:
        """Copy the bytes of a lane's picture."""
        return self.device.bytes_of(self.arrays.picture, lane * self.picture_bytes, self.picture_bytes)

    def _ram_stretch(self, lane: int) -> tuple[int, int]:
        if self.layout is Layout.ENV_MAJOR:
            return self.ram_start + lane * RAM_STRIDE, RAM_STRIDE
        return self.ram_start + lane // TILE * RAM_STRIDE * TILE, RAM_STRIDE * TILE


def open_store(
    device: Device,
    layout: Layout,
    lanes: int,
    cartridge: Cartridge,
    *,
    boot: bytes | None,
    picture_bytes: int,
) -> Store:
    """Make room for lanes behind the cartridge's ROM; without lanes of their own, golden states need no ROM."""
    image = rom_image(cartridge, boot)
    cram_bytes = max(cartridge.ram_bytes, 1)
    rows = lanes if layout is Layout.ENV_MAJOR else -(-lanes // TILE) * TILE
    size = len(image) + rows * RAM_STRIDE
    if max(size, lanes * cram_bytes, lanes * picture_bytes) > INDEX_LIMIT:
        raise ValueError(f"{lanes} lanes of this cartridge do not fit one batch; use fewer lanes, in several batches")
    room = max(lanes, 1)
    arrays = Arrays(
        st=device.scalar_table(len(FIELD_ROWS), room),
        wide=device.counter_table(len(COUNTERS), room),
        mem=device.byte_array(size),
        cram=device.byte_array(room * cram_bytes),
        serial=device.byte_array(room * SERIAL_BUFFER_BYTES),
        picture=device.byte_array(max(lanes * picture_bytes, 1)),
    )
    machine = device.module.Machine()
    machine.st = device.pointer(arrays.st)
    machine.mem = device.pointer(arrays.mem)
    numbers = {
        "ram_start": len(image),
        "boot_start": len(cartridge.rom),
        "bank_mask": cartridge.rom_banks - 1,
        "ram_bytes": cartridge.ram_bytes,
        "cram_stride": cram_bytes,
        "bank1_mask": 0xFF if cartridge.has_wide_banks else 0x7F,
        "bank2_mask": 7 if cartridge.has_rumble else 15,
        "lanes": room,
        "picture_stride": picture_bytes,
    }
    addresses = [device.pointer(getattr(arrays, name)) for name in HEADER_ADDRESSES]
    device.put_header(arrays.st, addresses, [numbers[name] for name in HEADER_NUMBERS])
    device.put_bytes(arrays.mem, 0, np.frombuffer(image, np.uint8))
    return Store(device, layout, lanes, cram_bytes, picture_bytes, len(image), arrays, machine)


def rom_image(cartridge: Cartridge, boot: bytes | None) -> bytes:
    """The ROM, then copies of its low banks with the boot stub over their first page; MBC1 may select four of those."""
    if boot is None:
        return cartridge.rom
    low_banks = range(0, 0x80, 0x20) if cartridge.kind is MbcKind.MBC1 else range(1)
    covered = []
    for bank in low_banks:
        start = (bank % cartridge.rom_banks) * BANK_BYTES
        covered.append(boot + cartridge.rom[start + len(boot) : start + BANK_BYTES])
    return cartridge.rom + b"".join(covered)
