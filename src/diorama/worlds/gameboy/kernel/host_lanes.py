"""Lanes of the generated kernel, whatever device runs them; `diorama.worlds.gameboy.lanes.Lanes` says what calls do."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32, I32, U8, U64
from diorama.snapshots import hash_words
from diorama.worlds.gameboy.boot import STUB_BYTES
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS, WIDE_FIELDS
from diorama.worlds.gameboy.cartridge import Cartridge
from diorama.worlds.gameboy.kernel.devices import Device
from diorama.worlds.gameboy.kernel.fields import COUNTERS, FIELD_ROWS
from diorama.worlds.gameboy.kernel.golden_slots import GoldenSlots
from diorama.worlds.gameboy.kernel.instruction_words import instruction_words
from diorama.worlds.gameboy.kernel.lane_state import LaneState, check_field, power_on_state, unpack_lane
from diorama.worlds.gameboy.kernel.options import PICTURE_SHAPES, BuildOptions
from diorama.worlds.gameboy.kernel.single import SingleConsole
from diorama.worlds.gameboy.kernel.storage import open_store
from diorama.worlds.gameboy.schedule import PressSchedule

FEATURES: Final = 32
MOST_FRAMES: Final = 20_000  # times within a launch have 32 bits


class HostLanes:
    """Lanes on a device. Subclasses say on which."""

    def __init__(
        self,
        device: Device,
        options: BuildOptions,
        cartridge: Cartridge,
        lanes: int,
        *,
        boot: bytes | None,
        watch: Sequence[int],
        cartridge_ram: bytes | None,
    ) -> None:
        """Switch the lanes on; subclasses have checked the cartridge and made the device."""
        if boot is not None and len(boot) != STUB_BYTES:
            raise ValueError(f"the boot stub has {len(boot)} bytes; it must have {STUB_BYTES}")
        cram = cartridge_ram or bytes(max(cartridge.ram_bytes, 1))
        if cartridge_ram and len(cartridge_ram) != cartridge.ram_bytes:
            found, expected = len(cartridge_ram), cartridge.ram_bytes
            raise ValueError(f"the cartridge RAM image has {found} bytes; the cartridge has {expected}")
        self._device = device
        self._options = options
        self._cartridge = cartridge
        self._boot = boot
        rows, columns = PICTURE_SHAPES[options.obs_format]
        self._shape = (rows, columns)
        self._isa = device.int_array(len(instruction_words()))
        device.fill(self._isa, np.array(instruction_words(), np.int32))
        size = rows * columns
        self._store = open_store(device, options.layout, lanes, cartridge, boot=boot, picture_bytes=size)
        self._actions = device.int_array(max(lanes, 1))
        self._idle = device.int_array(max(lanes, 1))
        self._addresses = device.int_array(max(len(watch), 1))
        if watch:
            device.fill(self._addresses, np.array(watch, np.int32))
        self._watched = device.byte_table(max(lanes, 1), max(len(watch), 1))
        self._features = device.float_table(max(lanes, 1), FEATURES)
        self._traps = device.int_array(max(lanes, 1))
        self._golden = GoldenSlots(self._store, cartridge)
        self._golden.put_fresh(power_on_state(is_booting=boot is not None, cram=cram))
        self.power_cycle()

    @property
    def lanes(self) -> int:
        """How many consoles there are."""
        return self._store.lanes

    @property
    def mbc_kind(self) -> str:
        """Mapper of the cartridge."""
        return self._cartridge.kind.value

    @property
    def cram_bytes(self) -> int:
        """Bytes of cartridge RAM of a lane, at least 1."""
        return self._store.cram_bytes

    @property
    def picture_shape(self) -> tuple[int, int]:
        """Rows and bytes of a row of the chosen picture."""
        return self._shape

    @property
    def options(self) -> BuildOptions:
        """What the kernel was built for."""
        return self._options

    @property
    def jit_seconds(self) -> float:
        """How long compiling the kernel took, or loading it where it was compiled before."""
        return self._device.jit_seconds

    def step(
        self,
        actions: I32,
        frames_per_step: int,
        release_after_frames: int,
        *,
        picture: U8 | None = None,
        ram_v3: F32 | None = None,
        watch: U8 | None = None,
    ) -> None:
        """Advance every lane by one step with one action each."""
        self._check_schedule(frames_per_step, release_after_frames)
        _expect("actions", len(actions), self.lanes)
        self._device.fill(self._actions, np.ascontiguousarray(actions, np.int32))
        self._launch_step(self._actions, frames_per_step, release_after_frames)
        self.observe(picture=picture, ram_v3=ram_v3, watch=watch)

    def observe(self, *, picture: U8 | None = None, ram_v3: F32 | None = None, watch: U8 | None = None) -> None:
        """Fill the given arrays with what the lanes show now."""
        watched = self._options.watch_count
        if picture is not None:
            _expect("picture", picture.size, self._store.picture_bytes * self.lanes)
            shown = self._device.bytes_of(self._store.arrays.picture, 0, picture.size)
            picture[:] = shown.reshape(picture.shape)
        if ram_v3 is not None:
            _expect("ram_v3", ram_v3.size, FEATURES * self.lanes)
        if watch is not None:
            _expect("watch", watch.size, watched * self.lanes)
        if ram_v3 is not None or (watch is not None and watched):
            self._launch_observe()
        if ram_v3 is not None:
            ram_v3[:] = self._device.host(self._features)
        if watch is not None and watched:
            watch[:] = self._device.host(self._watched)

    def run_frames(self, frames: int) -> None:
        """Run frames on every lane with the keys as they are; the last one is drawn."""
        while frames > 0:
            some = min(frames, MOST_FRAMES)
            self._launch_step(self._idle, some, 0)
            frames -= some

    def press(self, lane: int, dpad: int, buttons: int) -> None:
        """Hold exactly these keys of a lane from now on."""
        if not (0 <= dpad <= 15 and 0 <= buttons <= 15):
            raise ValueError(f"keys ({dpad}, {buttons}) are no masks of four bits")
        console = self._single(lane)
        console.press(dpad, buttons)
        self._store.put_lane(lane, console.state())

    def power_cycle(self, mask: U8 | None = None) -> None:
        """Switch the lanes with a non-zero mask, or all of them, off and on again."""
        chosen = np.ones(self.lanes, np.uint8) if mask is None else mask
        _expect("mask", len(chosen), self.lanes)
        self._golden.restore_fresh(chosen)

    def field(self, name: str) -> I32 | NDArray[np.int64]:
        """Read a canonical field of every lane."""
        table, row = self._field_row(name)
        values = self._device.row(table, row)[: self.lanes]
        return values if name in WIDE_FIELDS else values.astype(np.int32)

    def set_field(self, name: str, values: NDArray[np.int64]) -> None:
        """Write a canonical field of every lane."""
        table, row = self._field_row(name)
        if len(values) != self.lanes:
            raise ValueError(f"{name} has {len(values)} values; there must be one for each lane")
        for value in values.tolist():
            check_field(name, value)
        self._device.put_row(table, row, np.asarray(values, np.int64))

    def state(self, lane: int) -> NDArray[np.int64]:
        """Read all canonical fields of a lane."""
        return self._lane(lane).scalars

    def ram(self, lane: int) -> U8:
        """Copy the memory block of a lane."""
        self._check_lane(lane)
        return self._store.ram(lane)

    def set_ram(self, lane: int, values: U8) -> None:
        """Replace the memory block of a lane."""
        self._check_lane(lane)
        _expect_bytes("ram", len(values), len(self._store.ram(lane)))
        self._store.put_ram(lane, values)

    def cram(self, lane: int) -> U8:
        """Copy the cartridge RAM of a lane."""
        return self._lane(lane).cram

    def set_cram(self, lane: int, values: U8) -> None:
        """Replace the cartridge RAM of a lane."""
        state = self._lane(lane)
        _expect_bytes("cram", len(values), len(state.cram))
        state.cram = values
        self._store.put_lane(lane, state)

    def read_memory(self, lane: int, lo: int, hi: int) -> bytes:
        """Read raw memory with the banks as they are."""
        if not 0 <= lo <= hi <= 0x10000:
            raise ValueError(f"the range {lo}..{hi} is not inside 0..65536")
        return self._single(lane).read_memory(lo, hi)

    def read_frame(self, lane: int) -> U8:
        """Copy the last picture of a lane."""
        self._check_lane(lane)
        return self._store.picture(lane).reshape(self._shape)

    def read_serial(self, lane: int) -> bytes:
        """Read what a lane has sent on its serial port."""
        return self._lane(lane).serial

    def drain_serial(self, lane: int) -> bytes:
        """Read and forget what a lane has sent on its serial port."""
        state = self._lane(lane)
        sent, state.serial = state.serial, b""
        for name in ("serial_len", "serial_overflow"):
            state.scalars[SCALAR_FIELDS.index(name)] = 0
        self._store.put_lane(lane, state)
        return sent

    def snapshot(self, lane: int) -> bytes:
        """Pack a lane."""
        return self._lane(lane).pack()

    def restore(self, lane: int, data: bytes) -> None:
        """Continue a lane from a snapshot of any backend."""
        self._check_lane(lane)
        self._store.put_lane(lane, unpack_lane(data, self.cram_bytes))

    def state_words(self, lane: int) -> U64:
        """Canonical words of a lane."""
        return self._lane(lane).words()

    def state_hash(self, lane: int) -> int:
        """Hash of the state words."""
        return hash_words(self.state_words(lane))

    def capture(self, lane: int, slot: int) -> None:
        """Keep a lane, with its picture, in a golden slot."""
        self._check_lane(lane)
        self._golden.capture(lane, slot)

    def restore_golden(self, mask: U8, slots: I32) -> None:
        """Make each lane with a non-zero mask equal to its golden slot."""
        _expect("mask", len(mask), self.lanes)
        _expect("slots", len(slots), self.lanes)
        self._golden.restore(mask, slots)

    def trace(self, lane: int, count: int) -> NDArray[np.int64]:
        """Run instructions one by one, interpreted, whatever the device."""
        console = self._single(lane)
        rows = console.trace(count)
        self._store.put_lane(lane, console.state())
        return rows

    def _launch_step(self, actions: Any, frames: int, release: int) -> None:
        arguments = [self._store.machine, self._device.pointer(self._isa), actions, frames, release, self.lanes]
        self._device.launch("cpu_step", self.lanes, arguments)

    def _launch_observe(self) -> None:
        arguments = [self._store.machine, self._addresses, self._watched, self._features, self._traps, self.lanes]
        self._device.launch("observe_lanes", self.lanes, arguments)

    def _check_schedule(self, frames: int, release: int) -> None:
        PressSchedule(frames_per_step=frames, release_after_frames=release)
        if frames > MOST_FRAMES:
            raise ValueError(f"frames_per_step is {frames}; one launch takes at most {MOST_FRAMES}")

    def _field_row(self, name: str) -> tuple[Any, int]:
        if name not in SCALAR_FIELDS:
            raise ValueError(f"a console has no field '{name}'")
        arrays = self._store.arrays
        return (arrays.wide, COUNTERS.index(name)) if name in WIDE_FIELDS else (arrays.st, FIELD_ROWS[name])

    def _check_lane(self, lane: int) -> None:
        if not 0 <= lane < self.lanes:
            raise ValueError(f"lane {lane} is outside 0..{max(self.lanes - 1, 0)}")

    def _lane(self, lane: int) -> LaneState:
        self._check_lane(lane)
        return self._store.lane(lane)

    def _single(self, lane: int) -> SingleConsole:
        return SingleConsole(self._options, self._cartridge, self._boot, self._lane(lane))


def _expect(name: str, found: int, expected: int) -> None:
    if found != expected:
        raise ValueError(f"{name} has {found} values; it must have {expected}")


def _expect_bytes(name: str, found: int, expected: int) -> None:
    if found != expected:
        raise ValueError(f"{name} has {found} bytes; it must have {expected}")
